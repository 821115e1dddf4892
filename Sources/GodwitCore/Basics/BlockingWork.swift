/// Work that may block for as long as another program likes, off the threads that tasks run on.
package enum BlockingWork {
    /// Does the work on a thread of its own, and returns what it returns. A cancelled task waits too.
    ///
    /// Where the system has no thread left, the caller's is used.
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            guard let thread = SystemThread({ continuation.resume(returning: work()) }) else {
                return continuation.resume(returning: work())
            }
            thread.detach()
        }
    }
}

/// What a thread is to do, in the form in which it passes through C.
final class ThreadWork: Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    /// Does the work that the pointer retains, and releases it: the start routine of a thread.
    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let pointer { Unmanaged<ThreadWork>.fromOpaque(pointer).takeRetainedValue().work() }
        return nil
    }
}
