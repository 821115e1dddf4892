/// A task of URLSession's, with the rules by which it may be stopped.
package struct SessionTask: Sendable {
    private let task: URLSessionTask
    private let queue: OperationQueue

    /// - Parameter queue: The delegate's.
    package init(_ task: URLSessionTask, _ queue: OperationQueue) {
        self.task = task
        self.queue = queue
    }

    /// Begins.
    func start() {
        task.resume()
    }

    /// Ends it soon, unless it has ended by then.
    ///
    /// Always from the delegate's queue: on Linux, cancelling waits for a queue that all sessions share, and whoever
    /// calls from within a lock or a task's cancellation handler holds them all up.
    func cancel(unless hasEnded: @escaping @Sendable () -> Bool) {
        queue.addOperation { [task] in
            guard !hasEnded() else { return }
            task.cancel()
            Platform.settle(task)
        }
    }

    /// Stops receiving for a while; false where that cannot be.
    func hold() -> Bool {
        Platform.hold(task)
    }

    /// Goes on after ``hold()``.
    func release() {
        task.resume()
    }
}
