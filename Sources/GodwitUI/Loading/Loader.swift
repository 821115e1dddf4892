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
/// - **Cancelling** is no error: when the last task that waits for a loading is cancelled, as a screen's task is when the
///   screen goes, the request ends, and ``state`` is what it was before. So does ``cancel()``.
/// - **The last value** stays visible while another is loaded, and when that fails.
/// - **Errors** that are no `NetworkError` become `.transport(.other)`, with themselves as its `underlying`.
///
/// Letting go of the loader ends its request.
@Observable @MainActor
public final class Loader<Value: Sendable> {
    /// What is loaded by.
    public typealias Work = @Sendable () async throws -> Value

    /// How it stands.
    public private(set) var state = LoadingState<Value>.idle

    /// Where it goes back to when it is cancelled: never `.loading`.
    @ObservationIgnored private var settled = LoadingState<Value>.idle
    @ObservationIgnored private var run: Run?
    @ObservationIgnored private var work: Work
    @ObservationIgnored private let watch: NetworkReturn?
    /// Whose value it is, if that is known.
    @ObservationIgnored private var account: AccountMark?

    /// Makes a loader; it does not begin by itself.
    ///
    /// - Parameters:
    ///   - monitor: Where given, what failed for want of a network is loaded again once the network is back.
    ///   - work: Loads the value. It is kept for as long as the loader.
    public init(retryingWith monitor: (any PathMonitor)? = nil, _ work: @escaping Work) {
        self.work = work
        watch = monitor.map(NetworkReturn.init)
    }

    /// Makes a loader of what an endpoint promises, for the client's account: ``load()`` loads anew once that changed.
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
        account = AccountMark(api.accountSession)
    }

    /// What there is to show: the value, or the last one while another is loaded or could not be had.
    public var value: Value? { state.value }

    /// Why the value could not be had.
    public var error: NetworkError? { state.error }

    /// Whether a value is on its way.
    public var isLoading: Bool { state.isLoading }

    /// Loads the value, unless it is there. Returns when it is, when it cannot be had, or when the task is cancelled.
    public func load() async {
        if account?.hasChanged() == true { reset() }
        guard !state.isLoaded, !Task.isCancelled else { return }
        if run == nil { begin() }
        await wait()
    }

    /// Loads the value anew, whatever is there or under way.
    public func refresh() async {
        guard !Task.isCancelled else { return }
        if account?.hasChanged() == true { reset() }
        begin()
        await wait()
    }

    /// Loads again after a failure; does nothing otherwise.
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
        if state.isLoaded || state.error != nil { state = .idle }
    }

    /// Loads by something else from the next time on.
    func load(by work: @escaping Work) {
        self.work = work
    }

    /// Waits for the run under way, and for those that take its place.
    private func wait() async {
        while let run, !Task.isCancelled { await run.wait() }
    }

    /// Begins a run in place of the one under way.
    func begin() {
        watch?.begin()
        let former = run
        let next = Run { [weak self] in self?.forget($0) }
        run = next
        former?.cancel()
        state = .loading(last: settled.value)
        next.start(work) { [weak self] in self?.finish($0, $1) }
    }

    private func finish(_ run: Run, _ outcome: Outcome<Value>) {
        guard run === self.run else { return }
        if account?.hasChanged() == true { return reset() }
        switch outcome {
        case .success(let value): settled = .loaded(value)
        case .failure(let error) where error.isCancellation: break
        case .failure(let error): settled = .failed(error, last: settled.value)
        }
        rest()
    }

    private func forget(_ run: Run) {
        if run === self.run { rest() }
    }

    /// Settles, and waits for a network where that may help: also where a refresh after a failure was cancelled.
    private func rest() {
        settle()
        if settled.error?.mayPassWithNetwork == true { watch?.wait { [weak self] in self?.begin() } }
    }

    private func settle() {
        run = nil
        if state.isLoading { state = settled }
    }
}
