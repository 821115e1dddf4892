import Glibc
import Godwit

/// A folder of its own for a test, removed when it is let go.
final class Folder: Sendable {
    let url: URL

    init() throws {
        url = URL(filePath: "/tmp/godwit-contract-\(getpid())-\(UInt64.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// A file with these bytes.
    func file(_ name: String, _ data: Data) throws -> URL {
        let url = url.appending(path: name)
        try data.write(to: url)
        return url
    }

    func path(_ name: String) -> URL {
        url.appending(path: name)
    }

    static func exists(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.path)
    }
}
