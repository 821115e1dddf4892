import Godwit
import TestSupport

extension TemporaryFolder {
    func path(_ name: String) -> URL { url.appending(path: name) }

    static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
}
