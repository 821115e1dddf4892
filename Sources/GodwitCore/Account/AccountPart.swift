import Synchronization

/// Data that a client keeps for its account, to be removed when the account changes.
package struct AccountPart: Sendable {
    enum Kind: Sendable {
        case cookies, other
    }

    /// What is removed.
    package enum Scope: Sendable, Hashable {
        case everything
        /// If no user was signed in: the sign-in itself may have set the cookies.
        case allButCookies

        func includes(_ kind: Kind) -> Bool {
            self == .everything || kind != .cookies
        }
    }

    let kind: Kind
    /// The store, if it is a class.
    let identity: ObjectIdentifier?
    /// Removes everything, also on disk. Returns the error if that failed.
    let remove: @Sendable () async -> NetworkError?

    init(_ kind: Kind, _ identity: ObjectIdentifier?, remove: @escaping @Sendable () async -> NetworkError?) {
        self.kind = kind
        self.identity = identity
        self.remove = remove
    }

    /// An action instead of data.
    init(_ action: @escaping @Sendable () async -> Void) {
        kind = .other
        identity = nil
        remove = {
            await action()
            return nil
        }
    }

    /// The identity of a store; `nil` if it isn't a class.
    static func identity(of store: any Sendable) -> ObjectIdentifier? {
        type(of: store) is AnyClass ? ObjectIdentifier(store as AnyObject) : nil
    }

    /// Each object once. Cookies come first, because the next request would send them.
    static func distinct(_ parts: [AccountPart]) -> [AccountPart] {
        var known: Set<ObjectIdentifier> = []
        let distinct = parts.filter { part in part.identity.map { known.insert($0).inserted } ?? true }
        return distinct.filter { $0.kind == .cookies } + distinct.filter { $0.kind != .cookies }
    }
}

/// An action for when the account changes, such as closing a socket, until this object is released.
package final class AccountEnding: Sendable {
    private let membership = Mutex<AccountMembership?>(nil)
    private let stored = Mutex<(@Sendable () async -> Void)?>(nil)

    package init(_ session: AccountSession) {
        let part = AccountPart { [weak self] in await self?.action?() }
        membership.withLock { $0 = AccountMembership(session, [part]) }
    }

    /// Called while the next account's calls wait, so it must not wait for a peer.
    package var action: (@Sendable () async -> Void)? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}

/// The parts of one client in a session, until the client is released.
final class AccountMembership: Sendable {
    let session: AccountSession
    /// Whether the calls refresh tokens. They belong to the account whose token is refreshed.
    private let isForRefresh: Bool
    private let id: UInt64

    private static let lastID = Atomic<UInt64>(0)

    init(_ session: AccountSession, _ parts: [AccountPart], isForRefresh: Bool = false) {
        self.session = session
        self.isForRefresh = isForRefresh
        id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        session.add(parts, for: id)
    }

    deinit {
        session.remove(id)
    }

    /// The generation in which a call starts; `nil` if `begin` has to decide.
    var settledStamp: AccountStamp? { isForRefresh ? nil : session.settledStamp }

    /// Adds a part on its first use. Returns whether it may contain data of a former account.
    func adopt(_ part: AccountPart) -> Bool {
        guard let identity = part.identity, !session.holds(identity) else { return false }
        session.add([part], for: id)
        return session.hasChanged
    }
}

/// The sessions that share parts, and therefore change together.
enum AccountLinks {
    private struct Link {
        let member: UInt64
        weak var session: AccountSession?
    }

    /// Sessions retain the parts that are listed here, so an identity is unique.
    private static let links = Mutex<[ObjectIdentifier: [Link]]>([:])

    static func add(_ part: ObjectIdentifier?, _ session: AccountSession, for member: UInt64) {
        guard let part else { return }
        links.withLock { $0[part, default: []].append(Link(member: member, session: session)) }
    }

    static func remove(_ part: ObjectIdentifier?, for member: UInt64) {
        guard let part else { return }
        links.withLock { links in
            links[part]?.removeAll { $0.member == member }
            if links[part]?.isEmpty == true { links[part] = nil }
        }
    }

    /// The session, and all that share a part with it, directly or indirectly.
    static func group(of session: AccountSession) -> [AccountSession] {
        var group = [session]
        var next = 0
        while next < group.count {
            let parts = group[next].partIdentities
            let linked = links.withLock { links in parts.flatMap { links[$0] ?? [] }.compactMap(\.session) }
            for other in linked where !group.contains(where: { $0 === other }) { group.append(other) }
            next += 1
        }
        return group
    }
}
