import Godwit
import TestSupport

// Command lines are of text.
extension TemporaryFolder {
    func path(_ name: String) -> String { url.appending(path: name).path }

    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        return path(name)
    }
}
