import Observation

/// Calls a closure with an observable value now, and after each change of it, until the task is canceled.
///
/// - Parameter value: Reads the value. `nil` ends the observation, for example if its owner was released.
@MainActor
func observe<Value: Equatable>(_ value: @MainActor () -> Value?, _ act: @MainActor (Value) async -> Void) async {
    var last: Value?
    while !Task.isCancelled {
        let (changes, signal) = AsyncStream.makeStream(of: Void.self)
        guard let current = withObservationTracking(value, onChange: { signal.yield() }) else { return }
        if current != last {
            last = current
            await act(current)
        }
        for await _ in changes { break }
    }
}
