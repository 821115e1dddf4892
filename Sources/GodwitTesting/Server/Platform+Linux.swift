#if !canImport(Darwin)
import GodwitLibc

/// Differences between C libraries: Linux.
enum Platform {
    /// The event of `poll` when the peer closed its side.
    static let hangUp = Int16(0x2000)

    static func length(of address: inout sockaddr_un) {}
    static func length(of address: inout sockaddr_in) {}
    static func length(of address: inout sockaddr_in6) {}
}
#endif
