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
    init?(_ path: String) {
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let isCopied = withUnsafeMutableBytes(of: &address.sun_path) { place in
            guard bytes.count < place.count else { return false }
            place.copyBytes(from: bytes)
            return true
        }
        guard isCopied else {
            errno = ENAMETOOLONG
            return nil
        }
    }

    /// Makes a stream socket that no other program inherits; -1 where that fails.
    static func makeSocket() -> Int32 {
        socket(AF_UNIX, stream | closesOnExec, 0)
    }

    func with(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var copy = address
        return withUnsafePointer(to: &copy) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    // `SOCK_STREAM` and `SOCK_CLOEXEC`, which are enums in Glibc and macros in Musl.
    private static let stream: Int32 = 1
    static let closesOnExec: Int32 = 0o2_000_000
}
#endif
