import GodwitCore

/// One run of a model's work, and those who wait for it. It is cancelled once the last of them has gone.
@MainActor
final class Run {
    private var task: Task<Void, Never>?
    private var waiters: [Int: UnsafeContinuation<Void, Never>] = [:]
    private var lastWaiter = 0
    private var isOver = false
    private let abandoned: @MainActor (Run) -> Void

    /// - Parameter abandoned: Called when the last waiter has gone, and the work was cancelled.
    init(abandoned: @escaping @MainActor (Run) -> Void) {
        self.abandoned = abandoned
    }

    deinit {
        task?.cancel()
    }

    /// Begins the work. Letting go of the run cancels it, and nothing is told.
    ///
    /// - Parameters:
    ///   - scope: What the work's calls have in common.
    ///   - tell: Called with what the work came to, also where the run was cancelled.
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

    /// Returns when the work is over, or the calling task is cancelled.
    func wait() async {
        if isOver || Task.isCancelled { return }
        lastWaiter += 1
        let id = lastWaiter
        await withTaskCancellationHandler {
            await withUnsafeContinuation { waiters[id] = $0 }
        } onCancel: {
            Task { await self.leave(id) }
        }
    }

    /// Cancels the work and lets all go who wait.
    func cancel() {
        task?.cancel()
        end()
    }

    private func end() {
        isOver = true
        defer { waiters = [:] }
        for waiter in waiters.values { waiter.resume() }
    }

    private func leave(_ id: Int) {
        guard let waiter = waiters.removeValue(forKey: id) else { return }
        waiter.resume()
        guard waiters.isEmpty else { return }
        cancel()
        abandoned(self)
    }
}

/// What a model loads its value for.
enum LoadingPurpose {
    /// To show it: what is cached will do.
    case show
    /// To show a newer one.
    case refresh

    /// Takes the place of the client's cache policy.
    var cachePolicy: CachePolicy? {
        self == .refresh ? .reloadRevalidating : nil
    }
}
