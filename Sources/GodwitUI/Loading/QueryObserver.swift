import GodwitCore
import GodwitSupport

/// A loader that observes a value, which other loaders may observe too. Releasing it leaves the value.
final class QueryObserver: Sendable {
    let options: QueryOptions
    /// Loads the value again by the rules of the options, until the task is canceled.
    let keepFresh: @MainActor @Sendable () async -> Void
    private let isOnly: @MainActor @Sendable () -> Bool
    private let leave: @MainActor @Sendable () -> Void

    /// - Parameters:
    ///   - isOnly: Whether no other loader uses the value.
    ///   - leave: Called on the main actor when the loader is released.
    init(
        _ options: QueryOptions, keepFresh: @escaping @MainActor @Sendable () async -> Void,
        isOnly: @escaping @MainActor @Sendable () -> Bool, leave: @escaping @MainActor @Sendable () -> Void
    ) {
        self.options = options
        self.keepFresh = keepFresh
        self.isOnly = isOnly
        self.leave = leave
    }

    deinit {
        Task { @MainActor [leave] in leave() }
    }

    /// Whether no other loader uses the value.
    @MainActor var isAlone: Bool { isOnly() }

    /// The age at which the loader loads the value again.
    var maxAge: Duration { options.staleAfter }
}

extension Task where Success == Never, Failure == Never {
    /// Returns when the current task is canceled.
    static func untilCancelled() async {
        let waiter = Waiter<Void>()
        await waiter.value { waiter.resume() }
    }
}
