import Godwit

/// A folder of its own for a test, removed when it is let go.
final class TransferFolder: Sendable {
    let url: URL

    init() throws {
        url = URL(filePath: "/tmp/godwit-transfers-\(UInt64.random(in: .min ... .max))", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> URL { url.appending(path: name) }

    /// The names of what is in it, hidden files included.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    func write(_ text: String, to name: String) throws -> URL {
        try Data(text.utf8).write(to: path(name))
        return path(name)
    }

    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name).path)[.posixPermissions] as? Int
    }
}
