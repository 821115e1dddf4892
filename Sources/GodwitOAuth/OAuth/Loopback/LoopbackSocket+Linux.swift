#if !canImport(Darwin)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitCore

/// Differences between the C libraries, for Linux.
enum LoopbackPlatform {
    /// `SOCK_STREAM`, which is an enum in Glibc and a macro in Musl.
    static let stream: Int32 = 1
    /// Flags for `send`: writing to a closed connection is an error, not a signal.
    static let sendFlags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

    /// Does nothing, as the flags of `send` suffice.
    static func prepare(_ descriptor: Int32) {}
}
#endif
