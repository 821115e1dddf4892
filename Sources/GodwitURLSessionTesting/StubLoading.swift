/// One loading of a stub: waits for the answer, and gives it out once, unless the loading was stopped. A pure value.
package struct StubLoading<Answer: Sendable>: Sendable {
    /// What to do when loading starts.
    package enum Start: Sendable {
        /// Ask for the answer.
        case ask
        /// It came meanwhile: give it to the client.
        case play(Answer)
    }

    private var work: Task<Void, Never>?
    private var answer: Answer?
    private var hasAnswered = false
    private var isStopped = false

    package init() {}

    /// Loading starts; on Linux, a second time to hand over the answer on the loading queue.
    package mutating func start() -> Start {
        isStopped = false
        return answer.take().map(Start.play) ?? .ask
    }

    /// What asks for the answer, to be canceled by ``stop()``. Returns false if that came first.
    package mutating func begin(_ work: Task<Void, Never>) -> Bool {
        guard !isStopped, !hasAnswered else { return hasAnswered }
        self.work = work
        return true
    }

    /// The answer is there, and waits for ``start()`` or ``takeAnswer()``.
    package mutating func receive(_ answer: Answer) {
        (self.answer, hasAnswered, work) = (answer, true, nil)
    }

    /// The answer to give to the client now; nil if the loading was stopped, or has it already.
    package mutating func takeAnswer() -> Answer? {
        isStopped ? nil : answer.take()
    }

    /// Loading is stopped: nothing is given to the client any more. Returns what to cancel.
    package mutating func stop() -> Task<Void, Never>? {
        isStopped = true
        return work.take()
    }
}
