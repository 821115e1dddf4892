#if canImport(Darwin)
import Darwin

/// What differs between the systems' C libraries, with Darwin's answers.
enum LoopbackPlatform {
    /// `SOCK_STREAM`.
    static let stream = SOCK_STREAM
    /// Flags for `send`; the signal is turned off by ``prepare(_:)``.
    static let sendFlags = Int32(MSG_DONTWAIT)

    /// Makes a peer that is gone an error and not a signal.
    static func prepare(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}
#endif
