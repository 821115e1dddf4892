#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The address of a unix-domain socket.
struct LocalAddress {
    private var address = sockaddr_un()

    /// Nil for a path that is longer than an address may be (107 bytes).
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

    /// Calls `bind` or `connect` with the address of a path, whatever its length. Returns -1 with errno on failure.
    ///
    /// A folder whose path is too long is opened, and named by its descriptor.
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

    /// Makes a stream socket that no other program inherits; -1 where that fails.
    static func makeSocket() -> Int32 {
        socket(AF_UNIX, stream | closesOnExec, 0)
    }

    private func with(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var copy = address
        return withUnsafePointer(to: &copy) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    // `SOCK_STREAM` and `SOCK_CLOEXEC`, which are enums in Glibc and macros in Musl, and `O_PATH`, which the C library
    // shows to GNU programs only.
    static let stream: Int32 = 1
    static let closesOnExec: Int32 = 0o2_000_000
    private static let pathOnly: Int32 = 0o10_000_000
}
#endif
