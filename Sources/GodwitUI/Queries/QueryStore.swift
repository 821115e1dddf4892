public import GodwitCore
import GodwitSupport
import Observation
import Synchronization

/// Keeps the values that an app's screens have loaded, so that screens share them.
///
/// ```swift
/// let queries = QueryStore(api)
/// let article = Loader(queries, .article(id: 42))
/// await article.load()                     // the stored value at once, then a fresh one if it is stale
/// try await queries.mutate(.rename(id: 42, to: title)) { $0[.article(id: 42)]?.title = title }
/// ```
///
/// - **One value for each endpoint**: loaders of the same endpoint show the same value, and their loads share one
///   request. An endpoint is identified by method, URL, response type and a body in memory, or by its `Endpoint.modelKey(_:)`.
/// - **Staleness**: see ``QueryOptions``. A request of the client that changes something makes the values of its path
///   and its parent stale (`ModelInvalidation`); those that a loader shows are loaded again.
/// - **Mutations** show their effect before the server confirms it; see ``mutate(_:invalidating:_:confirming:)``. A load
///   that overlaps with a mutation of the value is sent again, so that it can't bring back an older value.
/// - **Accounts**: when the client's account changes, all values and mutations are removed.
@MainActor
public final class QueryStore {
    /// The client that loads the values.
    public let api: APIClient

    /// The options of loaders that don't set others.
    public let options: QueryOptions

    /// Whether the app has the focus. When it gets it, values are loaded again; see ``QueryOptions/RefetchTrigger/focus``.
    ///
    /// ```text
    /// .onChange(of: scenePhase) { queries.hasFocus = scenePhase == .active }
    /// ```
    public var hasFocus = true {
        didSet { if hasFocus, !oldValue { refetchStale(for: .focus) } }
    }

    /// Values that no loader uses are removed, the least recently used first, if there are more than this.
    static let unusedLimit = 500

    let models: (any ModelStore)?
    let monitor: (any PathMonitor)?
    let timeline: Timeline
    let now: @Sendable () -> Date
    private(set) var entries: [QueryKey: QueryEntry] = [:]
    private var entriesOfValues: [ObjectIdentifier: QueryEntry] = [:]
    /// The entries by the type of their value.
    private var entriesOfTypes: [ObjectIdentifier: [QueryKey: QueryEntry]] = [:]
    /// The mutations whose outcome isn't known, in the order of their calls.
    var updates: [OptimisticUpdate] = []
    var settled = Waiters<Void>()
    /// The values that were read before they existed.
    private var awaited: Set<QueryKey> = []
    private let creations = QueryCreations()
    let prefetches = PrefetchLine()
    /// The last write to the models.
    var write: Task<Void, Never>?
    private var watchers: [ObjectIdentifier: QueryWatcher] = [:]
    private var changes: ModelChangeObserver?
    private var inspection: QueryInspection?
    private var pathTask: Task<Void, Never>?
    private lazy var accounts = AccountMark { [weak self] in self?.leaveAccount() }
    /// The values that the mutations change.
    private var edited: [ObjectIdentifier: any CachedValue] = [:]

    /// Creates an empty store for the responses of a client.
    ///
    /// - Parameters:
    ///   - api: The client.
    ///   - models: Keeps values across launches, for endpoints whose responses are `Codable`. `nil` (the default) keeps
    ///     them in memory only.
    ///   - monitor: Loads that failed for lack of a network are retried when it returns, and
    ///     ``QueryOptions/RefetchTrigger/reconnect`` applies. `nil` (the default) means neither.
    ///   - options: The options of loaders that don't set others.
    ///   - clock: Measures intervals and how long unused values are kept.
    ///   - now: Returns the current date, for the age of values.
    public init(
        _ api: APIClient, models: (any ModelStore)? = nil, retryingWith monitor: (any PathMonitor)? = nil,
        options: QueryOptions = QueryOptions(), clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.api = api
        self.models = models
        self.monitor = monitor
        self.options = options
        self.now = now
        timeline = Timeline(clock)
        accounts.note(api.accountSession)
        changes = ModelChangeObserver(api) { [weak self] paths in
            await self?.invalidate(paths: paths, by: SentMutation.update)
        }
        inspection = api.configuration.inspector.map { inspector in
            QueryInspection(inspector, timeline) { [weak self] in
                self?.entries.values.sorted { $0.number < $1.number } ?? []
            }
        }
        guard let monitor else { return }
        pathTask = Task { [weak self, paths = monitor.paths] in
            var isFirst = true
            for await path in paths {
                if !isFirst, path.status == .satisfied { self?.refetchStale(for: .reconnect) }
                isFirst = false
            }
        }
    }

    deinit {
        pathTask?.cancel()
    }
}

// Values.
extension QueryStore {
    /// The entry of an endpoint's value, new if necessary.
    func entry<Cached: CachedValue>(
        _ identity: ModelIdentity, _ make: @MainActor () -> Cached
    ) -> (entry: QueryEntry, cached: Cached) {
        leaveChangedAccount()
        let key = QueryKey(identity, Cached.self)
        if let entry = entries[key], let cached = entry.cached as? Cached {
            entry.use()
            return (entry, cached)
        }
        if awaited.remove(key) != nil { creations.count += 1 }
        let cached = make()
        let entry = QueryEntry(key, identity, cached)
        replayWhenChanged(cached)
        entries[key] = entry
        entriesOfTypes[key.type, default: [:]][key] = entry
        entriesOfValues[ObjectIdentifier(cached)] = entry
        inspection?.valuesChanged()
        scheduleRemoval(of: entry, after: options.unusedLifetime)
        return (entry, cached)
    }

    /// The entry of an endpoint's value, if there is one.
    func entry<Cached: CachedValue>(_ identity: ModelIdentity, of type: Cached.Type) -> QueryEntry? {
        leaveChangedAccount()
        return entries[QueryKey(identity, type)]
    }

    /// Makes a reader observe that a value is created which the store doesn't have.
    func observeCreation<Cached: CachedValue>(_ identity: ModelIdentity, of type: Cached.Type) {
        awaited.insert(QueryKey(identity, type))
        _ = creations.count
    }

    /// All values of a type.
    func cachedValues<Cached: CachedValue>(_ type: Cached.Type) -> [Cached] {
        entriesOfTypes[ObjectIdentifier(type)]?.values.compactMap { $0.cached as? Cached } ?? []
    }

    /// The entry of a value; `nil` for a list of its own.
    func entry(of cached: any CachedValue) -> QueryEntry? { entriesOfValues[ObjectIdentifier(cached)] }

    /// Registers a loader with an entry.
    func observe(_ entry: QueryEntry, _ options: QueryOptions) -> QueryObserver {
        entry.join(options)
        inspection?.valuesChanged()
        return QueryObserver(options) { [weak self, weak entry] in
            guard let self, let entry else { return await Task.untilCancelled() }
            await keepFresh(entry, options)
        } isOnly: { [weak entry] in
            entry.map { $0.users <= 1 } ?? true
        } leave: { [weak self, entry] in
            guard entry.leave() else { return }
            entry.cached.cancel(for: entry, isAlone: true)
            self?.inspection?.valuesChanged()
            self?.scheduleRemoval(of: entry, after: options.unusedLifetime)
        }
    }

    /// Removes an entry that no loader uses for this long.
    func scheduleRemoval(of entry: QueryEntry, after duration: Duration) {
        guard entry.isUnused else { return }
        removeOldestUnused()
        entry.removal = Task { [weak self, weak entry, timeline] in
            guard (try? await timeline.sleep(for: duration)) != nil, let entry, entry.isUnused else { return }
            self?.remove(entry)
        }
    }

    private func removeOldestUnused() {
        let unused = entries.values.filter { $0.isUnused && edited[ObjectIdentifier($0.cached)] == nil }
        guard unused.count > Self.unusedLimit else { return }
        let oldest = unused.sorted { $0.lastUse < $1.lastUse }.prefix(unused.count - Self.unusedLimit)
        for entry in oldest { remove(entry) }
    }

    private func remove(_ entry: QueryEntry) {
        guard entries[entry.key] === entry else { return }
        guard edited[ObjectIdentifier(entry.cached)] == nil else {
            return scheduleRemoval(of: entry, after: options.unusedLifetime)
        }
        entry.removal?.cancel()
        entries[entry.key] = nil
        entriesOfTypes[entry.key.type]?[entry.key] = nil
        entriesOfValues[ObjectIdentifier(entry.cached)] = nil
        // Readers of the value observe that it is gone, and then its next creation.
        entry.cached.reset()
        inspection?.valuesChanged()
    }
}

// Mutations.
extension QueryStore {
    /// Applies all mutations whose outcome isn't known to all confirmed values.
    func replay() {
        // A value may notice a change of account first, and remove its value: mutations don't belong to the next one.
        leaveChangedAccount()
        guard !updates.isEmpty || !edited.isEmpty else { return }
        let former = edited
        edited = [:]
        for cached in former.values { cached.beginDraft(from: 0) }
        for update in updates { update.apply(to: QueryChanges(self, update, .draft)) }
        for cached in former.merging(edited, uniquingKeysWith: { cached, _ in cached }).values { cached.publishDraft() }
    }

    private func replayWhenChanged(_ cached: some CachedValue) {
        cached.baseChanged = { [weak self, weak cached] start in
            guard let self, let cached else { return }
            replay(cached, from: start)
        }
    }

    /// Applies the mutations to a value whose base has changed.
    ///
    /// Elements at the end of a list, such as a page, get the effect of mutations by themselves: the time for each page
    /// doesn't depend on the length of the list.
    private func replay(_ cached: any CachedValue, from start: Int) {
        leaveChangedAccount()
        let key = entry(of: cached)?.key
        let concerned = updates.filter { $0.concerns(cached, key) }
        guard !concerned.isEmpty else { return }
        guard start > 0, concerned.allSatisfy({ $0.isByElement(in: cached) }) else { return replay() }
        cached.beginDraft(from: start)
        for update in concerned { update.apply(to: QueryChanges(self, update, .end(of: ObjectIdentifier(cached)))) }
        cached.publishDraft()
        // The new elements may have made a mutation look at others.
        if !concerned.allSatisfy({ $0.isByElement(in: cached) }) { replay() }
    }

    /// Registers a value that a mutation changes.
    func touch(_ cached: some CachedValue, by update: OptimisticUpdate) {
        let id = ObjectIdentifier(cached)
        update.changed.insert(id)
        guard edited.updateValue(cached, forKey: id) == nil else { return }
        // A list of its own, whose later pages the mutation changes too.
        if cached.baseChanged == nil { replayWhenChanged(cached) }
    }

    func leaveChangedAccount() {
        accounts.leaveChangedAccount()
    }

    private func leaveAccount() {
        for update in updates { update.end() }
        updates = []
        // A value that has noticed the change may have begun to load for the next account.
        for entry in entries.values { entry.cached.loads.leaveChangedAccount() }
        replay()
        resumeWaiting()
    }
}

// Loading again.
extension QueryStore {
    /// Loads a value again by the rules of its options, until the task is canceled.
    private func keepFresh(_ entry: QueryEntry, _ options: QueryOptions) async {
        let watcher = QueryWatcher(entry: entry, options: options)
        watchers[ObjectIdentifier(watcher)] = watcher
        defer { watchers[ObjectIdentifier(watcher)] = nil }
        guard let interval = options.refetchInterval else { return await Task.untilCancelled() }
        while (try? await timeline.sleep(for: max(interval, .seconds(1)))) != nil {
            guard hasFocus, monitor?.current.status != .unsatisfied else { continue }
            // A load in progress is as new.
            if !entry.cached.isRunning { entry.cached.refetch() }
            await entry.cached.loads.wait(for: watcher)
        }
    }

    private func refetchStale(for trigger: QueryOptions.RefetchTrigger) {
        leaveChangedAccount()
        for watcher in watchers.values where watcher.options.refetchTriggers.contains(trigger) {
            let cached = watcher.entry.cached
            if !cached.isRunning, cached.isOutdated(watcher.options.staleAfter) { cached.refetch() }
        }
    }

    /// Marks a value as stale, and loads it again if a loader shows it. A value that no loader has asked for stays so.
    func invalidate(_ entry: QueryEntry) {
        let cached = entry.cached
        cached.invalidate()
        if !entry.isUnused, !cached.isRunning, cached.wasLoaded { cached.refetch() }
    }

    /// Marks the values of paths as stale: at once, or at the end of the mutation whose request changed them.
    private func invalidate(paths: Set<String>, by mutation: OptimisticUpdate?) {
        leaveChangedAccount()
        // What a middleware sends after the mutation has its update too.
        if let mutation, mutation.stage == .sending { return mutation.paths.formUnion(paths) }
        for entry in entries.values where entry.isAny(of: paths) { invalidate(entry) }
    }

    /// Marks the values of the paths that a mutation's request changed as stale, except those that the mutation sets.
    func invalidatePaths(of update: OptimisticUpdate) {
        for entry in entries.values
        where entry.isAny(of: update.paths) && update.touched[ObjectIdentifier(entry.cached)] == nil {
            invalidate(entry)
        }
        update.paths = []
    }
}

extension QueryEntry {
    fileprivate func isAny(of paths: Set<String>) -> Bool { identity.map { paths.contains($0.path) } ?? false }
}

/// Counts the values that were created after they had been read.
@Observable @MainActor
private final class QueryCreations {
    var count = 0
}

/// A task that keeps a value fresh.
private final class QueryWatcher: Sendable {
    let entry: QueryEntry
    let options: QueryOptions

    init(entry: QueryEntry, options: QueryOptions) {
        self.entry = entry
        self.options = options
    }
}
