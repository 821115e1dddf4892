import Synchronization

/// Records which paths a client has changed since their models were stored.
///
/// A change writes a random number to each store, under the key of the path. A model is stored with the number that was
/// there when it was requested; if the two differ, the model is stale. A change therefore survives the process, applies
/// to all users of the store, and needs no clock.
final class ModelChanges: Sendable {
    /// A model in a store.
    struct Entry: Hashable, Sendable {
        let store: ObjectIdentifier?
        let key: String
    }

    private struct State {
        var stores: [any ModelStore]
        /// The changes, for stores that are used later. A store that isn't a class is always in the configuration.
        var revisions: [ModelPath: UInt64] = [:]
        var observers: [UInt64: Observer] = [:]
        var lastObserver: UInt64 = 0
    }

    /// Receives the paths of each change: ``ModelPath/text``.
    typealias Observer = @Sendable (Set<String>) async -> Void

    /// For stores that are used later.
    private static let maximumRevisions = 1024

    /// The requests in progress for each model.
    let fetches = FetchRegistry<Entry>()

    private let state: Mutex<State>

    init(_ stores: [any ModelStore]) {
        state = Mutex(State(stores: stores))
    }

    /// Adds a store that is used for the first time, and writes the earlier changes to it.
    func adopt(_ store: any ModelStore) async {
        guard let identity = AccountPart.identity(of: store) else { return }
        let revisions: [ModelPath: UInt64]? = state.withLock { state in
            guard !state.stores.contains(where: { AccountPart.identity(of: $0) == identity }) else { return nil }
            state.stores.append(store)
            return state.revisions
        }
        for (path, revision) in revisions ?? [:] { await store.note(revision, path) }
    }

    /// Records that paths changed, unless the account has changed.
    func note(_ paths: Set<ModelPath>, _ session: AccountSession, _ stamp: AccountStamp) async {
        guard session.beginKeeping(stamp) else { return }
        defer { session.endKeeping(stamp) }
        let revision = UInt64.random(in: 1...UInt64.max)
        let (stores, observers) = state.withLock { state in
            if state.revisions.count > Self.maximumRevisions { state.revisions = [:] }
            for path in paths { state.revisions[path] = revision }
            return (state.stores, Array(state.observers.values))
        }
        for store in stores {
            for path in paths { await store.note(revision, path) }
        }
        let texts = Set(paths.map(\.text))
        for observer in observers { await observer(texts) }
    }

    /// Calls a closure after each change, before the call that made it returns.
    func observe(_ observer: @escaping Observer) -> UInt64 {
        state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = observer
            return state.lastObserver
        }
    }

    func stopObserving(_ id: UInt64) {
        state.withLock { _ = $0.observers.removeValue(forKey: id) }
    }
}

extension ModelStore {
    fileprivate func note(_ revision: UInt64, _ path: ModelPath) async {
        await store(StoredModel(data: Data(), date: Date(), revision: revision), for: path.key)
    }

    /// The number of the last change of a path; 0 if it never changed.
    func revision(of path: ModelPath) async -> UInt64 {
        await model(for: path.key)?.revision ?? 0
    }
}
