import GodwitCore

/// A value or a list of a store.
@MainActor
protocol CachedValue: AnyObject {
    var loads: LoadRunner { get }
    /// Whether mutations that a store applies have no other way to show a value than to load it again.
    var isReloadedAfterMutations: Bool { get }
    /// Called when the base changes, so that mutations are applied to it: with the first element that changed, 0 for the
    /// whole base.
    var baseChanged: (@MainActor (_ start: Int) -> Void)? { get set }
    var facts: QueryFacts { get }

    /// Whether it has a value or failed to load, or its value was removed.
    var wasLoaded: Bool { get }
    /// Writes the confirmed value to the store's models.
    func keepConfirmed()
    /// Whether there is a confirmed value.
    var hasValue: Bool { get }
    /// Whether it is not loaded, or older than a maximum age.
    func isOutdated(_ maxAge: Duration) -> Bool

    /// Begins to apply mutations to the base.
    ///
    /// - Parameter start: The first element that they are applied to. What is shown of those before it stays.
    func beginDraft(from start: Int)
    func publishDraft()

    /// Loads it again, without waiting.
    func refetch()
    /// Loads it for later, if it is older than a maximum age. A failure isn't shown, unless a screen waits for the load too.
    func prefetch(_ maxAge: Duration) async
}

extension CachedValue {
    var isRunning: Bool { loads.isRunning }

    /// Marks it as outdated. A load in progress starts again.
    func invalidate() { loads.send(.invalidated) }

    /// Cancels the load in progress and removes the value.
    func reset() { loads.send(.reset) }

    /// Cancels a load that no task waits for.
    func cancel(for owner: AnyObject, isAlone: Bool) { loads.cancel(for: owner, isAlone: isAlone) }
}

/// A value with a version.
@MainActor
protocol VersionedValue: CachedValue {
    var etag: String? { get set }
    /// Why the last load failed.
    var loadError: NetworkError? { get }
}

/// The state of a value, for the inspector.
struct QueryFacts {
    let type: String
    let state: String
    let isOutdated: Bool
    let hasEdit: Bool
    let count: Int?
    let date: Date?
}

extension Query: VersionedValue {
    var loadError: NetworkError? { state.error }

    var isReloadedAfterMutations: Bool { true }

    func isOutdated(_ maxAge: Duration) -> Bool { isNeeded(maxAge) }

    func refetch() { loads.begin(.refetch, isBackground: true) }

    func keepConfirmed() { keepModel?(value, etag) }

    func prefetch(_ maxAge: Duration) async {
        guard !isRunning, isOutdated(maxAge) else { return }
        await loads.begin(.next, isBackground: true)?.ends()
    }

    var wasLoaded: Bool { loads.machine.settled != nil || isRemoved }

    var hasValue: Bool { value != nil }

    var facts: QueryFacts {
        let state =
            switch base {
            case .idle: "idle"
            case .loading: "loading"
            case .loaded: "loaded"
            case .failed(let error, _): "failed: \(error.shortDescription)"
            }
        let hasEdit = if case .none = edit { false } else { true }
        return QueryFacts(
            type: "\(Value.self)", state: state, isOutdated: isStale, hasEdit: hasEdit, count: nil, date: date)
    }
}

extension PageList: CachedValue {
    // Reading a list again would lose the place of its reader.
    var isReloadedAfterMutations: Bool { false }

    func isOutdated(_ maxAge: Duration) -> Bool { date == nil || isOlder(than: maxAge) }

    func refetch() { loads.begin(date == nil ? .next : .refetch, isBackground: true) }

    func prefetch(_ maxAge: Duration) async {
        await showStored()
        // Another loader may have loaded it meanwhile.
        guard !isRunning, isOutdated(maxAge) else { return }
        await loads.begin(date == nil ? .next : .refetch, isBackground: true)?.ends()
    }

    var wasLoaded: Bool { loads.machine.settled != nil }

    var hasValue: Bool { date != nil }

    var facts: QueryFacts {
        let state =
            switch state {
            case .idle: base.isEmpty ? "idle" : "loaded"
            case .loadingMore, .refreshing: "loading"
            case .failed(let error): "failed: \(error.shortDescription)"
            case .complete: "complete"
            }
        return QueryFacts(
            type: "\(Item.self)", state: state, isOutdated: loads.isStale, hasEdit: elements.edit != nil,
            count: items.count,
            date: date)
    }
}
