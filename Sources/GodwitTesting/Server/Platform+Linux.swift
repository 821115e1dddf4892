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

/// A thread of the system's, with a small stack, for work that blocks.
package struct SystemThread: Sendable {
    private let handle: pthread_t

    /// Starts the work; nil where the system has no thread left.
    package init?(_ work: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, ThreadWork.stackSize)
        var handle = pthread_t()
        let argument = Unmanaged.passRetained(ThreadWork(work))
        let code = pthread_create(
            &handle, &attributes,
            { argument in
                if let argument { ThreadWork.run(argument) }
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
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
