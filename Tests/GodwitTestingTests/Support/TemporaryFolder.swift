#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitCore

/// A folder of its own for a test, removed when it is let go.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        let name = "godwit-\(getpid())-\(UInt64.random(in: .min ... .max))"
        url = URL(filePath: "/tmp").appending(path: name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
