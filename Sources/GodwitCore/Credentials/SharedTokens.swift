import Synchronization

/// The token of one store: refreshers over the same store share it, so that one refreshes, and signs out, for all.
final class SharedTokens: Sendable {
    let session: AccountSession
    let store: any TokenStore
    let state: Mutex<TokenWaiting>
    private let key: Key?

    private init(_ store: any TokenStore, _ key: Key?, leeway: Duration) {
        let session = AccountSession()
        self.session = session
        self.store = store
        self.key = key
        state = Mutex(TokenWaiting(store, of: session, leeway: max(.zero, leeway) / .seconds(1)))
    }

    deinit {
        guard let key else { return }
        // Another may have come in its place since nobody holds this one any more.
        Self.known.withLock { if $0[key]?.tokens == nil { $0[key] = nil } }
    }

    /// What is known of a store in this process; made if nobody uses the store. The first user's leeway counts.
    static func over(_ store: any TokenStore, leeway: Duration = .seconds(60)) -> SharedTokens {
        guard let key = Key(store) else { return SharedTokens(store, nil, leeway: leeway) }
        return known.withLock { known in
            if let tokens = known[key]?.tokens { return tokens }
            let tokens = SharedTokens(store, key, leeway: leeway)
            known[key] = Entry(tokens: tokens)
            return tokens
        }
    }

    private static let known = Mutex<[Key: Entry]>([:])

    private struct Entry {
        weak var tokens: SharedTokens?
    }

    /// A store by its identity: the object, or the value.
    private enum Key: Hashable, Sendable {
        case object(ObjectIdentifier)
        case value(any TokenStore & Hashable)

        /// Nil for a store that cannot be told from others.
        init?(_ store: any TokenStore) {
            if type(of: store) is AnyClass {
                self = .object(ObjectIdentifier(store as AnyObject))
            } else if let store = store as? any TokenStore & Hashable {
                self = .value(store)
            } else {
                return nil
            }
        }

        static func == (left: Key, right: Key) -> Bool {
            switch (left, right) {
            case (.object(let left), .object(let right)): left == right
            case (.value(let left), .value(let right)): AnyHashable(left) == AnyHashable(right)
            default: false
            }
        }

        func hash(into hasher: inout Hasher) {
            switch self {
            case .object(let object): hasher.combine(object)
            case .value(let store): store.hash(into: &hasher)
            }
        }
    }
}
