import GodwitCore
import GodwitSupport

/// One run of a model's work and its waiters. It is canceled when the last waiter leaves, unless it is a background load.
@MainActor
final class Run {
    private var task: Task<Void, Never>?
    /// The waiting tasks of each owner, such as a loader.
    private var waiters: [ObjectIdentifier: Waiters<WaitEnd>] = [:]
    private var ends = Waiters<Void>()
    private var isOver = false
    /// Whether its result became the value.
    var isKept = false
    /// Whether no screen has asked for the result so far.
    private(set) var isPrefetch = false
    /// Whether the work continues when the last waiter leaves: it wasn't begun for one.
    let isBackground: Bool
    private let abandoned: @MainActor (Run) -> Void

    /// - Parameters:
    ///   - isBackground: Whether the work continues without a waiter.
    ///   - abandoned: Called when the last waiter left and the work was canceled.
    init(isBackground: Bool = false, abandoned: @escaping @MainActor (Run) -> Void) {
        self.isBackground = isBackground
        self.abandoned = abandoned
    }

    deinit {
        task?.cancel()
    }

    /// Whether no task waits for the run.
    var isUnawaited: Bool { waiters.isEmpty }

    /// Starts the work. Releasing the run cancels the work, and `notify` isn't called.
    ///
    /// - Parameter notify: Called with the result, also after cancellation.
    func start<Value: Sendable>(
        in scope: CallScope, _ work: @escaping @Sendable () async throws -> Value,
        then notify: @escaping @MainActor (Run, Outcome<Value>) -> Void
    ) {
        task = Task { [weak self] in
            // Replaced before its turn: nothing waits for it.
            if Task.isCancelled { return }
            let outcome = await CallScope.$current.withValue(scope) { await Outcome.of(work) }
            guard let self else { return }
            notify(self, outcome)
            end()
        }
    }

    /// Why a task stopped waiting.
    enum WaitEnd {
        /// The work is over, or the task is canceled.
        case over
        /// The owner dismissed its tasks.
        case dismissed
    }

    /// Waits until the work is over, the calling task is canceled, or the owner dismisses its tasks.
    @discardableResult
    func wait(for owner: AnyObject) async -> WaitEnd {
        if isOver || Task.isCancelled { return .over }
        isPrefetch = false
        let id = ObjectIdentifier(owner)
        let waiter = waiters[id, default: Waiters()].add()
        return await waiter.value { Task { await self.leave(waiter, of: id) } }
    }

    /// Returns when the work is over, without being one that waits for it.
    func ends() async {
        guard !isOver else { return }
        isPrefetch = true
        let waiter = ends.add()
        await waiter.value { waiter.resume() }
    }

    /// Resumes the waiting tasks of an owner. The work continues.
    func dismissTasks(of owner: AnyObject) {
        guard var dismissed = waiters.removeValue(forKey: ObjectIdentifier(owner)) else { return }
        for waiter in dismissed.takeAll() { waiter.resume(returning: .dismissed) }
    }

    /// Cancels the work and resumes all waiters.
    func cancel() {
        task?.cancel()
        end()
    }

    private func end() {
        isOver = true
        let waiting = waiters
        waiters = [:]
        for waiter in ends.takeAll() { waiter.resume() }
        for var waiters in waiting.values {
            for waiter in waiters.takeAll() { waiter.resume(returning: .over) }
        }
    }

    private func leave(_ waiter: Waiter<WaitEnd>, of owner: ObjectIdentifier) {
        guard waiters[owner]?.remove(waiter) == true else { return }
        if waiters[owner]?.isEmpty == true { waiters[owner] = nil }
        waiter.resume(returning: .over)
        guard waiters.isEmpty, !isBackground else { return }
        cancel()
        abandoned(self)
    }
}
