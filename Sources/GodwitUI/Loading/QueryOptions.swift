/// When a value of a ``QueryStore`` is loaded again, and how long it is kept.
///
/// ```swift
/// let article = Loader(queries, .article(id: 42)) {
///     $0.staleAfter = .zero
///     $0.refetchInterval = .seconds(60)
/// }
/// ```
///
/// What identifies a value isn't an option of a loader, but of the endpoint: `Endpoint.modelKey(_:)`.
public struct QueryOptions: Sendable {
    /// The age at which ``Loader/load()`` loads the value again. 30 seconds by default; zero loads whenever a screen
    /// appears.
    public var staleAfter: Duration = .seconds(30)

    /// How long a value is kept after its last loader was released. Five minutes by default.
    public var unusedLifetime: Duration = .seconds(300)

    /// What else loads a stale value again while ``Loader/keepFresh()`` or ``PageLoader/keepFresh()`` runs. All by
    /// default.
    public var refetchTriggers: Set<RefetchTrigger> = [.focus, .reconnect]

    /// How often the value is loaded while ``Loader/keepFresh()`` or ``PageLoader/keepFresh()`` runs and the app has the
    /// focus. `nil` (the default) means never. Less than a second counts as one.
    public var refetchInterval: Duration?

    /// Names for ``QueryStore/invalidate(tags:)``.
    public var tags: Set<String> = []

    /// Creates the default options.
    public init() {}

    /// An event after which values may have changed.
    public enum RefetchTrigger: Sendable, Hashable, CaseIterable {
        /// The app got the focus: ``QueryStore/hasFocus``.
        case focus
        /// The network returned, or changed.
        case reconnect
    }
}
