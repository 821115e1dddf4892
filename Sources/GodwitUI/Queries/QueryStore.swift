public import GodwitCore
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
///   and its parent stale (``ModelInvalidation``); those that a loader shows are loaded again.
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
    private var entriesOfParts: [ObjectIdentifier: QueryEntry] = [:]
    /// The entries by the type of their part.
    private var entriesOfTypes: [ObjectIdentifier: [QueryKey: QueryEntry]] = [:]
    /// The mutations whose outcome isn't known, in the order of their calls.
    var layers: [MutationLayer] = []
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
    /// The parts that the mutations change.
    private var edited: [ObjectIdentifier: any QueryPart] = [:]

    /// Creates an empty store.
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
        (self.api, self.models, self.monitor, self.options, self.now) = (api, models, monitor, options, now)
        timeline = Timeline(clock)
        accounts.note(api.accountSession)
        changes = ModelChangeObserver(api) { [weak self] paths in
            await self?.invalidate(paths: paths, by: SentMutation.layer)
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
    func entry<Part: QueryPart>(
        _ identity: ModelIdentity, _ make: @MainActor () -> Part
    ) -> (entry: QueryEntry, part: Part) {
        leaveChangedAccount()
        let key = QueryKey(identity, Part.self)
        if let entry = entries[key], let part = entry.part as? Part {
            entry.use()
            return (entry, part)
        }
        if awaited.remove(key) != nil { creations.count += 1 }
        let part = make()
        let entry = QueryEntry(key, identity, part)
        replayWhenChanged(part)
        entries[key] = entry
        entriesOfTypes[key.part, default: [:]][key] = entry
        entriesOfParts[ObjectIdentifier(part)] = entry
        inspection?.valuesChanged()
        scheduleRemoval(of: entry, after: options.unusedLifetime)
        return (entry, part)
    }

    /// The entry of an endpoint's value, if there is one.
    func entry<Part: QueryPart>(_ identity: ModelIdentity, of type: Part.Type) -> QueryEntry? {
        leaveChangedAccount()
        return entries[QueryKey(identity, type)]
    }

    /// Makes a reader observe that a value is created which the store doesn't have.
    func observeCreation<Part: QueryPart>(_ identity: ModelIdentity, of type: Part.Type) {
        awaited.insert(QueryKey(identity, type))
        _ = creations.count
    }

    /// All parts of a type.
    func parts<Part: QueryPart>(_ type: Part.Type) -> [Part] {
        entriesOfTypes[ObjectIdentifier(type)]?.values.compactMap { $0.part as? Part } ?? []
    }

    /// The entry of a part; `nil` for a list of its own.
    func entry(of part: any QueryPart) -> QueryEntry? { entriesOfParts[ObjectIdentifier(part)] }

    /// Registers a loader with an entry.
    func share(_ entry: QueryEntry, _ options: QueryOptions) -> QueryShare {
        entry.join(options)
        inspection?.valuesChanged()
        return QueryShare(options) { [weak self, weak entry] in
            guard let self, let entry else { return await Task.untilCancelled() }
            await keepFresh(entry, options)
        } isOnly: { [weak entry] in
            entry.map { $0.users <= 1 } ?? true
        } leave: { [weak self, entry] in
            guard entry.leave() else { return }
            entry.part.cancel(for: entry, isAlone: true)
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
        let unused = entries.values.filter { $0.isUnused && edited[ObjectIdentifier($0.part)] == nil }
        guard unused.count > Self.unusedLimit else { return }
        let oldest = unused.sorted { $0.lastUse < $1.lastUse }.prefix(unused.count - Self.unusedLimit)
        for entry in oldest { remove(entry) }
    }

    private func remove(_ entry: QueryEntry) {
        guard entries[entry.key] === entry else { return }
        guard edited[ObjectIdentifier(entry.part)] == nil else {
            return scheduleRemoval(of: entry, after: options.unusedLifetime)
        }
        entry.removal?.cancel()
        entries[entry.key] = nil
        entriesOfTypes[entry.key.part]?[entry.key] = nil
        entriesOfParts[ObjectIdentifier(entry.part)] = nil
        // Readers of the value observe that it is gone, and then its next creation.
        entry.part.reset()
        inspection?.valuesChanged()
    }
}

// Mutations.
extension QueryStore {
    /// Applies all mutations whose outcome isn't known to all confirmed values.
    func replay() {
        // A part may notice a change of account first, and remove its value: mutations don't belong to the next one.
        leaveChangedAccount()
        guard !layers.isEmpty || !edited.isEmpty else { return }
        let former = edited
        edited = [:]
        for part in former.values { part.beginDraft(from: 0) }
        for layer in layers { layer.apply(to: QueryChanges(self, layer, .draft)) }
        for part in former.merging(edited, uniquingKeysWith: { part, _ in part }).values { part.publishDraft() }
    }

    private func replayWhenChanged(_ part: some QueryPart) {
        part.baseChanged = { [weak self, weak part] start in
            guard let self, let part else { return }
            replay(part, from: start)
        }
    }

    /// Applies the mutations to a part whose base has changed.
    ///
    /// Elements at the end of a list, such as a page, get the effect of mutations by themselves: the time for each page
    /// doesn't depend on the length of the list.
    private func replay(_ part: any QueryPart, from start: Int) {
        leaveChangedAccount()
        let key = entry(of: part)?.key
        let concerned = layers.filter { $0.concerns(part, key) }
        guard !concerned.isEmpty else { return }
        guard start > 0, concerned.allSatisfy({ $0.isByElement(in: part) }) else { return replay() }
        part.beginDraft(from: start)
        for layer in concerned { layer.apply(to: QueryChanges(self, layer, .end(of: ObjectIdentifier(part)))) }
        part.publishDraft()
        // The new elements may have made a mutation look at others.
        if !concerned.allSatisfy({ $0.isByElement(in: part) }) { replay() }
    }

    /// Registers a part that a mutation changes.
    func touch(_ part: some QueryPart, by layer: MutationLayer) {
        let id = ObjectIdentifier(part)
        layer.changed.insert(id)
        guard edited.updateValue(part, forKey: id) == nil else { return }
        // A list of its own, whose later pages the mutation changes too.
        if part.baseChanged == nil { replayWhenChanged(part) }
    }

    func leaveChangedAccount() {
        accounts.leaveChangedAccount()
    }

    private func leaveAccount() {
        for layer in layers { layer.end() }
        layers = []
        // A part that has noticed the change may have begun to load for the next account.
        for entry in entries.values { entry.part.loads.leaveChangedAccount() }
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
            if !entry.part.isRunning { entry.part.refetch() }
            await entry.part.loads.wait(for: watcher)
        }
    }

    private func refetchStale(for trigger: QueryOptions.RefetchTrigger) {
        leaveChangedAccount()
        for watcher in watchers.values where watcher.options.refetchTriggers.contains(trigger) {
            let part = watcher.entry.part
            if !part.isRunning, part.isOutdated(watcher.options.staleAfter) { part.refetch() }
        }
    }

    /// Marks a value as stale, and loads it again if a loader shows it. A value that no loader has asked for stays so.
    func invalidate(_ entry: QueryEntry) {
        let part = entry.part
        part.invalidate()
        if !entry.isUnused, !part.isRunning, part.wasLoaded { part.refetch() }
    }

    /// Marks the values of paths as stale: at once, or at the end of the mutation whose request changed them.
    private func invalidate(paths: Set<String>, by mutation: MutationLayer?) {
        leaveChangedAccount()
        // What a middleware sends after the mutation has its layer too.
        if let mutation, mutation.stage == .sending { return mutation.paths.formUnion(paths) }
        for entry in entries.values where entry.isAny(of: paths) { invalidate(entry) }
    }

    /// Marks the values of the paths that a mutation's request changed as stale, except those that the mutation sets.
    func invalidatePaths(of layer: MutationLayer) {
        for entry in entries.values
        where entry.isAny(of: layer.paths) && layer.touched[ObjectIdentifier(entry.part)] == nil { invalidate(entry) }
        layer.paths = []
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
        (self.entry, self.options) = (entry, options)
    }
}
