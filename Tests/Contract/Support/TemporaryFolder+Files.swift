import Godwit
import TestSupport

extension TemporaryFolder {
    /// A file with these bytes.
    func file(_ name: String, _ data: Data) throws -> URL {
        let url = path(name)
        try data.write(to: url)
        return url
    }

    func path(_ name: String) -> URL { url.appending(path: name) }

    static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
}
