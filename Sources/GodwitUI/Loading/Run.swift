import GodwitCore

/// One run of a model's work and its waiters. It is canceled when the last waiter leaves.
@MainActor
final class Run {
    private var task: Task<Void, Never>?
    private var waiters = Waiters<Void>()
    private var isOver = false
    private let abandoned: @MainActor (Run) -> Void

    /// - Parameter abandoned: Called when the last waiter left and the work was canceled.
    init(abandoned: @escaping @MainActor (Run) -> Void) {
        self.abandoned = abandoned
    }

    deinit {
        task?.cancel()
    }

    /// Starts the work. Releasing the run cancels the work, and `tell` isn't called.
    ///
    /// - Parameter tell: Called with the result, also after cancellation.
    func start<Value: Sendable>(
        in scope: CallScope, _ work: @escaping @Sendable () async throws -> Value,
        then tell: @escaping @MainActor (Run, Outcome<Value>) -> Void
    ) {
        task = Task { [weak self] in
            let outcome = await CallScope.$current.withValue(scope) { await Outcome.of(work) }
            guard let self else { return }
            tell(self, outcome)
            end()
        }
    }

    /// Returns when the work is over, or the calling task is canceled.
    func wait() async {
        if isOver || Task.isCancelled { return }
        let waiter = waiters.add()
        await waiter.value { Task { await self.leave(waiter) } }
    }

    /// Cancels the work and resumes all waiters.
    func cancel() {
        task?.cancel()
        end()
    }

    private func end() {
        isOver = true
        for waiter in waiters.takeAll() { waiter.resume() }
    }

    private func leave(_ waiter: Waiter<Void>) {
        guard waiters.remove(waiter) else { return }
        waiter.resume()
        guard waiters.isEmpty else { return }
        cancel()
        abandoned(self)
    }
}

/// Why a value is loaded.
enum LoadingPurpose {
    /// To show it; a cached value suffices.
    case show
    /// To show a newer one.
    case refresh

    /// The policy that replaces the client's.
    var cachePolicy: CachePolicy? {
        self == .refresh ? .reloadRevalidating : nil
    }
}
