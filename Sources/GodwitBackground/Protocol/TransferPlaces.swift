package import GodwitCore

/// Where the transferring process keeps things. The same folder means the same process.
package struct TransferPlaces: Sendable, Hashable {
    /// The folder with queue, lock and log.
    package let folder: URL
    /// The folder with the socket.
    package let socketFolder: URL

    package var queue: URL { folder.appending(path: "transfers.sqlite") }
    package var lock: URL { folder.appending(path: "transferd.lock") }
    package var log: URL { folder.appending(path: "transferd.log") }
    package var socket: URL { socketFolder.appending(path: "transferd.socket") }

    package init(folder: URL, socketFolder: URL) {
        self.folder = folder.absoluteURL
        self.socketFolder = socketFolder.absoluteURL
    }

    /// Everything in one folder.
    package init(folder: URL) {
        self.init(folder: folder, socketFolder: folder)
    }

    /// The user's own places (XDG Base Directory Specification). Throws `.file` where nothing says where they are.
    package init(variables: [String: String]) throws(NetworkError) {
        // A path that is not absolute counts as none.
        func folder(_ name: String) -> URL? {
            variables[name].flatMap { $0.hasPrefix("/") ? URL(filePath: $0, directoryHint: .isDirectory) : nil }
        }
        guard let state = folder("XDG_STATE_HOME") ?? folder("HOME")?.appending(path: ".local/state") else {
            throw NetworkError(
                .file(reason: "neither XDG_STATE_HOME nor HOME says where jobs are kept"), phase: .building)
        }
        self.folder = state.appending(path: "godwit", directoryHint: .isDirectory)
        socketFolder = folder("XDG_RUNTIME_DIR")?.appending(path: "godwit", directoryHint: .isDirectory) ?? self.folder
    }
}
