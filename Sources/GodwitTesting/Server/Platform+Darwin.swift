#if canImport(Darwin)
import Darwin

/// Differences between C libraries: Darwin.
package enum Platform {
    /// `SOCK_STREAM`.
    package static let stream = SOCK_STREAM
    /// The flags for `send`; ``prepare(_:)`` disables the signal.
    package static let sendFlags: Int32 = 0
    /// The event of `poll` when the peer closed its side.
    static let hangUp = Int16(POLLHUP)

    /// Makes a write to a closed connection an error instead of a signal.
    package static func prepare(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    static func length(of address: inout sockaddr_un) { address.sun_len = UInt8(MemoryLayout<sockaddr_un>.size) }
    static func length(of address: inout sockaddr_in) { address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size) }
    static func length(of address: inout sockaddr_in6) { address.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size) }
}
#endif
