/// One loading of a stub: returns the answer once, unless loading was stopped. A pure value.
package struct StubLoading<Answer: Sendable>: Sendable {
    /// The action when loading starts.
    package enum Start: Sendable {
        /// Ask for the answer.
        case ask
        /// The answer has already arrived: pass it to the client.
        case play(Answer)
    }

    private var work: Task<Void, Never>?
    private var answer: Answer?
    private var hasAnswered = false
    private var isStopped = false

    package init() {}

    /// Starts loading. On Linux, called again to pass the answer on the loading queue.
    package mutating func start() -> Start {
        isStopped = false
        return answer.take().map(Start.play) ?? .ask
    }

    /// Stores the task that gets the answer, to be canceled by ``stop()``. Returns false if loading was stopped before.
    package mutating func begin(_ work: Task<Void, Never>) -> Bool {
        guard !isStopped, !hasAnswered else { return hasAnswered }
        self.work = work
        return true
    }

    /// Stores the answer for ``start()`` or ``takeAnswer()``.
    package mutating func receive(_ answer: Answer) {
        self.answer = answer
        hasAnswered = true
        work = nil
    }

    /// The answer for the client; `nil` if loading was stopped, or the client has it.
    package mutating func takeAnswer() -> Answer? {
        isStopped ? nil : answer.take()
    }

    /// Stops loading: the client gets nothing from here on. Returns the task to cancel.
    package mutating func stop() -> Task<Void, Never>? {
        isStopped = true
        return work.take()
    }
}
