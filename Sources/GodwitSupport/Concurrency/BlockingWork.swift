/// Runs work that can block for a long time outside the cooperative thread pool.
public enum BlockingWork {
    /// Runs the work on a new thread and returns its result, even if the task is canceled.
    ///
    /// If the system can't create a thread, the work runs on the current one.
    public static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            guard let thread = SystemThread({ continuation.resume(returning: work()) }) else {
                return continuation.resume(returning: work())
            }
            thread.detach()
        }
    }
}

/// A thread's work, as an object that can be passed through C.
final class ThreadWork: Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    /// The start routine of a thread: runs the work that the pointer retains, and releases it.
    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let pointer { Unmanaged<ThreadWork>.fromOpaque(pointer).takeRetainedValue().work() }
        return nil
    }
}
