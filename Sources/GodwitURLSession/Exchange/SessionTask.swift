/// A URLSession task that can be stopped safely.
package struct SessionTask: Sendable {
    private let task: URLSessionTask
    private let queue: OperationQueue

    package init(_ task: URLSessionTask, _ queue: OperationQueue) {
        self.task = task
        self.queue = queue
    }

    /// Starts the task.
    func start() {
        task.resume()
    }

    /// Cancels the task soon, unless it has ended by then.
    ///
    /// Runs on the delegate's queue: on Linux, canceling waits for a queue shared by all sessions, which must not
    /// happen in a lock or a cancellation handler.
    func cancel(unless hasEnded: @escaping @Sendable () -> Bool) {
        queue.addOperation { [task] in
            guard !hasEnded() else { return }
            task.cancel()
            Platform.settle(task)
        }
    }

    /// Pauses receiving; false if that isn't possible.
    func hold() -> Bool {
        Platform.hold(task)
    }

    /// Continues after ``hold()``.
    func release() {
        task.resume()
    }
}
