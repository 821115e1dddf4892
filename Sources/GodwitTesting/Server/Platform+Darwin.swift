#if canImport(Darwin)
import Darwin

/// Differences between C libraries: Darwin.
enum Platform {
    /// The event of `poll` when the peer closed its side.
    static let hangUp = Int16(POLLHUP)

    static func length(of address: inout sockaddr_un) { address.sun_len = UInt8(MemoryLayout<sockaddr_un>.size) }
    static func length(of address: inout sockaddr_in) { address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size) }
    static func length(of address: inout sockaddr_in6) { address.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size) }
}
#endif
