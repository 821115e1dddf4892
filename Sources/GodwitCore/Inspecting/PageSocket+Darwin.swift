#if canImport(Darwin)
import Darwin

/// The differences between systems in stream sockets.
enum PageSocket {
    static let streamType = SOCK_STREAM

    static let sendFlags = Int32(0)

    /// Keeps a write to a closed connection from ending the process.
    static func ignoreClosing(of descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}
#endif
