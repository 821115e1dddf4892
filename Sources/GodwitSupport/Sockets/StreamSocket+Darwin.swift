#if canImport(Darwin)
import Darwin

extension StreamSocket {
    public static let type = SOCK_STREAM
    /// The flags of `send`.
    public static let sendFlags: Int32 = 0
    static let openFlags: Int32 = 0

    static func silence(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}
#endif
