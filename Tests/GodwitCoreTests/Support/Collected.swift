import Synchronization

/// Collects values from any task, in the order they came.
final class Collected<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])

    var values: [Value] { state.withLock { $0 } }

    func append(_ value: Value) {
        state.withLock { $0.append(value) }
    }
}

/// Counts how many are inside at once, and the most there ever were.
final class Crowd: Sendable {
    private let state = Mutex((inside: 0, peak: 0))

    var peak: Int { state.withLock { $0.peak } }

    func enter() {
        state.withLock { state in
            state.inside += 1
            state.peak = max(state.peak, state.inside)
        }
    }

    func leave() {
        state.withLock { $0.inside -= 1 }
    }
}
