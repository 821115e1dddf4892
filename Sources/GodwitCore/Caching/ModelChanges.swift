import Synchronization

/// Which paths have changed since models were stored, for one client.
///
/// A change writes a random number into each store, under the name of the path. A model is stored together with the number
/// that was there when the server was asked for it; once the two differ, it is stale. So a change survives the process, is
/// seen by all that share the store, and no clock has a part in it.
final class ModelChanges: Sendable {
    /// A model in a store.
    struct Place: Hashable, Sendable {
        let store: ObjectIdentifier?
        let key: String
    }

    private struct State {
        var stores: [any ModelStore]
        /// What changed, for stores that are used later; one that is not a class is always given in the configuration.
        var revisions: [ModelPath: UInt64] = [:]
    }

    /// More paths are not remembered for stores that are used later.
    private static let longest = 1024

    /// Orders the answers to requests for one model.
    let ledger = CacheLedger<Place>()

    private let state: Mutex<State>

    init(_ stores: [any ModelStore]) {
        state = Mutex(State(stores: stores))
    }

    /// Adds a store that is used for the first time, and notes in it what changed before.
    func adopt(_ store: any ModelStore) async {
        guard let identity = AccountPart.identity(of: store) else { return }
        let revisions: [ModelPath: UInt64]? = state.withLock { state in
            guard !state.stores.contains(where: { AccountPart.identity(of: $0) == identity }) else { return nil }
            state.stores.append(store)
            return state.revisions
        }
        for (path, revision) in revisions ?? [:] { await store.note(revision, path) }
    }

    /// Notes that paths changed, unless the account did so too.
    func note(_ paths: Set<ModelPath>, _ session: AccountSession, _ stamp: AccountStamp) async {
        guard session.beginKeeping(stamp) else { return }
        defer { session.endKeeping(stamp) }
        let revision = UInt64.random(in: 1...UInt64.max)
        let stores = state.withLock { state in
            if state.revisions.count > Self.longest { state.revisions = [:] }
            for path in paths { state.revisions[path] = revision }
            return state.stores
        }
        for store in stores {
            for path in paths { await store.note(revision, path) }
        }
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
