import Dispatch
import Synchronization

/// A call that may block for as long as another program likes.
///
/// It runs on a thread of its own, so that tasks go on, and is no longer waited for once the task is cancelled. What
/// still blocks then ends with the process.
struct BlockingCall: Sendable {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// What the call returns; nil where the task was cancelled first.
    func run<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value? {
        let waiting = Waiting<Value>()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard waiting.begin(continuation) else { return continuation.resume(returning: nil) }
                queue.async { waiting.end(with: call()) }
            }
        } onCancel: {
            waiting.end(with: nil)
        }
    }
}

/// The one place that resumes the caller, once.
private final class Waiting<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case new
        case waiting(CheckedContinuation<Value?, Never>)
        case done
    }

    private let state = Mutex(State.new)

    /// False where it has ended before it began.
    func begin(_ continuation: CheckedContinuation<Value?, Never>) -> Bool {
        state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
    }

    func end(with value: Value?) {
        let last = state.withLock { state in
            defer { state = .done }
            return state
        }
        if case .waiting(let continuation) = last { continuation.resume(returning: value) }
    }
}
