public import GodwitCore
public import Observation

/// Loads a value for a screen and publishes its state.
///
/// ```swift
/// let article = Loader { try await api.send(.article(id: 42)) }
/// await article.load()                     // SwiftUI: .task { await article.load() }
/// await article.refresh()                  // SwiftUI: .refreshable { await article.refresh() }
/// ```
///
/// - **One result**: only one load counts. ``load()`` joins the one in progress; ``refresh()`` replaces it and discards
///   its result.
/// - **Refreshing** bypasses the HTTP cache: see ``refresh()``.
/// - **Cancellation** isn't an error. When the last task waiting for a load is canceled, as SwiftUI does when the
///   screen disappears, the request is canceled and ``state`` returns to what it was. The same applies to ``cancel()``.
/// - **The last value** stays visible while another is loaded, and if that fails.
/// - **Errors** other than `NetworkError` become `.transport(.other)`, with the original as `underlying`.
/// - **Accounts**: when the account of a client used by the work changes, for example on sign-out, the value is
///   removed immediately.
///
/// Releasing the loader cancels its request, unless another loader of a ``QueryStore`` shares it.
@Observable @MainActor
public final class Loader<Value: Sendable> {
    /// A function that loads the value.
    public typealias Work = @Sendable () async throws -> Value

    /// The value, of this loader alone or shared through a store.
    var query: Query<Value>
    /// Whether the value of the query is shown: not after ``reset()`` of a loader that shares it.
    private var isShowing = true
    /// The difference between the count of a query that replaced another one and that of the loader.
    @ObservationIgnored private var resetsBefore = 0
    /// The store's rules and the registration with the query; `nil` for a loader without a store.
    @ObservationIgnored var observer: QueryObserver?

    /// Creates a loader. It doesn't load until asked.
    ///
    /// - Parameters:
    ///   - monitor: If given, loads that failed for lack of a network are retried when the network returns.
    ///   - work: Loads the value. The loader retains it.
    public convenience init(retryingWith monitor: (any PathMonitor)? = nil, _ work: @escaping Work) {
        self.init(Query(monitor) { _ in LoadedValue(value: try await work()) })
    }

    init(_ query: Query<Value>) {
        self.query = query
    }

    /// Creates a loader of an endpoint's response.
    ///
    /// ```swift
    /// let article = Loader(api, .article(id: 42), retryingWith: SystemPathMonitor.shared)
    /// ```
    ///
    /// - Parameters:
    ///   - api: Sends the request.
    ///   - endpoint: The endpoint whose response is loaded.
    ///   - monitor: If given, loads that failed for lack of a network are retried when the network returns.
    public convenience init(
        _ api: APIClient, _ endpoint: Endpoint<Value>, retryingWith monitor: (any PathMonitor)? = nil
    ) {
        self.init(retryingWith: monitor) { try await api.send(endpoint) }
    }

    /// The state of the value: idle, loading, loaded or failed.
    public var state: LoadingState<Value> { isShowing ? query.state : .idle }

    /// The source and date of ``value``, for a loader made with ``init(reading:retryingWith:)`` or of a store with
    /// models; otherwise `nil`.
    public var reading: Reading<Value>? { isShowing ? query.reading : nil }

    /// The value to show: the current one, or the last one while another is loaded or failed to load.
    public var value: Value? { state.value }

    /// Why the value couldn't be loaded.
    public var error: NetworkError? { state.error }

    /// Whether a value is being loaded.
    public var isLoading: Bool { state.isLoading }

    /// Whether ``value`` is a stored value that is stale, or known to be outdated. While ``isLoading``, a fresh one is
    /// being loaded.
    public var isStale: Bool { isShowing && query.isStale }

    /// How often the value was removed because the account changed.
    package var resetCount: Int { query.loads.resetCount - resetsBefore }

    /// Loads the value, unless it is loaded. Returns when it is, when loading fails, or when the task is canceled.
    ///
    /// A loader of a ``QueryStore`` loads again if the value is older than ``QueryOptions/staleAfter``.
    public func load() async {
        isShowing = true
        await query.load(maxAge: observer?.maxAge, for: self)
    }

    /// Loads the value again, replacing a load in progress.
    ///
    /// Asks the server: calls made by the work use `.reloadRevalidating` instead of the client's cache policy, and
    /// stored models count as stale. An endpoint's own `Endpoint.cachePolicy(_:)` takes precedence. A server failure
    /// is an error even if `stale-if-error` allows a stored response; the last value stays.
    public func refresh() async {
        isShowing = true
        await query.loads.load(.refresh, for: self)
    }

    /// Loads again after a failure; after a failed refresh, refreshes. Otherwise does nothing.
    public func retry() async {
        guard state.error != nil else { return }
        await load()
    }

    /// Cancels the load in progress, and the wait for a network. A load that another loader waits for continues.
    public func cancel() {
        query.cancel(for: self, isAlone: isAlone)
    }

    private var isAlone: Bool { observer?.isAlone ?? true }

    /// Cancels the load in progress and removes the value. A value shared with other loaders stays in its store.
    public func reset() {
        guard observer != nil else { return query.reset() }
        query.cancel(for: self, isAlone: isAlone)
        isShowing = false
    }
}

extension Loader {
    /// Creates a loader of readings: shows the stored value immediately, then the fresh one.
    ///
    /// ```swift
    /// let article = Loader(reading: api.reading(.article(id: 42), from: models))
    /// await article.load()                     // article.value, article.isStale
    /// ```
    ///
    /// A stored value that is fresh becomes ``LoadingState/loaded(_:)``, and nothing is sent. A stale one is shown
    /// while the fresh one is loaded (``isStale``, and ``LoadingState/loading(last:)``), and stays with the error if
    /// that fails. A value never replaces a newer one.
    ///
    /// - Parameters:
    ///   - readings: The stored value, then the fresh one.
    ///   - monitor: If given, loads that failed for lack of a network are retried when the network returns.
    public convenience init(reading readings: Readings<Value>, retryingWith monitor: (any PathMonitor)? = nil)
    where Value: Codable {
        self.init(Query(monitor, Query.steps(readings)))
    }

    /// Sets the work of the next load.
    func load(by work: @escaping Work) {
        query.steps = { _ in LoadedValue(value: try await work()) }
    }

    /// Sets the readings of the next load.
    func load(by readings: Readings<Value>) where Value: Codable {
        query.steps = Query.steps(readings)
    }

    /// Loads the value again, subject to the cache policies.
    func reload() async { await query.loads.load(.next, for: self) }

    /// Shows another query of a store.
    func show(_ query: Query<Value>, _ observer: QueryObserver) {
        self.query.cancel(for: self, isAlone: isAlone)
        resetsBefore += query.loads.resetCount - self.query.loads.resetCount
        self.query = query
        self.observer = observer
        isShowing = true
    }
}

extension Query {
    /// The steps of readings, the last of which is the value.
    static func steps(_ readings: Readings<Value>) -> Steps where Value: Codable {
        { show in
            var last: Reading<Value>?
            for try await reading in readings {
                await show(reading)
                last = reading
            }
            guard let last else { throw CancellationError() }
            return LoadedValue(value: last.value, etag: last.etag)
        }
    }
}
