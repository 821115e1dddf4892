import GodwitSupport
import Synchronization

/// The token of one store. Refreshers over the same store share it: one refreshes, and signs out, for all.
///
/// Performs what ``TokenState`` decides, except for the refresh itself.
final class SharedTokens: Sendable {
    typealias Issue = TokenState.Issue
    typealias Outcome = TokenState.Outcome
    typealias Write = Task<TokenStoreError?, Never>

    /// What is left to do after the lock is released.
    struct Pending: Sendable {
        fileprivate(set) var resumptions: [(waiter: Waiter<Outcome>, outcome: Outcome)] = []
        fileprivate(set) var reads = false
        fileprivate(set) var refresh: (number: UInt64, issue: Issue, stamp: AccountStamp)?
        /// The write of the token, which has started.
        fileprivate(set) var write: Write?
        /// The removal of the former account's data, which has started.
        fileprivate(set) var removal: Task<[NetworkError], Never>?
    }

    private struct Guarded: Sendable {
        var tokens: TokenState
        var waiters: [UInt64: Waiter<Outcome>] = [:]
        var lastWaiter: UInt64 = 0
        var lastWrite: Write?
        /// What this process has read from the store, or written to it, last; `nil` if neither.
        var stored: AccessToken??
    }

    /// What the store has, compared with what this process knows of it.
    enum Finding: Sendable {
        case unchanged
        /// Another process has stored this token.
        case other(AccessToken)
        /// Another process has removed the token.
        case removed
    }

    /// The owner of the token. Its account changes under the same lock as the token.
    let session = AccountSession()
    let store: any TokenStore
    /// Counts the refreshes that were started.
    let refreshes = RefreshCount()
    private let guarded: Mutex<Guarded>
    /// The lock that this process holds. A sign-out doesn't wait for a refresh of its own process.
    private let held = Mutex<WeakLock>(WeakLock())

    private struct WeakLock: Sendable {
        weak var lock: HeldLock?
    }

    private init(_ store: any TokenStore, leeway: Duration) {
        self.store = store
        guarded = Mutex(Guarded(tokens: TokenState(leeway: max(.zero, leeway) / .seconds(1))))
        (store as? any SharedTokenStore)?.observe { [weak self] token in self?.adopt(token) }
    }

    deinit {
        let id = ObjectIdentifier(self)
        Self.known.withLock { $0.entries.removeAll { $0.id == id } }
    }

    var isRead: Bool { guarded.withLock { $0.tokens.session != nil } }

    func isRefreshing(_ number: UInt64) -> Bool { guarded.withLock { $0.tokens.isRefreshing(number) } }

    /// The token that can be used without waiting. Throws if the account has changed since the stamp was taken.
    func usableToken(
        for stamp: AccountStamp?, at now: Date
    ) throws(NetworkError) -> (issue: Issue, pending: Pending?)? {
        try guarded.withLock { guarded throws(NetworkError) in
            try session.check(stamp)
            guard let (issue, effects) = guarded.tokens.usableToken(at: now) else { return nil }
            return (issue, effects.isEmpty ? nil : perform(effects, &guarded))
        }
    }

    func handle(_ event: TokenEvent<AccessToken>, _ error: NetworkError? = nil, at now: Date) -> Pending {
        guarded.withLock { guarded in
            let old = guarded.tokens.token
            let isRefresh = if case .replaced = event { false } else { true }
            return perform(guarded.tokens.handle(event, error, at: now), &guarded, refreshing: isRefresh ? old : nil)
        }
    }

    /// Uses the token of a sign-in in another process, which has stored it, or ends the session after a sign-out.
    private func adopt(_ token: AccessToken?) {
        let pending = guarded.withLock { guarded in
            let effects = guarded.tokens.handle(.replaced(token), at: Date())
            return perform(effects.filter { if case .write = $0 { false } else { true } }, &guarded)
        }
        for (waiter, outcome) in pending.resumptions { waiter.resume(returning: outcome) }
    }

    /// Registers a waiter for the token that an event asks for.
    func addWaiter(
        for event: (UInt64) -> TokenEvent<AccessToken>, at now: Date
    ) -> (id: UInt64, waiter: Waiter<Outcome>, pending: Pending) {
        guarded.withLock { guarded in
            guarded.lastWaiter += 1
            let (id, waiter) = (guarded.lastWaiter, Waiter<Outcome>())
            guarded.waiters[id] = waiter
            return (id, waiter, perform(guarded.tokens.handle(event(id), at: now), &guarded))
        }
    }

    /// Removes a canceled waiter; returns `false` if its outcome is known.
    func removeWaiter(_ id: UInt64) -> Bool {
        guarded.withLock { guarded in
            guard guarded.waiters.removeValue(forKey: id) != nil else { return false }
            guarded.tokens.removeWaiter(id)
            return true
        }
    }

    /// - Parameter old: The token that a refresh replaces; `nil` for a sign-in or sign-out.
    private func perform(
        _ effects: [TokenState.Effect], _ guarded: inout Guarded, refreshing old: AccessToken? = nil
    ) -> Pending {
        var pending = Pending()
        for effect in effects {
            switch effect {
            case .changeAccount(let state, let scope): pending.removal = session.advance(to: state, removing: scope)
            case .read: pending.reads = true
            case .refresh(let number, let issue): pending.refresh = (number, issue, session.stamp)
            case .write(let token):
                pending.write = write(token, refreshing: old, after: guarded.lastWrite, pending.removal)
                guarded.lastWrite = pending.write
            case .resume(let ids, let outcome):
                for id in ids {
                    guard let waiter = guarded.waiters.removeValue(forKey: id) else { continue }
                    pending.resumptions.append((waiter, outcome))
                }
            }
        }
        session.publish(guarded.tokens.session)
        return pending
    }

    /// Writes in the order of the changes, and after the former account's data is removed: a process that is killed before
    /// still has the former token, and shows no user the data of another.
    private func write(
        _ token: AccessToken?, refreshing old: AccessToken?, after former: Write?,
        _ removal: Task<[NetworkError], Never>?
    ) -> Write {
        Task { () -> TokenStoreError? in
            _ = await former?.value
            _ = await removal?.value
            do throws(TokenStoreError) {
                let lock = try await self.lock()
                defer { withExtendedLifetime(lock) {} }
                if let old, let store = store as? any SharedTokenStore {
                    try await store.finishRefresh(token, replacing: old)
                } else if let token {
                    try await store.save(token)
                } else {
                    try await store.clear()
                }
                guarded.withLock { $0.stored = .some(token) }
                return nil
            } catch {
                return error
            }
        }
    }
}

// The store, which other processes may use.
extension SharedTokens {
    /// Takes the lock of the store, which ends with the last reference to it; `nil` if the store has none.
    func lock(_ clock: any Clock<Duration> = ContinuousClock()) async throws(TokenStoreError) -> HeldLock? {
        try await store.lock(clock) { file throws(FileLock.Fault) in
            try held.withLock { held throws(FileLock.Fault) in
                if let lock = held.lock { return lock }
                let lock = try file.take()
                held.lock = lock
                return lock
            }
        }
    }

    /// Reads the store.
    func load() async throws(TokenStoreError) -> AccessToken? {
        let token = try await store.load()
        guarded.withLock { $0.stored = .some(token) }
        return token
    }

    /// Reads the store again. If it can't be read, nothing is known to have changed.
    func lookAgain() async -> Finding {
        guard let former = guarded.withLock(\.stored) else { return .unchanged }
        let stored: AccessToken?
        do throws(TokenStoreError) { stored = try await load() } catch { return .unchanged }
        guard let stored else { return former == nil ? .unchanged : .removed }
        return former.map(stored.isSame) == true ? .unchanged : .other(stored)
    }

    /// Ends the session after a sign-out in another process, unless the refresh that has seen it no longer counts.
    func end(refresh number: UInt64) {
        guard isRefreshing(number) else { return }
        adopt(nil)
    }
}

extension AccessToken {
    /// Whether both have the same secrets. The expiry is less exact in a store.
    fileprivate func isSame(_ other: AccessToken) -> Bool { access == other.access && refresh == other.refresh }
}

/// Counts the refreshes of a token.
package final class RefreshCount: Sendable {
    private let count = Atomic(0)

    package init() {}

    package var value: Int { count.load(ordering: .relaxed) }

    package func add() { count.wrappingAdd(1, ordering: .relaxed) }
}

// The stores that are in use.
extension SharedTokens {
    private struct Known {
        var entries: [Entry] = []
        /// Counts the additions.
        var version = 0
    }

    private struct Entry {
        let id: ObjectIdentifier
        weak var tokens: SharedTokens?
    }

    private static let known = Mutex(Known())

    /// The tokens of a store; created if the store isn't in use. The leeway of the first user counts.
    static func over(_ store: any TokenStore, leeway: Duration = .seconds(60)) -> SharedTokens {
        while true {
            let (entries, version) = known.withLock { ($0.entries, $0.version) }
            // A store's `==` is foreign code, and a released object locks the table: neither may happen under the lock.
            let tokens = entries.lazy.compactMap(\.tokens).first { isSame($0.store, store) }
            if let tokens { return tokens }
            let new = SharedTokens(store, leeway: leeway)
            let isAdded = known.withLock { known in
                guard known.version == version else { return false }
                known.entries.append(Entry(id: ObjectIdentifier(new), tokens: new))
                known.version += 1
                return true
            }
            if isAdded { return new }
        }
    }

    /// Whether both are the same object, or equal values. A value that isn't `Hashable` equals no other.
    private static func isSame(_ left: any TokenStore, _ right: any TokenStore) -> Bool {
        guard !(type(of: left) is AnyClass), !(type(of: right) is AnyClass) else {
            guard let left = AccountPart.identity(of: left) else { return false }
            return left == AccountPart.identity(of: right)
        }
        guard let left = left as? any TokenStore & Hashable, let right = right as? any TokenStore & Hashable else {
            return false
        }
        return AnyHashable(left) == AnyHashable(right)
    }
}
