#if canImport(Darwin)
import Darwin
import GodwitCore

/// Differences between the C libraries, for Darwin.
enum LoopbackPlatform {
    /// `SOCK_STREAM`.
    static let stream = SOCK_STREAM
    /// Flags for `send`; the signal is disabled by ``prepare(_:)``.
    static let sendFlags = Int32(MSG_DONTWAIT)

    /// Makes writing to a closed connection an error instead of a signal.
    static func prepare(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}
#endif
