import GodwitCore
import Synchronization

/// The accounts of a model's values: those of all clients used by its work.
final class AccountMark: Sendable {
    private struct Entry {
        let session: AccountSession
        var stamp: AccountStamp
        let ending: AccountEnding
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])
    private let changed: @MainActor @Sendable () -> Void

    /// - Parameter changed: Called when an account changes, before calls of the next account start.
    init(_ changed: @escaping @MainActor @Sendable () -> Void) {
        self.changed = changed
    }

    /// Adds an account if it is new.
    func note(_ session: AccountSession) {
        entries.withLock { entries in
            guard entries[ObjectIdentifier(session)] == nil else { return }
            let stamp = session.stamp
            let ending = AccountEnding(session)
            ending.action = { [weak self] in await self?.leaveChangedAccount() }
            entries[ObjectIdentifier(session)] = Entry(session: session, stamp: stamp, ending: ending)
        }
    }

    /// Calls the closure if an account has changed, once for each change: what a model begins afterwards belongs to the
    /// next account.
    @MainActor
    func leaveChangedAccount() {
        if hasChanged() { changed() }
    }

    /// Whether an account changed since the last call.
    private func hasChanged() -> Bool {
        entries.withLock { entries in
            var hasChanged = false
            for (id, entry) in entries where !entry.session.isCurrent(entry.stamp) {
                entries[id]?.stamp = entry.session.stamp
                hasChanged = true
            }
            return hasChanged
        }
    }

    /// Whether an account changed since the last call of ``leaveChangedAccount()``.
    var isOutdated: Bool {
        entries.withLock { $0.values.contains { !$0.session.isCurrent($0.stamp) } }
    }

    /// The scope for work whose calls' accounts are recorded.
    func scope(_ policy: CachePolicy?) -> CallScope {
        CallScope(cachePolicy: policy) { [weak self] in self?.note($0) }
    }
}
