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

/// A thread of the system's, with a small stack, for work that blocks.
package struct SystemThread: Sendable {
    private nonisolated(unsafe) let handle: pthread_t

    /// Starts the work; nil where the system has no thread left.
    package init?(_ work: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, ThreadWork.stackSize)
        var handle: pthread_t?
        let argument = Unmanaged.passRetained(ThreadWork(work))
        let code = pthread_create(
            &handle, &attributes,
            { argument in
                ThreadWork.run(argument)
                return nil
            }, argument.toOpaque())
        guard code == 0, let handle else {
            argument.release()
            return nil
        }
        self.handle = handle
    }

    /// Waits for the work's end.
    package func join() { pthread_join(handle, nil) }

    /// Lets the thread go by itself at the work's end.
    package func detach() { pthread_detach(handle) }
}
#endif
