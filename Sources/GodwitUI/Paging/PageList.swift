import GodwitCore
import GodwitSupport
import Observation

/// A list loaded page by page, with its state. A page loader has one of its own, or shares it with other loaders.
@Observable @MainActor
final class PageList<Item: Identifiable & Sendable> {
    typealias State = PageLoader<Item>.State
    /// Loads the next page of one reading of the list.
    typealias Step = @MainActor @Sendable (ListChange) async throws(NetworkError) -> PageStep<Item>

    /// Loads one page or several.
    private typealias Reading = @MainActor @Sendable () async throws(NetworkError) -> PageStep<Item>

    var elements = ListElements<Item>()
    private(set) var state = State.idle
    /// Whether the last page was loaded.
    private var isComplete = false
    /// Whether a newer list is known to exist.
    var isInvalidated = false
    /// How often the list was cleared.
    private(set) var resetCount = 0

    @ObservationIgnored var draft = ListDraft<Item>()
    /// The IDs of all elements that were in the list since its first page.
    @ObservationIgnored var ids: Set<Item.ID> = []
    @ObservationIgnored var progress = ListProgress<Item.ID>()
    /// When the first page was requested; `nil` before.
    @ObservationIgnored var date: Date?
    /// Returns the elements of an earlier launch; `nil` if none were kept.
    @ObservationIgnored var stored: (@Sendable () async -> StoredElements<Item>?)?
    /// Writes the confirmed elements to the store's models; `nil` for a list that isn't stored.
    @ObservationIgnored var keepElements: (@MainActor ([Item]) -> Void)?
    @ObservationIgnored private var settled = State.idle
    @ObservationIgnored private var run: Run?
    @ObservationIgnored private var place: Place?
    /// What the current run loads.
    @ObservationIgnored private var load = Load.more
    /// What the last failed run loaded.
    @ObservationIgnored private(set) var failedLoad = Load.more
    @ObservationIgnored private var mutationsBeforeRun = MutationGate.History()
    /// Whether the elements arrived while a mutation was being sent, so it is unknown which of them is newer.
    @ObservationIgnored private(set) var isUncertain = false
    /// The elements that events have set since the current run was sent.
    @ObservationIgnored private var events: [Item.ID: ElementEvent<Item>] = [:]
    /// Whether the page of the current run has an element that a mutation was changing.
    @ObservationIgnored private var hasElementOfMutation = false
    /// How often the current run was sent again because of events.
    @ObservationIgnored private var restarts = 0
    /// Whether a page was taken that may miss an element, as events came faster than any page.
    @ObservationIgnored private var isDoubtful = false
    @ObservationIgnored private var dateOfRun: Date?
    @ObservationIgnored private let watch: NetworkReturn?
    @ObservationIgnored private lazy var accounts = AccountMark { [weak self] in self?.reset() }
    @ObservationIgnored private let start: @MainActor () -> Step
    @ObservationIgnored let gate = MutationGate()
    /// Called when the base changes, so that mutations are applied to it.
    @ObservationIgnored var baseChanged: (@MainActor (_ start: Int) -> Void)?
    /// Returns the current date.
    @ObservationIgnored var now: @Sendable () -> Date = { Date() }

    init(_ monitor: (any PathMonitor)?, start: @escaping @MainActor () -> Step) {
        watch = monitor.map(NetworkReturn.init)
        self.start = start
    }

    var items: [Item] { elements.shown }

    /// The elements without mutations that aren't confirmed.
    var base: [Item] { elements.base }

    /// Whether there may be another page. While a complete list is read again, it stays complete.
    var hasMore: Bool { !isComplete }

    var isLoading: Bool {
        switch state {
        case .loadingMore, .refreshing: true
        case .idle, .failed, .complete: false
        }
    }

    var isRunning: Bool { run != nil }

    var error: NetworkError? {
        if case .failed(let error) = state { error } else { nil }
    }

    /// Uses the account of a client before the first page is loaded.
    func note(_ session: AccountSession) { accounts.note(session) }
}

// Loading.
extension PageList {
    func loadMore(for owner: AnyObject) async {
        leaveChangedAccount()
        await showStored()
        await loadNext(for: owner)
    }

    private func loadNext(for owner: AnyObject) async {
        guard !Task.isCancelled, run != nil || hasMore else { return }
        if run == nil { beginNext(isBackground: false) }
        await wait(for: owner)
    }

    /// Loads the first page if the list is empty, and reads the list again if it is older than the maximum age.
    func load(maxAge: Duration?, for owner: AnyObject) async {
        leaveChangedAccount()
        await showStored()
        if base.isEmpty, hasMore { return await loadNext(for: owner) }
        guard isOlder(than: maxAge), !Task.isCancelled else { return }
        if run == nil { begin(.refetch, isBackground: false) }
        await wait(for: owner)
    }

    func refresh(for owner: AnyObject) async {
        guard !Task.isCancelled else { return }
        leaveChangedAccount()
        begin(.refresh, isBackground: false)
        await wait(for: owner)
    }

    func retry(for owner: AnyObject) async {
        guard error != nil, !Task.isCancelled else { return }
        begin(failedLoad, isBackground: false)
        await wait(for: owner)
    }

    func itemAppeared(_ item: Item, prefetchDistance: Int) {
        leaveChangedAccount()
        // Without the limit, a circular list would be read forever while its end is visible.
        guard case .idle = state, !progress.isStopped else { return }
        guard items.suffix(prefetchDistance.saturatingAdding(1)).contains(where: { $0.id == item.id }) else { return }
        beginNext(isBackground: true)
    }

    /// Loads the next page, or reads an outdated list again: its next page may be elsewhere now.
    private func beginNext(isBackground: Bool) { begin(isInvalidated ? .refetch : .more, isBackground: isBackground) }

    /// Loads the next page if all elements were removed: none is left that would appear and request it.
    func continueIfEmptied() {
        guard items.isEmpty, date != nil, case .idle = state, run == nil, !progress.isStopped else { return }
        beginNext(isBackground: true)
    }

    func isOlder(than maxAge: Duration?) -> Bool {
        if isInvalidated || isDoubtful { return true }
        guard let maxAge, let date else { return false }
        let age = now().timeIntervalSince(date)
        return age < 0 || .bounded(seconds: age) >= maxAge
    }

    func wait(for owner: AnyObject) async {
        while let run, !Task.isCancelled {
            if await run.wait(for: owner) == .dismissed { return }
        }
    }

    /// Starts a run again that is in progress.
    private func restart() { begin(load, isBackground: run?.isBackground ?? true) }

    /// Starts a run, replacing the one in progress.
    ///
    /// - Parameter isBackground: Whether it continues when no task waits for it.
    @discardableResult
    func begin(_ load: Load, isBackground: Bool) -> Run {
        switch load {
        case .more: return beginMore(isBackground: isBackground)
        case .refresh:
            let place = Place(purpose: .refresh, step: start())
            return begin(load, .refreshing, place, isBackground: isBackground) { () throws(NetworkError) in
                try await place.step(ListChange())
            }
        case .refetch:
            let place = Place(purpose: .refresh, step: start())
            let count = base.count
            return begin(load, .refreshing, place, isBackground: isBackground) { () throws(NetworkError) in
                try await PageStep.first(of: place.step, holding: count)
            }
        }
    }

    @discardableResult
    private func beginMore(isBackground: Bool) -> Run {
        let place = place ?? Place(purpose: .show, step: start())
        self.place = place
        return begin(.more, .loadingMore, place, isBackground: isBackground) { [weak self] () throws(NetworkError) in
            guard let self else { throw NetworkError(.cancelled, phase: .middleware) }
            // Asked when the request is sent: it may have waited for a mutation.
            return try await place.step(progress.change(mutations: gate.history.changes))
        }
    }

    private func begin(
        _ load: Load, _ state: State, _ place: Place, isBackground: Bool, _ step: @escaping Reading
    ) -> Run {
        watch?.begin()
        self.load = load
        let former = run
        let run = Run(isBackground: isBackground) { [weak self] in self?.forget($0) }
        self.run = run
        former?.cancel()
        self.state = state
        (mutationsBeforeRun, dateOfRun, events) = (gate.beginLoad(), now(), [:])
        run.start(in: accounts.scope(place.purpose.cachePolicy), work(for: run, step)) { [weak self] in
            self?.finish($0, $1, place)
        }
        return run
    }

    private func work(for run: Run, _ step: @escaping Reading) -> @Sendable () async throws -> PageStep<Item> {
        guard hasElements, passesElements ? gate.isClosedForPages : gate.isClosed else { return { try await step() } }
        return { [weak self, weak run] in
            await self?.waitToSend(run)
            return try await step()
        }
    }

    /// Whether the current run doesn't wait for mutations of elements: it loads the next page, which has none of them.
    private var passesElements: Bool { load == .more && !hasElementOfMutation }

    /// Waits until no such mutation is being sent. What begins afterwards overlaps with the run.
    private func waitToSend(_ run: Run?) async {
        if passesElements { await gate.passPage() } else { await gate.pass() }
        guard let run, run === self.run else { return }
        (mutationsBeforeRun, dateOfRun, events) = (gate.history, now(), [:])
    }
}

// The end of a run.
extension PageList {
    /// Stops the tasks that wait for an owner, and cancels the load if no other task waits for it.
    ///
    /// - Parameter isAlone: Whether no other owner uses the list. Loads that weren't begun by an owner, and the wait for
    ///   a network, belong to all of them.
    func cancel(for owner: AnyObject, isAlone: Bool) {
        run?.dismissTasks(of: owner)
        guard run?.isUnawaited ?? true, isAlone || run?.isBackground == false else { return }
        cancel()
    }

    func cancel() {
        watch?.stop()
        run?.cancel()
        settle()
    }

    /// Clears the list.
    func reset() {
        resetCount += 1
        watch?.stop()
        let former = run
        run = nil
        former?.cancel()
        elements.removeAll()
        (draft, ids, place, date) = (ListDraft(), [], nil, nil)
        (load, progress, isInvalidated, isUncertain, isDoubtful) = (.more, ListProgress(), false, false, false)
        (settled, state, isComplete) = (.idle, .idle, false)
        baseChanged?(0)
    }

    /// Marks the list as outdated, so that the next load reads it again.
    func invalidate() {
        isInvalidated = hasElements
        if run != nil, load != .more || !hasElements { restart() }
    }

    /// Reads the list again after the mutations that are being sent: one of them may be newer or older.
    func distrust() {
        (isUncertain, isInvalidated) = (true, true)
        begin(.refetch, isBackground: true)
    }

    func leaveChangedAccount() {
        accounts.leaveChangedAccount()
    }

    private func finish(_ run: Run, _ outcome: Outcome<PageStep<Item>>, _ place: Place) {
        leaveChangedAccount()
        guard run === self.run else { return }
        switch outcome {
        case .success(let step) where isOvertaken(step): restart()
        case .success(let step) where mayLackEvent(step) && restarts < MutationGate.maximumRestarts:
            restarts += 1
            restart()
        case .success(let step): take(step, place, run)
        case .failure(let error) where error.isCancellation || run.isPrefetch: settleAndWaitForNetwork()
        case .failure(let error):
            settled = .failed(error)
            failedLoad = load
            settleAndWaitForNetwork()
        }
    }

    /// Whether the elements of the current run may lack a mutation.
    private func isOvertaken(_ step: PageStep<Item>) -> Bool {
        guard load == .more, hasElements else { return gate.hasOvertaken(mutationsBeforeRun, isFirst: !hasElements) }
        hasElementOfMutation = gate.hasOvertaken(mutationsBeforeRun, pageOf: newIDs(of: step))
        return hasElementOfMutation
    }

    private func newIDs(of step: PageStep<Item>) -> some Sequence<AnyHashable> {
        step.items.lazy.filter { [ids] in !ids.contains($0.id) }.map { AnyHashable($0.id) }
    }

    /// Notes what an event says of an element. If it is on the page that is on its way, that page may be older.
    func noteEvent(_ event: ElementEvent<Item>, of id: Item.ID) {
        if run != nil { events[id] = event }
    }

    /// Whether the page of the current run may be older than an event that can't be applied to it.
    private func mayLackEvent(_ step: PageStep<Item>) -> Bool {
        gate.history.events != mutationsBeforeRun.events
            || step.items.contains { if case .unknown? = events[$0.id] { true } else { false } }
    }

    /// Whether a page was loaded. All of its elements may have been removed since.
    private var hasElements: Bool { date != nil }

    private func take(_ step: PageStep<Item>, _ place: Place, _ run: Run) {
        let isFirst = load != .more || !hasElements
        let mayMiss = mayLackEvent(step)
        if isFirst, step.isCut, let rest = rest(after: step.items) { return take(step.items, before: rest, mayMiss) }
        if isFirst { ids = [] }
        let fresh = step.items.compactMap { ids.insert($0.id).inserted ? current($0) : nil }
        let start = isFirst ? 0 : base.count
        if isFirst {
            // The first page is shown even if a mutation may change it: something is better than nothing.
            elements.setBase(fresh)
            (self.place, date, isInvalidated, isDoubtful) = (place, dateOfRun, false, mayMiss)
        } else {
            if !fresh.isEmpty { elements.append(fresh) }
            isDoubtful = isDoubtful || mayMiss
        }
        step.accept()
        settled = step.isLast ? .complete : .idle
        if isComplete != step.isLast { isComplete = step.isLast }
        settle()
        if isFirst || !fresh.isEmpty { baseChanged?(start) }
        // Mutations that are being sent have closed the gate, if they change what is now known.
        isUncertain =
            isFirst
            ? gate.hasOvertaken(mutationsBeforeRun, isFirst: false)
            : gate.hasOvertaken(mutationsBeforeRun, pageOf: fresh.lazy.map { AnyHashable($0.id) })
        if isUncertain { isInvalidated = true }
        progress.add(step.items.count, fresh: fresh.count, isFirst: isFirst, mutations: gate.history.changes)
        if isInvalidated {
            begin(.refetch, isBackground: true)
            return
        }
        // No element of the page will appear and request the next one.
        if fresh.isEmpty, hasMore, !progress.isStopped { beginMore(isBackground: run.isBackground) }
    }

    /// An element of a page, as events have it.
    private func current(_ item: Item) -> Item? {
        switch events[item.id] {
        case nil, .unknown: item
        case .value(let value): value
        case .removed: nil
        }
    }

    /// The elements after the first pages; `nil` if it is unknown where they begin.
    private func rest(after first: [Item]) -> ArraySlice<Item>? {
        let ids = Set(first.map(\.id))
        return base.lastIndex { ids.contains($0.id) }.map { base[($0 + 1)...].filter { !ids.contains($0.id) }[...] }
    }

    /// Replaces the first pages of a long list. The others, and the place of the next one, stay.
    private func take(_ first: [Item], before rest: ArraySlice<Item>, _ mayMiss: Bool) {
        confirm(first.compactMap { current($0) } + rest)
        (date, isInvalidated, isDoubtful) = (dateOfRun, false, mayMiss)
        settled = isComplete ? .complete : .idle
        // The pages after it stand elsewhere, if the list has changed.
        progress.noteMove()
        settle()
        baseChanged?(0)
        isUncertain = gate.hasOvertaken(mutationsBeforeRun, isFirst: false)
        if isUncertain { distrust() }
    }

    private func forget(_ run: Run) {
        if run === self.run { settleAndWaitForNetwork() }
    }

    /// Settles, and waits for a network if that may help, also after a canceled retry.
    private func settleAndWaitForNetwork() {
        settle()
        guard error?.mayPassWithNetwork == true else { return }
        watch?.wait { [weak self] in
            guard let self else { return }
            begin(failedLoad, isBackground: true)
        }
    }

    private func settle() {
        (run, restarts, hasElementOfMutation) = (nil, 0, false)
        if isLoading { state = settled }
    }
}
