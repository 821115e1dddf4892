import Synchronization

/// Something that a client keeps for its account, and that is removed when the account changes.
struct AccountPart: Sendable {
    enum Kind: Sendable {
        case cookies, other
    }

    /// What is removed.
    enum Scope: Sendable {
        case everything
        /// Where nobody was signed in: the cookies are those that the sign-in itself set.
        case allButCookies

        func includes(_ kind: Kind) -> Bool {
            self == .everything || kind != .cookies
        }
    }

    let kind: Kind
    /// Which object it is; `nil` for a store that is not a class.
    let identity: ObjectIdentifier?
    /// Removes everything, also on disk; the error if that was not possible.
    let remove: @Sendable () async -> NetworkError?

    /// - Parameters:
    ///   - identity: Which object it is; `nil` if that cannot be told.
    ///   - remove: Removes everything, also on disk; returns the error if that was not possible.
    init(_ kind: Kind, _ identity: ObjectIdentifier?, remove: @escaping @Sendable () async -> NetworkError?) {
        self.kind = kind
        self.identity = identity
        self.remove = remove
    }

    /// Something to do, in place of something to remove.
    init(_ action: @escaping @Sendable () async -> Void) {
        kind = .other
        identity = nil
        remove = {
            await action()
            return nil
        }
    }

    /// Which object a store is; `nil` for one that is not a class.
    static func identity(of store: any Sendable) -> ObjectIdentifier? {
        type(of: store) is AnyClass ? ObjectIdentifier(store as AnyObject) : nil
    }

    /// Each object once; cookies first, as they go out with the very next request.
    static func distinct(_ parts: [AccountPart]) -> [AccountPart] {
        var known: Set<ObjectIdentifier> = []
        let distinct = parts.filter { part in part.identity.map { known.insert($0).inserted } ?? true }
        return distinct.filter { $0.kind == .cookies } + distinct.filter { $0.kind != .cookies }
    }
}

/// Something to do when the account changes, such as to close a socket; not done any more once this is gone.
package final class AccountEnding: Sendable {
    private let membership = Mutex<AccountMembership?>(nil)
    private let stored = Mutex<(@Sendable () async -> Void)?>(nil)

    package init(_ session: AccountSession) {
        let part = AccountPart { [weak self] in await self?.action?() }
        membership.withLock { $0 = AccountMembership(session, [part]) }
    }

    /// Called while the next account's calls wait: it must not wait for a peer.
    package var action: (@Sendable () async -> Void)? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}

/// The parts of one client in a session; they leave it with the client.
package final class AccountMembership: Sendable {
    package let session: AccountSession
    /// Whether the calls are those of refreshes, which belong to the account whose token is refreshed.
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

    /// The generation that a call starts in; `nil` if that is not to be had without waiting or a closer look.
    var settledStamp: AccountStamp? { isForRefresh ? nil : session.settledStamp }

    /// Adds a part that is first used now; returns whether it may hold something of a former account.
    func adopt(_ part: AccountPart) -> Bool {
        guard let identity = part.identity, !session.holds(identity) else { return false }
        session.add([part], for: id)
        return session.hasChanged
    }
}

/// Which sessions have a part in common, and so change together.
enum AccountLinks {
    private struct Link {
        let member: UInt64
        weak var session: AccountSession?
    }

    /// A part is held by its sessions for as long as it is here: no other object has its identity.
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

    /// The session and all that share a part with it, or with one of those.
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
