import GodwitCore

/// A folder of its own for a test, removed when it is let go.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = URL(filePath: "/tmp/godwit-ui-\(UInt64.random(in: .min ... .max))", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
