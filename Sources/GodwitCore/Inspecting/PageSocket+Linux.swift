#if !canImport(Darwin)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The differences between systems in stream sockets.
enum PageSocket {
    /// `SOCK_STREAM`, which is an enum in Glibc and a macro in Musl.
    static let streamType: Int32 = 1

    /// Keeps a write to a closed connection from ending the process.
    static let sendFlags = Int32(MSG_NOSIGNAL)

    static func ignoreClosing(of descriptor: Int32) {}
}
#endif
