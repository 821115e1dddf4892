import Dispatch

/// A call that may block for any length of time, such as a write to a pipe.
///
/// It runs on a separate thread, so that tasks continue. If the task is canceled, the call is abandoned; it then ends with
/// the process.
struct BlockingCall: Sendable {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Returns the result of the call; `nil` if the task is canceled first.
    func run<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value? {
        if Task.isCancelled { return nil }
        let (results, continuation) = AsyncStream.makeStream(of: Value.self)
        queue.async {
            continuation.yield(call())
            continuation.finish()
        }
        var iterator = results.makeAsyncIterator()
        return await iterator.next()
    }
}
