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
/// Releasing the loader cancels its request.
@Observable @MainActor
public final class Loader<Value: Sendable> {
    /// Loads a value.
    public typealias Work = @Sendable () async throws -> Value

    /// The current state.
    public private(set) var state = LoadingState<Value>.idle

    /// The source and date of ``value``, for a loader made with ``init(reading:retryingWith:)``; otherwise `nil`.
    public private(set) var reading: Reading<Value>?

    /// The state to return to on cancellation; never `.loading`.
    @ObservationIgnored private var settled = LoadingState<Value>.idle
    @ObservationIgnored private var run: Run?
    @ObservationIgnored private var steps: Steps
    /// The purpose of the current or failed load.
    @ObservationIgnored private var purpose = LoadingPurpose.show
    @ObservationIgnored private let watch: NetworkReturn?
    @ObservationIgnored private lazy var accounts = AccountMark { [weak self] in self?.leaveAccount() }
    /// Replaces ``reset()`` when the account changes.
    @ObservationIgnored var accountChanged: (@MainActor () -> Void)?

    /// Loads a value and may show readings before the end.
    typealias Steps = @Sendable (_ show: @escaping @MainActor @Sendable (Reading<Value>) -> Void) async throws -> Value

    /// Creates a loader. It doesn't load until asked.
    ///
    /// - Parameters:
    ///   - monitor: If given, loads that failed for lack of a network are retried when the network returns.
    ///   - work: Loads the value. The loader retains it.
    public convenience init(retryingWith monitor: (any PathMonitor)? = nil, _ work: @escaping Work) {
        self.init(monitor) { _ in try await work() }
    }

    private init(_ monitor: (any PathMonitor)?, _ steps: @escaping Steps) {
        self.steps = steps
        watch = monitor.map(NetworkReturn.init)
    }

    /// Creates a loader of an endpoint's response.
    ///
    /// ```swift
    /// let article = Loader(api, .article(id: 42), retryingWith: SystemPathMonitor.shared)
    /// ```
    ///
    /// - Parameter monitor: If given, loads that failed for lack of a network are retried when the network returns.
    public convenience init(
        _ api: APIClient, _ endpoint: Endpoint<Value>, retryingWith monitor: (any PathMonitor)? = nil
    ) {
        self.init(retryingWith: monitor) { try await api.send(endpoint) }
    }

    /// The value to show: the current one, or the last one while another is loaded or failed to load.
    public var value: Value? { state.value }

    /// Why the value couldn't be loaded.
    public var error: NetworkError? { state.error }

    /// Whether a value is being loaded.
    public var isLoading: Bool { state.isLoading }

    /// Whether ``value`` is a stored value that is stale. While ``isLoading``, a fresh one is being loaded.
    public var isStale: Bool { reading?.isStale ?? false }

    /// Loads the value, unless it is loaded. Returns when it is, when loading fails, or when the task is canceled.
    public func load() async {
        if accounts.hasChanged() { leaveAccount() }
        guard !state.isLoaded || isStale, !Task.isCancelled else { return }
        if run == nil { begin(state.error == nil ? .show : purpose) }
        await wait()
    }

    /// Loads the value again, replacing a load in progress.
    ///
    /// Asks the server: calls made by the work use `.reloadRevalidating` instead of the client's cache policy, and
    /// stored models count as stale. An endpoint's own ``Endpoint/cachePolicy(_:)`` takes precedence. A server failure
    /// is an error even if `stale-if-error` allows a stored response; the last value stays.
    public func refresh() async {
        guard !Task.isCancelled else { return }
        if accounts.hasChanged() { leaveAccount() }
        begin(.refresh)
        await wait()
    }

    /// Loads again after a failure; after a failed refresh, refreshes. Otherwise does nothing.
    public func retry() async {
        guard state.error != nil else { return }
        await load()
    }

    /// Cancels the load in progress, and the wait for a network.
    public func cancel() {
        watch?.stop()
        run?.cancel()
        settle()
    }

    /// Cancels the load in progress and removes the value.
    public func reset() {
        settled = .idle
        cancel()
        reading = nil
        if state.isLoaded || state.error != nil { state = .idle }
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
        self.init(monitor, Self.steps(readings))
    }

    /// Sets the work of the next load.
    func load(by work: @escaping Work) {
        steps = { _ in try await work() }
    }

    /// Sets the readings of the next load.
    func load(by readings: Readings<Value>) where Value: Codable {
        steps = Self.steps(readings)
    }

    private static func steps(_ readings: Readings<Value>) -> Steps where Value: Codable {
        { show in
            var last: Value?
            for try await reading in readings {
                await show(reading)
                last = reading.value
            }
            guard let last else { throw CancellationError() }
            return last
        }
    }
}

extension Loader {
    /// Waits for the run in progress, and for those that replace it.
    private func wait() async {
        while let run, !Task.isCancelled { await run.wait() }
    }

    /// Loads the value again, subject to the cache policies.
    func reload() async {
        guard !Task.isCancelled else { return }
        begin(.show)
        await wait()
    }

    /// Whether a run is in progress.
    var isRunning: Bool { run != nil }

    /// Starts a run, replacing the one in progress.
    func begin(_ purpose: LoadingPurpose) {
        watch?.begin()
        self.purpose = purpose
        let former = run
        let next = Run { [weak self] in self?.forget($0) }
        run = next
        former?.cancel()
        state = .loading(last: settled.value)
        let receive: @MainActor @Sendable (Reading<Value>) -> Void = { [weak self, weak next] reading in
            guard let self, let next, next === run else { return }
            show(reading)
        }
        next.start(in: accounts.scope(purpose.cachePolicy), { [steps] in try await steps(receive) }) { [weak self] in
            self?.finish($0, $1)
        }
    }

    /// Shows a reading, unless a newer one is shown.
    private func show(_ reading: Reading<Value>) {
        guard !accounts.isOutdated else { return }
        if reading.source == .store, let shown = self.reading, shown.date > reading.date { return }
        self.reading = reading
        settled = .loaded(reading.value)
        state = .loading(last: reading.value)
    }

    private func finish(_ run: Run, _ outcome: Outcome<Value>) {
        guard run === self.run else { return }
        if accounts.hasChanged() { leaveAccount() }
        guard run === self.run else { return }
        switch outcome {
        case .success(let value): settled = .loaded(reading?.value ?? value)
        case .failure(let error) where error.isCancellation: break
        case .failure(let error): settled = .failed(error, last: settled.value)
        }
        settleAndWaitForNetwork()
    }

    /// Handles a change of account, once.
    private func leaveAccount() {
        _ = accounts.hasChanged()
        if let accountChanged { accountChanged() } else { reset() }
    }

    private func forget(_ run: Run) {
        if run === self.run { settleAndWaitForNetwork() }
    }

    /// Settles, and waits for a network if that may help, also after a canceled retry.
    private func settleAndWaitForNetwork() {
        settle()
        guard settled.error?.mayPassWithNetwork == true else { return }
        watch?.wait { [weak self] in
            guard let self else { return }
            begin(purpose)
        }
    }

    private func settle() {
        run = nil
        if state.isLoading { state = settled }
    }
}
