#if canImport(Darwin)
import Darwin

/// What differs between the systems' C libraries, with Darwin's answers.
package enum Platform {
    /// `SOCK_STREAM`.
    package static let stream = SOCK_STREAM
    /// Flags for `send`; the signal is turned off by ``prepare(_:)``.
    package static let sendFlags: Int32 = 0
    /// What `poll` reports once the peer has closed its side.
    static let hangUp = Int16(POLLHUP)

    /// Sets what every socket needs that `send` flags cannot say: a peer that is gone is an error and not a signal.
    package static func prepare(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    static func length(of address: inout sockaddr_un) { address.sun_len = UInt8(MemoryLayout<sockaddr_un>.size) }
    static func length(of address: inout sockaddr_in) { address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size) }
    static func length(of address: inout sockaddr_in6) { address.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size) }
}
#endif
