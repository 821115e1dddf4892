import GodwitCore
import GodwitSupport
import Observation

/// A list loaded page by page, with its state. A page loader has one of its own, or shares it with other loaders.
@Observable @MainActor
final class PageList<Item: Identifiable & Sendable> {
    typealias State = PageLoader<Item>.State
    /// Loads the next page of one reading of the list.
    typealias Step = @MainActor @Sendable (ListChange) async throws(NetworkError) -> PageStep<Item>

    var elements = ListElements<Item>()
    /// Whether the last page was loaded.
    private var isComplete = false

    @ObservationIgnored var draft = ListDraft<Item>()
    /// The IDs of all elements that were in the list since its first page.
    @ObservationIgnored var ids: Set<Item.ID> = []
    @ObservationIgnored var progress = ListProgress<Item.ID>()
    /// When the first page was requested; `nil` before.
    @ObservationIgnored var date: Date?
    @ObservationIgnored private var place: Place?
    /// The elements that events have set since the request of the load in progress was sent.
    @ObservationIgnored private var events: [Item.ID: ElementEvent<Item>] = [:]
    @ObservationIgnored private let start: @MainActor () -> Step
    /// Returns the elements of an earlier launch; `nil` if none were kept.
    @ObservationIgnored var stored: (@Sendable () async -> StoredElements<Item>?)?
    /// Writes the confirmed elements to the store's models; `nil` for a list that isn't stored.
    @ObservationIgnored var keepElements: (@MainActor ([Item]) -> Void)?
    /// Called when the base changes, so that mutations are applied to it.
    @ObservationIgnored var baseChanged: (@MainActor (_ start: Int) -> Void)?
    let loads: LoadRunner

    init(_ monitor: (any PathMonitor)?, start: @escaping @MainActor () -> Step) {
        self.start = start
        loads = LoadRunner(.pages, monitor)
        loads.content = self
    }

    var items: [Item] { elements.shown }

    /// The elements without mutations that aren't confirmed.
    var base: [Item] { elements.base }

    /// Whether there may be another page. While a complete list is read again, it stays complete.
    var hasMore: Bool { !isComplete }

    var state: State {
        switch loads.state {
        case .idle: .idle
        case .running(let attempt): attempt.load == .next ? .loadingMore : .refreshing
        case .settled(.loaded): isComplete ? .complete : .idle
        case .settled(.failed(let error, _, _)): .failed(error)
        }
    }

    var isLoading: Bool { if case .running = loads.state { true } else { false } }

    var error: NetworkError? { if case .failed(let error) = state { error } else { nil } }
}

// Loading.
extension PageList {
    func loadMore(for owner: AnyObject) async {
        loads.leaveChangedAccount()
        await showStored()
        await loadNext(for: owner)
    }

    private func loadNext(for owner: AnyObject) async {
        guard !Task.isCancelled, isRunning || hasMore else { return }
        await loads.join(loads.machine.nextLoad, for: owner)
    }

    /// Loads the first page if the list is empty, and reads the list again if it is older than the maximum age.
    func load(maxAge: Duration?, for owner: AnyObject) async {
        loads.leaveChangedAccount()
        await showStored()
        if base.isEmpty, hasMore { return await loadNext(for: owner) }
        guard isOlder(than: maxAge), !Task.isCancelled else { return }
        await loads.join(.refetch, for: owner)
    }

    func retry(for owner: AnyObject) async {
        guard error != nil, let load = loads.machine.failedLoad else { return }
        await loads.load(load, for: owner)
    }

    func itemAppeared(_ item: Item, prefetchDistance: Int) {
        loads.leaveChangedAccount()
        // Without the limit, a circular list would be read forever while its end is visible.
        guard case .idle = state, !progress.isStopped else { return }
        guard items.suffix(prefetchDistance.saturatingAdding(1)).contains(where: { $0.id == item.id }) else { return }
        loads.begin(loads.machine.nextLoad, isBackground: true)
    }

    /// Loads the next page if all elements were removed: none is left that would appear and request it.
    func continueIfEmptied() {
        guard items.isEmpty, date != nil, case .idle = state, !progress.isStopped else { return }
        loads.begin(loads.machine.nextLoad, isBackground: true)
    }

    func isOlder(than maxAge: Duration?) -> Bool { loads.machine.isStale || loads.isOlder(date, than: maxAge) }

    /// Notes what an event says of an element. If it is on the page that is on its way, that page may be older.
    func noteEvent(_ event: ElementEvent<Item>, of id: Item.ID) {
        if isRunning { events[id] = event }
    }
}

extension PageList: LoadContent {
    func send(_ run: Run, _ load: LoadMachine.Load) {
        events = [:]
        let place =
            load == .next ? place ?? Place(policy: nil, step: start()) : Place(policy: load.cachePolicy, step: start())
        if load == .next { self.place = place }
        run.start(in: loads.scope(place.policy), work(load, place)) { [weak self] run, outcome in
            guard let self else { return }
            loads.finish(
                run, outcome, arrival: { self.arrival(of: $0, load) }, keep: { step, _ in self.keep(step, load, place) }
            )
        }
    }

    private func work(_ load: LoadMachine.Load, _ place: Place)
        -> @MainActor @Sendable () async throws -> PageStep<Item>
    {
        let change = load == .next ? progress.change(mutations: loads.machine.mutations.mark.changes) : ListChange()
        guard load == .refetch else { return { try await place.step(change) } }
        let count = base.count
        return { try await PageStep.first(of: place.step, holding: count) }
    }

    private func arrival(of step: PageStep<Item>, _ load: LoadMachine.Load) -> LoadMachine.Arrival {
        let new = step.items.lazy.filter { [ids] in !ids.contains($0.id) }
        return LoadMachine.Arrival(
            lacksMutation: load == .next && date != nil && isChanging(new),
            lacksEvent: step.items.contains { if case .unknown? = events[$0.id] { true } else { false } })
    }

    private func isChanging(_ items: some Sequence<Item>) -> Bool {
        loads.machine.isChanging(anyOf: items.lazy.map { AnyHashable($0.id) })
    }

    private func keep(_ step: PageStep<Item>, _ load: LoadMachine.Load, _ place: Place) -> LoadMachine.Kept {
        let isFirst = load != .next || date == nil
        if isFirst, step.isCut, let rest = rest(after: step.items) { return keep(step.items, before: rest) }
        if isFirst { ids = [] }
        let fresh = step.items.compactMap { ids.insert($0.id).inserted ? current($0) : nil }
        let start = isFirst ? 0 : base.count
        if isFirst {
            // The first page is shown even if a mutation may change it: something is better than nothing.
            elements.setBase(fresh)
            self.place = place
            date = loads.sendDate
        } else if !fresh.isEmpty {
            elements.append(fresh)
        }
        step.accept()
        if isComplete != step.isLast { isComplete = step.isLast }
        // Mutations that are being sent are registered, if they change what is now known.
        if isFirst || !fresh.isEmpty { baseChanged?(start) }
        // The account may have changed.
        guard date != nil else { return LoadMachine.Kept() }
        let changes = loads.machine.mutations.mark.changes
        progress.add(step.items.count, fresh: fresh.count, isFirst: isFirst, mutations: changes)
        return LoadMachine.Kept(isConflicting: !isFirst && isChanging(fresh), next: nextPage(after: fresh))
    }

    /// The page to load if no element of this one will appear and request it.
    private func nextPage(after fresh: [Item]) -> LoadMachine.Kept.NextPage? {
        guard hasMore, !progress.isStopped else { return nil }
        if fresh.isEmpty { return .forWaiters }
        return items.isEmpty ? .inBackground : nil
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
    private func keep(_ first: [Item], before rest: ArraySlice<Item>) -> LoadMachine.Kept {
        confirm(first.compactMap { current($0) } + rest)
        date = loads.sendDate
        // The pages after it stand elsewhere, if the list has changed.
        progress.noteMove()
        baseChanged?(0)
        return LoadMachine.Kept()
    }

    func clear() {
        elements.removeAll()
        draft = ListDraft()
        ids = []
        place = nil
        date = nil
        progress = ListProgress()
        isComplete = false
        baseChanged?(0)
    }
}

extension PageList {
    /// The position in one reading of the list.
    struct Place {
        /// After a refresh, all pages are requested from the server: cached ones don't match its first page.
        let policy: CachePolicy?
        let step: Step
    }
}

/// What an event says of an element of a list.
enum ElementEvent<Item> {
    case value(Item)
    case removed
    /// It changed, and the list doesn't have it yet.
    case unknown

    /// Whether the elements after it move.
    var isRemoval: Bool { if case .removed = self { true } else { false } }
}
