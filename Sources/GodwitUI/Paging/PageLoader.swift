public import GodwitCore
public import Observation

/// A list that grows page by page while it is looked at.
///
/// ```swift
/// let list = PageLoader(api.pages(.cursor { .articles(after: $0) }))
/// await list.loadMore()                    // the first page
/// list.itemAppeared(article)               // asks for the next page, where that is one of the last
/// ```
///
/// - **A refresh** asks the server for the pages of the new list, past the HTTP cache: see ``refresh()``.
/// - **One request per page**, however often it is asked for: who asks while a page is on its way waits for that.
/// - **No element twice**: one whose id is there already is left out, as lists move while they are read.
/// - **Errors** keep the place: ``retry()`` and ``loadMore()`` ask for the same page again.
/// - **Cancelling** is silent: when the last task that waits is cancelled, the request ends and the place stays.
///
/// The elements are those of the account of the client that loads them: when that changes, as at a sign-out, the list is
/// empty at once, and starts over when it is asked.
///
/// Letting go of the loader ends its request.
@Observable @MainActor
public final class PageLoader<Item: Identifiable & Sendable> {
    /// The elements so far.
    public private(set) var items: [Item] = []

    /// How the list stands.
    public private(set) var state = State.idle

    /// How many elements from the end the next page is asked for; see ``itemAppeared(_:)``.
    @ObservationIgnored public let prefetchDistance: Int

    @ObservationIgnored private var settled = State.idle
    @ObservationIgnored private var run: Run?
    @ObservationIgnored private var place: Place?
    @ObservationIgnored private var ids: Set<Item.ID> = []
    /// Whether the last thing asked for was the first page anew.
    @ObservationIgnored private var isRefresh = false
    /// Whether that was what failed.
    @ObservationIgnored private var failedRefresh = false
    /// How many pages in a row brought nothing new.
    @ObservationIgnored private var barrenPages = 0
    @ObservationIgnored private let watch: NetworkReturn?
    @ObservationIgnored private lazy var accounts = AccountMark { [weak self] in self?.startOver() }
    @ObservationIgnored private let start: @MainActor () -> Step

    /// Asks for the next page of one reading of the list.
    typealias Step = @MainActor @Sendable () async throws(NetworkError) -> PageStep<Item>

    /// Where one reading of the list stands.
    private struct Place {
        /// A list that was refreshed asks the server for all of its pages: those of before don't fit to its first.
        let purpose: LoadingPurpose
        let step: Step
    }

    /// More in a row that bring nothing new are not asked for by themselves: a list may go round in circles.
    private static var barrenPageLimit: Int { 10 }

    /// Makes a loader; it does not begin by itself.
    ///
    /// - Parameters:
    ///   - pages: The list.
    ///   - prefetchDistance: How many elements from the end the next page is asked for. 5 by default; 0 asks at the last
    ///     element only.
    ///   - monitor: Where given, what failed for want of a network is asked for again once the network is back.
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

    /// Whether a page is on its way.
    public var isLoading: Bool {
        switch state {
        case .loadingMore, .refreshing: true
        case .idle, .failed, .complete: false
        }
    }

    /// Why the last thing asked for could not be had.
    public var error: NetworkError? {
        if case .failed(let error) = state { error } else { nil }
    }

    /// Asks for the next page, unless one is on its way or the list is at its end.
    ///
    /// Returns when the page is there, when it cannot be had, or when the task is cancelled.
    public func loadMore() async {
        startOverForAnotherAccount()
        guard !Task.isCancelled, hasMore else { return }
        if run == nil { beginMore() }
        await wait()
    }

    /// Loads the first page, unless something is there. For a screen that appears.
    public func load() async {
        startOverForAnotherAccount()
        guard items.isEmpty else { return }
        await loadMore()
    }

    /// Reads the list anew from its first page. The elements from before stay until that is there.
    ///
    /// It asks the server: the calls for this page and those behind it use `.reloadRevalidating` in place of the client's
    /// cache policy. An endpoint's own ``Endpoint/cachePolicy(_:)`` wins.
    public func refresh() async {
        guard !Task.isCancelled else { return }
        startOverForAnotherAccount()
        beginRefresh()
        await wait()
    }

    /// Asks again for what could not be had; does nothing otherwise.
    public func retry() async {
        guard error != nil, !Task.isCancelled else { return }
        beginAgain()
        await wait()
    }

    /// Says that an element is shown: near the end of the list that asks for the next page, without waiting.
    ///
    /// After an error nothing is asked for in this way: a list that is looked at must not ask a server that fails again
    /// and again.
    ///
    /// - Parameter item: The element; one that is not in the list has no effect.
    public func itemAppeared(_ item: Item) {
        startOverForAnotherAccount()
        guard case .idle = state else { return }
        guard items.suffix(prefetchDistance.saturatingAdding(1)).contains(where: { $0.id == item.id }) else { return }
        beginMore()
    }

    /// Ends the request under way, and the wait for a network; the elements and the place stay.
    public func cancel() {
        watch?.stop()
        run?.cancel()
        settle()
    }
}

extension PageLoader {
    /// Forgets the list of a former account.
    private func startOverForAnotherAccount() {
        if accounts.hasChanged() { startOver() }
    }

    private func startOver() {
        _ = accounts.hasChanged()
        watch?.stop()
        let former = run
        run = nil
        former?.cancel()
        (items, ids, place, isRefresh, failedRefresh, barrenPages) = ([], [], nil, false, false, 0)
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
            take(step, isBarren: items.isEmpty)
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
        case .failure(let error) where error.isCancellation: rest()
        case .failure(let error):
            settled = .failed(error)
            failedRefresh = isRefresh
            rest()
        }
    }

    private func append(_ step: PageStep<Item>) {
        let fresh = step.items.filter { ids.insert($0.id).inserted }
        if !fresh.isEmpty { items += fresh }
        take(step, isBarren: fresh.isEmpty)
    }

    private func take(_ step: PageStep<Item>, isBarren: Bool) {
        step.accept()
        settled = step.isLast ? .complete : .idle
        settle()
        barrenPages = isBarren ? barrenPages + 1 : 0
        // No element of it will appear, and ask for the page behind it.
        if isBarren, hasMore, barrenPages < Self.barrenPageLimit { beginMore() }
    }

    private func forget(_ run: Run) {
        if run === self.run { rest() }
    }

    /// Settles, and waits for a network where that may help: also where another try after a failure was cancelled.
    private func rest() {
        settle()
        if error?.mayPassWithNetwork == true { watch?.wait { [weak self] in self?.beginAgain() } }
    }

    private func settle() {
        run = nil
        if isLoading { state = settled }
    }
}
