package import GodwitCore
import GodwitSupport

/// A folder that only its owner can access.
package struct PrivateFolder: Sendable {
    /// An absolute path: SQLite reads a name that starts with `file:` as a URI.
    package let path: String

    /// Creates a reference to a folder, which need not exist.
    package init(_ url: URL) {
        self.init(path: url.absoluteURL.path)
    }

    private init(path: String) {
        self.path = path
    }

    /// Creates the folder and its missing parents with mode 0700, and returns it with all symbolic links resolved,
    /// because SQLite follows none.
    ///
    /// Throws `.file` if it can't be created, isn't a folder, or its path has a symbolic link of another user.
    @discardableResult
    package func make() throws(NetworkError) -> PrivateFolder {
        do throws(FolderFault) {
            return PrivateFolder(path: try FolderPath.resolve(path, making: 0o700))
        } catch {
            throw NetworkError(.file(reason: "cannot use the folder \(path): \(error)"), phase: .building)
        }
    }

    /// Runs work while no other process or store creates or removes files in the folder.
    func whileLocked<Value>(_ work: () -> Value) -> Value {
        FileLock.whileLocked(folder: path, work)
    }
}
