#if !canImport(Darwin)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What differs between the systems' C libraries, with Linux's answers.
package enum Platform {
    /// `SOCK_STREAM`, which is an enum in Glibc and a macro in Musl.
    package static let stream: Int32 = 1
    /// Flags for `send`: a peer that is gone is an error and not a signal.
    package static let sendFlags = Int32(MSG_NOSIGNAL)
    /// What `poll` reports once the peer has closed its side.
    static let hangUp = Int16(0x2000)

    /// Sets what every socket needs that `send` flags cannot say.
    package static func prepare(_ descriptor: Int32) {}

    static func length(of address: inout sockaddr_un) {}
    static func length(of address: inout sockaddr_in) {}
    static func length(of address: inout sockaddr_in6) {}
}
#endif
