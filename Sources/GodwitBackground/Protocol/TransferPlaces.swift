#if os(Linux)
package import GodwitCore
import GodwitLibc

/// The files of `godwit-transferd`. There is one process per folder.
///
/// The socket is in the same folder as the lock, and doesn't depend on `XDG_RUNTIME_DIR`, which is not set in programs
/// started by cron or over ssh: a program that finds the queue finds the process.
package struct TransferPlaces: Sendable, Hashable {
    /// The folder with queue, lock, log, configuration and socket.
    package let folder: URL

    package var queue: URL { folder.appending(path: "transfers.sqlite") }
    package var lock: URL { folder.appending(path: "transferd.lock") }
    package var log: URL { folder.appending(path: "transferd.log") }
    package var socket: URL { folder.appending(path: "transferd.socket") }
    /// The optional configuration file.
    package var configuration: URL { folder.appending(path: "transferd.json") }

    /// Uses this folder.
    package init(folder: URL) {
        self.folder = folder.absoluteURL
    }

    /// Uses the user's folder (XDG Base Directory Specification). Throws `.file` if the environment doesn't say where it is.
    ///
    /// - Parameters:
    ///   - variables: The process's environment variables.
    ///   - home: The user's home folder, used if `HOME` is not set.
    package init(
        variables: [String: String], home: String? = TransferPlaces.homeOfUser
    ) throws(NetworkError) {
        // Relative paths are ignored.
        func folder(_ path: String?) -> URL? {
            path.flatMap { $0.hasPrefix("/") ? URL(filePath: $0, directoryHint: .isDirectory) : nil }
        }
        let homeFolder = folder(variables["HOME"]) ?? folder(home)
        guard let state = folder(variables["XDG_STATE_HOME"]) ?? homeFolder?.appending(path: ".local/state") else {
            throw NetworkError(
                .file(reason: "neither XDG_STATE_HOME nor HOME is set, so the folder for jobs is unknown"),
                phase: .building)
        }
        self.folder = state.appending(path: "godwit", directoryHint: .isDirectory)
    }

    /// The home folder in the user database; `nil` if the user is not in it.
    package static var homeOfUser: String? {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let home = entry.pw_dir
        else { return nil }
        return String(cString: home)
    }
}
#endif
