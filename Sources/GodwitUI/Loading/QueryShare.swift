/// A loader's part in a query that it may share with other loaders. Releasing it leaves the query.
final class QueryShare: Sendable {
    /// The age at which the loader loads the value again.
    let maxAge: Duration
    private let leave: @MainActor @Sendable () -> Void

    /// - Parameter leave: Called on the main actor when the loader is released.
    init(maxAge: Duration, leave: @escaping @MainActor @Sendable () -> Void) {
        self.maxAge = maxAge
        self.leave = leave
    }

    deinit {
        Task { @MainActor [leave] in leave() }
    }
}
