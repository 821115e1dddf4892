public import GodwitCore
public import Observation

/// A list that loads page by page while the user scrolls.
///
/// ```swift
/// let list = PageLoader(api.pages(.cursor { .articles(after: $0) }))
/// await list.loadMore()                    // the first page
/// list.itemAppeared(article)               // loads the next page near the end of the list
/// ```
///
/// - **Refreshing** bypasses the HTTP cache: see ``refresh()``.
/// - **One request per page**: further calls wait for the page in progress.
/// - **No duplicates**: elements with a known ID are omitted, because lists move while they are read.
/// - **Errors** keep the position: ``retry()`` and ``loadMore()`` request the same page again.
/// - **Cancellation** is silent: when the last waiting task is canceled, the request is canceled and the position
///   stays.
///
/// The elements belong to the account of the client that loads them: when it changes, for example on sign-out, the list
/// is cleared immediately and starts over with the next load.
///
/// Releasing the loader cancels its request.
@Observable @MainActor
public final class PageLoader<Item: Identifiable & Sendable> {
    /// The elements so far.
    public private(set) var items: [Item] = []

    /// The state of the list.
    public private(set) var state = State.idle

    /// How many elements before the end the next page is requested; see ``itemAppeared(_:)``.
    @ObservationIgnored public let prefetchDistance: Int

    @ObservationIgnored private var settled = State.idle
    @ObservationIgnored private var run: Run?
    @ObservationIgnored private var place: Place?
    @ObservationIgnored private var ids: Set<Item.ID> = []
    /// Whether the last request was a refresh.
    @ObservationIgnored private var isRefresh = false
    /// Whether a refresh failed.
    @ObservationIgnored private var failedRefresh = false
    /// Consecutive pages without new elements.
    @ObservationIgnored private var emptyPages = 0
    @ObservationIgnored private let watch: NetworkReturn?
    @ObservationIgnored private lazy var accounts = AccountMark { [weak self] in self?.startOver() }
    @ObservationIgnored private let start: @MainActor () -> Step

    /// Loads the next page of one reading of the list.
    typealias Step = @MainActor @Sendable () async throws(NetworkError) -> PageStep<Item>

    /// The position in one reading of the list.
    private struct Place {
        /// After a refresh, all pages are requested from the server: cached ones don't match its first page.
        let purpose: LoadingPurpose
        let step: Step
    }

    /// After this many pages without new elements, loading stops: the list may be circular.
    private static var emptyPageLimit: Int { 10 }

    /// Creates a loader. It doesn't load until asked.
    ///
    /// - Parameters:
    ///   - prefetchDistance: How many elements before the end the next page is requested. 5 by default; 0 means at the
    ///     last element.
    ///   - monitor: If given, loads that failed for lack of a network are retried when the network returns.
    public convenience init<Page: ElementPage & Sendable>(
        _ pages: Pages<Page>, prefetchDistance: Int = 5, retryingWith monitor: (any PathMonitor)? = nil
    ) where Page.Item == Item {
        self.init(prefetchDistance, monitor) {
            let cursor = PageCursor(pages)
            return { () throws(NetworkError) in try await cursor.next() }
        }
        accounts.note(pages.session)
    }

    init(_ prefetchDistance: Int, _ monitor: (any PathMonitor)?, start: @escaping @MainActor () -> Step) {
        self.prefetchDistance = max(prefetchDistance, 0)
        watch = monitor.map(NetworkReturn.init)
        self.start = start
    }

    /// Whether there may be another page.
    public var hasMore: Bool {
        if case .complete = state { false } else { true }
    }

    /// Whether a page is being loaded.
    public var isLoading: Bool {
        switch state {
        case .loadingMore, .refreshing: true
        case .idle, .failed, .complete: false
        }
    }

    /// Why the last load failed.
    public var error: NetworkError? {
        if case .failed(let error) = state { error } else { nil }
    }

    /// Loads the next page, unless one is being loaded or the list is complete.
    ///
    /// Returns when the page is loaded, when loading fails, or when the task is canceled.
    public func loadMore() async {
        startOverForAnotherAccount()
        guard !Task.isCancelled, hasMore else { return }
        if run == nil { beginMore() }
        await wait()
    }

    /// Loads the first page, unless the list has elements. For use when a screen appears.
    public func load() async {
        startOverForAnotherAccount()
        guard items.isEmpty else { return }
        await loadMore()
    }

    /// Reads the list again from its first page. The previous elements stay until it arrives.
    ///
    /// Asks the server: the calls for this page and the following ones use `.reloadRevalidating` instead of the
    /// client's cache policy. An endpoint's own ``Endpoint/cachePolicy(_:)`` takes precedence.
    public func refresh() async {
        guard !Task.isCancelled else { return }
        startOverForAnotherAccount()
        beginRefresh()
        await wait()
    }

    /// Repeats a failed load. Otherwise does nothing.
    public func retry() async {
        guard error != nil, !Task.isCancelled else { return }
        beginAgain()
        await wait()
    }

    /// Reports that an element is shown, which loads the next page near the end of the list, without waiting.
    ///
    /// After an error, this doesn't load: scrolling must not hammer a failing server.
    ///
    /// - Parameter item: The element. Has no effect if it isn't in the list.
    public func itemAppeared(_ item: Item) {
        startOverForAnotherAccount()
        // Without this, a circular list would be read forever while its end is visible.
        guard case .idle = state, emptyPages < Self.emptyPageLimit else { return }
        guard items.suffix(prefetchDistance.saturatingAdding(1)).contains(where: { $0.id == item.id }) else { return }
        beginMore()
    }

    /// Cancels the request in progress, and the wait for a network. The elements and the position stay.
    public func cancel() {
        watch?.stop()
        run?.cancel()
        settle()
    }
}

extension PageLoader {
    /// Clears the list if the account changed.
    private func startOverForAnotherAccount() {
        if accounts.hasChanged() { startOver() }
    }

    private func startOver() {
        _ = accounts.hasChanged()
        watch?.stop()
        let former = run
        run = nil
        former?.cancel()
        (items, ids, place, isRefresh, failedRefresh, emptyPages) = ([], [], nil, false, false, 0)
        (settled, state) = (.idle, .idle)
    }

    private func wait() async {
        while let run, !Task.isCancelled { await run.wait() }
    }

    private func beginMore() {
        let place = place ?? Place(purpose: .show, step: start())
        self.place = place
        isRefresh = false
        begin(.loadingMore, place) { [weak self] in self?.append($0) }
    }

    private func beginRefresh() {
        let place = Place(purpose: .refresh, step: start())
        isRefresh = true
        begin(.refreshing, place) { [weak self] step in
            guard let self else { return }
            self.place = place
            ids = []
            items = step.items.filter { ids.insert($0.id).inserted }
            take(step, isEmpty: items.isEmpty)
        }
    }

    private func beginAgain() {
        if failedRefresh { beginRefresh() } else { beginMore() }
    }

    private func begin(_ state: State, _ place: Place, _ take: @escaping @MainActor (PageStep<Item>) -> Void) {
        watch?.begin()
        let former = run
        let run = Run { [weak self] in self?.forget($0) }
        self.run = run
        former?.cancel()
        self.state = state
        let scope = accounts.scope(place.purpose.cachePolicy)
        run.start(in: scope, { [step = place.step] in try await step() }) { [weak self] in self?.finish($0, $1, take) }
    }

    private func finish(_ run: Run, _ outcome: Outcome<PageStep<Item>>, _ take: @MainActor (PageStep<Item>) -> Void) {
        startOverForAnotherAccount()
        guard run === self.run else { return }
        switch outcome {
        case .success(let step): take(step)
        case .failure(let error) where error.isCancellation: settleAndWaitForNetwork()
        case .failure(let error):
            settled = .failed(error)
            failedRefresh = isRefresh
            settleAndWaitForNetwork()
        }
    }

    private func append(_ step: PageStep<Item>) {
        let fresh = step.items.filter { ids.insert($0.id).inserted }
        if !fresh.isEmpty { items += fresh }
        take(step, isEmpty: fresh.isEmpty)
    }

    private func take(_ step: PageStep<Item>, isEmpty: Bool) {
        step.accept()
        settled = step.isLast ? .complete : .idle
        settle()
        emptyPages = isEmpty ? emptyPages + 1 : 0
        // No element of the page will appear and request the next one.
        if isEmpty, hasMore, emptyPages < Self.emptyPageLimit { beginMore() }
    }

    private func forget(_ run: Run) {
        if run === self.run { settleAndWaitForNetwork() }
    }

    /// Settles, and waits for a network if that may help, also after a canceled retry.
    private func settleAndWaitForNetwork() {
        settle()
        if error?.mayPassWithNetwork == true { watch?.wait { [weak self] in self?.beginAgain() } }
    }

    private func settle() {
        run = nil
        if isLoading { state = settled }
    }
}

extension PageLoader {
    /// The state of a list.
    public enum State: Sendable {
        /// Ready to load more.
        case idle
        /// Loading the next page.
        case loadingMore
        /// Loading the first page again. The previous elements stay until it arrives.
        case refreshing
        /// The last load failed; the next one repeats it.
        case failed(NetworkError)
        /// The list is complete.
        case complete
    }
}
