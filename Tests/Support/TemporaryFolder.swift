package import GodwitCore
import GodwitLibc

/// A folder of its own for a test, removed when it is let go.
package final class TemporaryFolder: Sendable {
    package let url: URL

    /// Makes the folder, which others may look into. Without it, the first use of a file in it fails.
    package init() {
        let name = "godwit-test-\(UInt64.random(in: .min ... .max))"
        url = URL(filePath: "/tmp/\(name)", directoryHint: .isDirectory)
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Makes a file of these bytes.
    package func file(_ name: String, _ data: Data) throws -> URL {
        let file = url.appending(path: name)
        try data.write(to: file)
        return file
    }

    /// Makes a named pipe, which its owner may use. Without it, the first use of it fails.
    package func pipe(_ name: String = "pipe") -> URL {
        let pipe = url.appending(path: name)
        mkfifo(pipe.path, 0o600)
        return pipe
    }

    /// A file's text.
    package func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
    }

    /// The names of what is in it, hidden files included.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    /// The permissions of a file.
    package func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.appending(path: name).path)[.posixPermissions] as? Int
    }

    /// How many bytes a file has; 0 where there is none.
    package func size(of name: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.appending(path: name).path)
        return attributes?[.size] as? Int ?? 0
    }
}
