import Synchronization

/// Passes the elements that a task produces, one at a time, to the thread of a connection.
///
/// The thread sleeps in `poll`, so that it also detects that its client disconnects. The task suspends until each element was
/// taken.
final class Handoff<Element: Sendable>: Sendable {
    enum Delivery: Sendable {
        case element(Element)
        /// The task finished.
        case end
        /// The task failed.
        case failure(any Error)
        /// The client disconnected, and the task was canceled.
        case clientGone
    }

    private struct State: Sendable {
        var element: Element?
        var ending: Delivery?
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let state = Watched(State())
    private let pipe: WakePipe

    init(waking pipe: WakePipe) {
        self.pipe = pipe
    }

    /// Starts the task that produces the elements.
    func start(_ produce: @escaping @Sendable (Handoff) async throws -> Void) {
        let task = Task {
            do {
                try await produce(self)
                end(.end)
            } catch {
                end(.failure(error))
            }
        }
        let isCancelled = state.update { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Passes on an element once the previous one was taken.
    func put(_ element: Element) async throws(CancellationError) {
        try await state.wait { $0.element == nil }
        state.update { $0.element = element }
        pipe.wake()
    }

    private func end(_ ending: Delivery) {
        state.update { state in
            state.ending = ending
            state.task = nil
        }
        pipe.wake()
    }

    /// Blocks until the next element, the end, or the client disconnects.
    func take(watching socket: any ServerStream) -> Delivery {
        while true {
            if let delivery = takeReady() { return delivery }
            guard socket.wait(for: pipe) else {
                cancel()
                return .clientGone
            }
            pipe.drain()
        }
    }

    private func takeReady() -> Delivery? {
        state.update { state in
            if let element = state.element {
                state.element = nil
                return .element(element)
            }
            return state.ending
        }
    }

    /// Cancels the task.
    func cancel() {
        let task = state.update { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
