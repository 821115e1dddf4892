// For platforms where `pthread_t` is a pointer: Darwin and Musl.
#if !canImport(Glibc)
#if canImport(Darwin)
import Darwin
#else
import Musl
#endif

/// A system thread, with a small stack by default, for work that blocks.
public struct SystemThread: Sendable {
    // Safe: an opaque handle that is only passed back to the system.
    private nonisolated(unsafe) let handle: pthread_t

    /// Starts the work; nil if the system has no thread left.
    ///
    /// - Parameter stackSize: Bytes; `nil` means the system's default.
    public init?(stackSize: Int? = 256 << 10, _ work: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
        var handle: pthread_t?
        let argument = Unmanaged.passRetained(ThreadWork(work))
        let code = pthread_create(
            &handle, &attributes,
            { ThreadWork.run($0) }, argument.toOpaque())
        guard code == 0, let handle else {
            argument.release()
            return nil
        }
        self.handle = handle
    }

    /// Waits until the work has finished.
    public func join() { pthread_join(handle, nil) }

    /// Detaches the thread, so that it is freed when the work has finished.
    public func detach() { pthread_detach(handle) }
}
#endif
