#if os(Linux)
import GodwitLibc

/// The address of a Unix domain socket.
struct LocalAddress {
    private var address = sockaddr_un()

    /// `nil` if the path is too long for an address (107 bytes).
    private init?(_ path: String) {
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let isCopied = withUnsafeMutableBytes(of: &address.sun_path) { place in
            guard bytes.count < place.count else { return false }
            place.copyBytes(from: bytes)
            return true
        }
        if !isCopied { return nil }
    }

    /// Calls `bind` or `connect` with the address of a path of any length. Returns -1 with errno on failure.
    ///
    /// If the path is too long, its folder is opened, and the address uses the folder's descriptor.
    static func with(_ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        if let address = LocalAddress(path) { return address.with(call) }
        guard let slash = path.lastIndex(of: "/") else {
            errno = ENAMETOOLONG
            return -1
        }
        let folder = open(String(path[...slash]), pathOnly | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return -1 }
        defer {
            let code = errno
            close(folder)
            errno = code
        }
        guard let address = LocalAddress("/proc/self/fd/\(folder)/\(path[path.index(after: slash)...])") else {
            errno = ENAMETOOLONG
            return -1
        }
        return address.with(call)
    }

    private func with(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var copy = address
        return withUnsafePointer(to: &copy) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    // The C library declares `O_PATH` only for GNU programs.
    private static let pathOnly: Int32 = 0o10_000_000
}
#endif
