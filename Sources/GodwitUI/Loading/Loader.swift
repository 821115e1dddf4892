public import GodwitCore
public import Observation

/// Loads a value for a screen, and knows how that stands.
///
/// ```swift
/// let article = Loader { try await api.send(.article(id: 42)) }
/// await article.load()                     // SwiftUI: .task { await article.load() }
/// await article.refresh()                  // SwiftUI: .refreshable { await article.refresh() }
/// ```
///
/// - **One result**: at most one loading counts. ``load()`` joins the one under way; ``refresh()`` takes its place, and
///   what the former one comes to is thrown away.
/// - **A refresh** asks the server, past the HTTP cache: see ``refresh()``.
/// - **Cancelling** is no error: when the last task that waits for a loading is cancelled, as a screen's task is when the
///   screen goes, the request ends, and ``state`` is what it was before. So does ``cancel()``.
/// - **The last value** stays visible while another is loaded, and when that fails.
/// - **Errors** that are no `NetworkError` become `.transport(.other)`, with themselves as its `underlying`.
/// - **The account**: when the account changes of a client that the work makes calls with, as at a sign-out, the value is
///   forgotten at once.
///
/// Letting go of the loader ends its request.
@Observable @MainActor
public final class Loader<Value: Sendable> {
    /// What is loaded by.
    public typealias Work = @Sendable () async throws -> Value

    /// How it stands.
    public private(set) var state = LoadingState<Value>.idle

    /// Where ``value`` was taken from and when it came, for a loader of ``init(reading:retryingWith:)``; nil for others.
    public private(set) var reading: Reading<Value>?

    /// Where it goes back to when it is cancelled: never `.loading`.
    @ObservationIgnored private var settled = LoadingState<Value>.idle
    @ObservationIgnored private var run: Run?
    @ObservationIgnored private var steps: Steps
    /// What is being loaded for, or was when it failed.
    @ObservationIgnored private var purpose = LoadingPurpose.show
    @ObservationIgnored private let watch: NetworkReturn?
    @ObservationIgnored private lazy var accounts = AccountMark { [weak self] in self?.leaveAccount() }
    /// Takes the place of ``reset()`` when the account changes.
    @ObservationIgnored var accountChanged: (@MainActor () -> Void)?

    /// Loads a value, and may show readings of it on the way.
    typealias Steps = @Sendable (_ show: @escaping @MainActor @Sendable (Reading<Value>) -> Void) async throws -> Value

    /// Makes a loader; it does not begin by itself.
    ///
    /// - Parameters:
    ///   - monitor: Where given, what failed for want of a network is loaded again once the network is back.
    ///   - work: Loads the value. It is kept for as long as the loader.
    public convenience init(retryingWith monitor: (any PathMonitor)? = nil, _ work: @escaping Work) {
        self.init(monitor) { _ in try await work() }
    }

    private init(_ monitor: (any PathMonitor)?, _ steps: @escaping Steps) {
        self.steps = steps
        watch = monitor.map(NetworkReturn.init)
    }

    /// Makes a loader of what an endpoint promises.
    ///
    /// ```swift
    /// let article = Loader(api, .article(id: 42), retryingWith: SystemPathMonitor.shared)
    /// ```
    ///
    /// - Parameters:
    ///   - api: The client that sends it.
    ///   - endpoint: What to load.
    ///   - monitor: Where given, what failed for want of a network is loaded again once the network is back.
    public convenience init(
        _ api: APIClient, _ endpoint: Endpoint<Value>, retryingWith monitor: (any PathMonitor)? = nil
    ) {
        self.init(retryingWith: monitor) { try await api.send(endpoint) }
    }

    /// What there is to show: the value, or the last one while another is loaded or could not be had.
    public var value: Value? { state.value }

    /// Why the value could not be had.
    public var error: NetworkError? { state.error }

    /// Whether a value is on its way.
    public var isLoading: Bool { state.isLoading }

    /// Whether ``value`` was stored and is older than it may be. While ``isLoading`` a fresh one is on its way.
    public var isStale: Bool { reading?.isStale ?? false }

    /// Loads the value, unless it is there. Returns when it is, when it cannot be had, or when the task is cancelled.
    public func load() async {
        if accounts.hasChanged() { leaveAccount() }
        guard !state.isLoaded || isStale, !Task.isCancelled else { return }
        if run == nil { begin(state.error == nil ? .show : purpose) }
        await wait()
    }

    /// Loads the value anew, whatever is there or under way.
    ///
    /// It asks the server: calls that the work makes use `.reloadRevalidating` in place of the client's cache policy, and
    /// stored models count as stale. An endpoint's own ``Endpoint/cachePolicy(_:)`` wins. A server that fails is an error,
    /// also where `stale-if-error` allows a stored response; the last value stays.
    public func refresh() async {
        guard !Task.isCancelled else { return }
        if accounts.hasChanged() { leaveAccount() }
        begin(.refresh)
        await wait()
    }

    /// Loads again after a failure; does nothing otherwise. After a refresh that failed it refreshes.
    public func retry() async {
        guard state.error != nil else { return }
        await load()
    }

    /// Ends the loading under way, and the wait for a network.
    public func cancel() {
        watch?.stop()
        run?.cancel()
        settle()
    }

    /// Ends the loading under way and forgets the value.
    public func reset() {
        settled = .idle
        cancel()
        reading = nil
        if state.isLoaded || state.error != nil { state = .idle }
    }
}

extension Loader {
    /// Makes a loader of a reading: what is stored is shown at once, then what is fresh.
    ///
    /// ```swift
    /// let article = Loader(reading: api.reading(.article(id: 42), from: models))
    /// await article.load()                     // article.value, article.isStale
    /// ```
    ///
    /// A stored value that is fresh enough is ``LoadingState/loaded(_:)``, and nothing is sent. An older one is shown while
    /// the fresh one is loaded (``isStale``, and ``LoadingState/loading(last:)``), and stays with the error if that fails. A
    /// value never takes the place of a newer one.
    ///
    /// - Parameters:
    ///   - readings: What is stored of a value, and then what is fresh.
    ///   - monitor: Where given, what failed for want of a network is loaded again once the network is back.
    public convenience init(reading readings: Readings<Value>, retryingWith monitor: (any PathMonitor)? = nil)
    where Value: Codable {
        self.init(monitor, Self.steps(readings))
    }

    /// Loads by something else from the next time on.
    func load(by work: @escaping Work) {
        steps = { _ in try await work() }
    }

    /// Loads by readings from the next time on.
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
    /// Waits for the run under way, and for those that take its place.
    private func wait() async {
        while let run, !Task.isCancelled { await run.wait() }
    }

    /// Loads the value anew, as far as the cache policies allow.
    func loadAnew() async {
        guard !Task.isCancelled else { return }
        begin(.show)
        await wait()
    }

    /// Whether a run is under way.
    var isRunning: Bool { run != nil }

    /// Begins a run in place of the one under way.
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
        rest()
    }

    /// The account changed. What asks next must not find that out once more.
    private func leaveAccount() {
        _ = accounts.hasChanged()
        if let accountChanged { accountChanged() } else { reset() }
    }

    private func forget(_ run: Run) {
        if run === self.run { rest() }
    }

    /// Settles, and waits for a network where that may help: also where a refresh after a failure was cancelled.
    private func rest() {
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
