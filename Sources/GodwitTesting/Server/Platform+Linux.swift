#if !canImport(Darwin)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Differences between C libraries: Linux.
package enum Platform {
    /// `SOCK_STREAM`, which is an enum in Glibc and a macro in Musl.
    package static let stream: Int32 = 1
    /// The flags for `send`: a write to a closed connection is an error instead of a signal.
    package static let sendFlags = Int32(MSG_NOSIGNAL)
    /// The event of `poll` when the peer closed its side.
    static let hangUp = Int16(0x2000)

    /// Does nothing: ``sendFlags`` is enough.
    package static func prepare(_ descriptor: Int32) {}

    static func length(of address: inout sockaddr_un) {}
    static func length(of address: inout sockaddr_in) {}
    static func length(of address: inout sockaddr_in6) {}
}
#endif
