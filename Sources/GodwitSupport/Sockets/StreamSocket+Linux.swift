#if !canImport(Darwin)
import GodwitLibc

extension StreamSocket {
    // `SOCK_STREAM` and `SOCK_CLOEXEC` are enums in Glibc and macros in Musl.
    public static let type: Int32 = 1
    /// The flags of `send`.
    public static let sendFlags = Int32(MSG_NOSIGNAL)
    static let openFlags: Int32 = 0o2_000_000

    /// Does nothing, as the flags of `send` suffice.
    static func silence(_ descriptor: Int32) {}
}
#endif
