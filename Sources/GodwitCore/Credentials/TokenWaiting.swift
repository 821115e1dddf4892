/// What a ``TokenRefresher`` keeps behind its lock: the state machine, those who wait, and when the token is due.
///
/// It decides; what it returns is done after the lock is released.
struct TokenWaiting: Sendable {
    typealias Issue = TokenRefresh<AccessToken>.Issue
    typealias Waiter = UnsafeContinuation<Result<Issue, NetworkError>, Never>
    typealias Write = Task<TokenStoreError?, Never>
    typealias Removal = Task<[NetworkError], Never>

    /// What is to be done without the lock.
    struct Effects: Sendable {
        var resumptions: [(Waiter, Result<Issue, NetworkError>)] = []
        var reads = false
        var refresh: (number: UInt64, Issue, AccountStamp)?
        /// The write that was begun; it may be waited for.
        var write: Write?
        /// The removal of what the former account left, if this was a change of account.
        var removal: Removal?
    }

    private struct Due: Sendable {
        let generation: UInt64
        /// When the token is replaced; later after a try that failed.
        var near: Date
        let expiry: Date
    }

    /// Whose token it is: the account changes here and nowhere else, together with the token.
    let session: AccountSession
    private let store: any TokenStore
    private let leeway: TimeInterval
    private var machine = TokenRefresh<AccessToken>()
    private var waiters: [UInt64: Waiter] = [:]
    private var lastID: UInt64 = 0
    private var due: Due?
    private var lastWrite: Write?
    /// Why nobody is signed in, where that is so.
    private var end = AccountSession.End.notSignedIn

    init(_ store: any TokenStore, of session: AccountSession, leeway: TimeInterval) {
        self.session = session
        self.store = store
        self.leeway = leeway
    }

    /// Whether the store was read already, or need not be.
    var isRead: Bool {
        switch machine.state {
        case .unread, .reading: false
        case .none, .valid, .refreshing, .failed: true
        }
    }

    /// Whether the refresh of this number is under way and its outcome counts.
    func isRefreshing(_ number: UInt64) -> Bool {
        if case .refreshing(let attempt) = machine.state { attempt.number == number } else { false }
    }

    /// The token to use at once, and what is to be done besides; nil if a caller has to wait.
    ///
    /// A token that still works is used while its replacement is fetched.
    mutating func ready(at now: Date) -> (issue: Issue, effects: Effects?)? {
        guard let due, now >= due.near else { return machine.current.map { ($0, nil) } }
        guard now < due.expiry, let issue = machine.current else { return nil }
        var effects = Effects()
        collect(machine.handle(.expiryNear(generation: due.generation)), nil, into: &effects)
        session.publish(state)
        return (issue, effects)
    }

    /// What the session's observers are told.
    private var state: AccountSession.State? {
        switch machine.state {
        case .unread, .reading: nil
        case .none: .ended(end)
        case .valid, .failed: .signedIn
        case .refreshing: .refreshing
        }
    }

    mutating func newWaiter() -> UInt64 {
        lastID += 1
        return lastID
    }

    mutating func add(
        _ waiter: Waiter, _ id: UInt64, _ event: TokenEvent<AccessToken>, at now: Date
    ) -> Effects {
        waiters[id] = waiter
        var effects = Effects()
        if let due, now >= due.near {
            let isOver = now >= due.expiry
            collect(
                machine.handle(isOver ? .expired(generation: due.generation) : .expiryNear(generation: due.generation)),
                nil, into: &effects)
        }
        collect(machine.handle(event), nil, into: &effects)
        session.publish(state)
        return effects
    }

    /// Takes a waiter out that gave up; nil where it was resumed already or never came.
    mutating func remove(_ id: UInt64) -> Waiter? {
        guard let waiter = waiters.removeValue(forKey: id) else { return nil }
        _ = machine.handle(.cancelled(id))
        return waiter
    }

    /// - Parameter error: What those who wait are told where the event is a failure.
    mutating func take(_ event: TokenEvent<AccessToken>, _ error: NetworkError?, at now: Date) -> Effects {
        var effects = Effects()
        let wasSignedOut = if case .none = machine.state { true } else { false }
        let actions = machine.handle(event)
        changeAccount(event, actions, error, wasSignedOut: wasSignedOut, &effects)
        collect(actions, error, into: &effects)
        if case .read = event { setDue(margin: leeway) } else { setDue(margin: shortened(at: now)) }
        if case .refreshFailed = event { postpone(at: now) }
        session.publish(state)
        return effects
    }

    /// Someone signed in or out, or the server ended the session: from here on nothing of the former account counts.
    private mutating func changeAccount(
        _ event: TokenEvent<AccessToken>, _ actions: [TokenAction<AccessToken>], _ error: NetworkError?,
        wasSignedOut: Bool, _ effects: inout Effects
    ) {
        switch event {
        case .replaced(.some):
            effects.removal = session.advance(
                to: .signedIn, removing: wasSignedOut ? .allButCookies : .everything)
        case .replaced(nil):
            end = .signedOut
            effects.removal = session.advance(to: .ended(end), removing: .everything)
        case .refreshFailed, .replacementRefused:
            guard actions.contains(where: { if case .clear = $0 { true } else { false } }) else { return }
            end = .refused(error ?? NetworkError(.unauthorized, phase: .middleware))
            effects.removal = session.advance(to: .ended(end), removing: .everything)
        default: break
        }
    }

    /// After a failure, the next try to replace a token that still works is not made with the very next request.
    private mutating func postpone(at now: Date) {
        guard let due, now >= due.near, machine.current?.generation == due.generation else { return }
        self.due?.near = now.addingTimeInterval(min(30, due.expiry.timeIntervalSince(now) / 4))
    }

    private mutating func collect(
        _ actions: [TokenAction<AccessToken>], _ error: NetworkError?, into effects: inout Effects
    ) {
        for action in actions {
            switch action {
            case .read: effects.reads = true
            case .refresh(let number, let issue): effects.refresh = (number, issue, session.stamp)
            case .save(let token): effects.write = write(token, after: effects.removal)
            case .clear: effects.write = write(nil, after: effects.removal)
            case .resume(let ids, let outcome):
                let result = Self.result(outcome, error)
                effects.resumptions += ids.compactMap { id in waiters.removeValue(forKey: id).map { ($0, result) } }
            }
        }
    }

    private static func result(
        _ outcome: TokenOutcome<AccessToken>, _ error: NetworkError?
    ) -> Result<Issue, NetworkError> {
        switch outcome {
        case .token(let issue): .success(issue)
        case .unauthorized, .failed: .failure(error ?? NetworkError(.unauthorized, phase: .middleware))
        }
    }

    /// Begins a write after those before it: tokens reach the store in the order in which they were taken.
    ///
    /// It comes after all that the former account left is removed: a program that is killed on the way still finds the
    /// former token, and does not show one user what another left.
    private mutating func write(_ token: AccessToken?, after removal: Removal?) -> Write {
        let write = Task { [store, lastWrite] () -> TokenStoreError? in
            _ = await lastWrite?.value
            _ = await removal?.value
            do throws(TokenStoreError) {
                if let token { try await store.save(token) } else { try await store.clear() }
                return nil
            } catch {
                return error
            }
        }
        lastWrite = write
        return write
    }

    private mutating func setDue(margin: TimeInterval) {
        guard let issue = machine.current, issue.generation != due?.generation else { return }
        due = issue.value.expiry.map { expiry in
            Due(generation: issue.generation, near: expiry.addingTimeInterval(-margin), expiry: expiry)
        }
    }

    /// A token that lives shorter than the leeway would else be refreshed for each request.
    private func shortened(at now: Date) -> TimeInterval {
        guard let expiry = machine.current?.value.expiry else { return leeway }
        return min(leeway, max(0, expiry.timeIntervalSince(now)) / 4)
    }
}
