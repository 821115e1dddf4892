import Godwit
import TestSupport

extension TemporaryFolder {
    func path(_ name: String) -> URL { url.appending(path: name) }

    func write(_ text: String, to name: String) throws -> URL {
        try Data(text.utf8).write(to: path(name))
        return path(name)
    }
}
