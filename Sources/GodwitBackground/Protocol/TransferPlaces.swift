#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
package import GodwitCore

/// Where the transferring process keeps things. The same folder means the same process.
///
/// The socket stands beside the lock, and so does not depend on variables such as `XDG_RUNTIME_DIR`, which a program
/// started by cron or over ssh lacks: whoever finds the queue finds the process.
package struct TransferPlaces: Sendable, Hashable {
    /// The folder with queue, lock, log, configuration and socket.
    package let folder: URL

    package var queue: URL { folder.appending(path: "transfers.sqlite") }
    package var lock: URL { folder.appending(path: "transferd.lock") }
    package var log: URL { folder.appending(path: "transferd.log") }
    package var socket: URL { folder.appending(path: "transferd.socket") }
    /// What the process is told other than by its command line; need not exist.
    package var configuration: URL { folder.appending(path: "transferd.json") }

    /// Everything in one folder.
    package init(folder: URL) {
        self.folder = folder.absoluteURL
    }

    /// The user's own places (XDG Base Directory Specification). Throws `.file` if nothing says where they are.
    ///
    /// - Parameters:
    ///   - variables: The process's environment variables.
    ///   - home: The home folder that the system knows of the user, for a process that has no `HOME`.
    package init(
        variables: [String: String], home: String? = TransferPlaces.homeOfUser
    ) throws(NetworkError) {
        // A path that is not absolute counts as none.
        func folder(_ path: String?) -> URL? {
            path.flatMap { $0.hasPrefix("/") ? URL(filePath: $0, directoryHint: .isDirectory) : nil }
        }
        let homeFolder = folder(variables["HOME"]) ?? folder(home)
        guard let state = folder(variables["XDG_STATE_HOME"]) ?? homeFolder?.appending(path: ".local/state") else {
            throw NetworkError(
                .file(reason: "neither XDG_STATE_HOME nor HOME says where jobs are kept"), phase: .building)
        }
        self.folder = state.appending(path: "godwit", directoryHint: .isDirectory)
    }

    /// The home folder in the system's list of users; nil if the user is not in it.
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
