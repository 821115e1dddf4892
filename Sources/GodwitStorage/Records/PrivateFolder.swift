package import GodwitCore
import GodwitLibc
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

    /// Runs work while no other process or store creates or removes files in the folder; not at all without its lock. A
    /// missing folder needs no lock.
    func whileLocked<Value>(_ work: () -> Value) -> Result<Value, FileLock.Fault> {
        // A cache isn't worth a longer wait.
        let outcome = FileLock(at: "\(path)/records.lock").whileHeld(patience: .seconds(1), work)
        guard case .failure(.system(let code)) = outcome, code == ENOENT || code == ENOTDIR else { return outcome }
        return .success(work())
    }
}
