/// Decides when a token is used, read, replaced or cleared, and when the account changes: events in, effects out.
///
/// Adds expiry and the account to `TokenRefresh`. It has no clock and no store, and performs nothing itself.
struct TokenState: Sendable {
    typealias Issue = TokenRefresh<AccessToken>.Issue
    typealias Outcome = Result<Issue, NetworkError>

    /// Something to do after an event.
    enum Effect: Sendable {
        /// Another account is current from now on, or none.
        case changeAccount(to: AccountSession.State, removing: AccountPart.Scope)
        /// Read the store.
        case read
        /// Refresh this token, and report the outcome under this number.
        case refresh(number: UInt64, Issue)
        /// Store this token; `nil` clears the store.
        case write(AccessToken?)
        case resume([UInt64], Outcome)
    }

    private struct Expiry: Sendable {
        let generation: UInt64
        let date: Date
        /// When to replace the token although it still works; later after a failed attempt.
        var replacement: Date
    }

    private let leeway: TimeInterval
    private var machine = TokenRefresh<AccessToken>()
    private var expiry: Expiry?
    /// Why the token is missing, if it is.
    private var end = AccountSession.End.notSignedIn

    /// - Parameter leeway: How long before its expiry a token is replaced.
    init(leeway: TimeInterval) {
        self.leeway = leeway
    }

    /// The state of the account session; `nil` until the store has been read.
    var session: AccountSession.State? {
        switch machine.state {
        case .unread, .reading: nil
        case .none: .ended(end)
        case .valid, .failed: .signedIn
        case .refreshing: .refreshing
        }
    }

    /// The token, even one that has expired or is being replaced.
    var token: AccessToken? {
        switch machine.state {
        case .unread, .reading, .none: nil
        case .valid(let issue), .failed(let issue): issue.value
        case .refreshing(let attempt): attempt.issue.value
        }
    }

    /// Whether the refresh with this number is in progress.
    func isRefreshing(_ number: UInt64) -> Bool {
        if case .refreshing(let attempt) = machine.state { attempt.number == number } else { false }
    }

    /// The token that can be used without waiting, with the effects of starting its replacement.
    mutating func usableToken(at now: Date) -> (issue: Issue, effects: [Effect])? {
        guard let expiry, now >= expiry.replacement else { return machine.current.map { ($0, []) } }
        guard now < expiry.date, let issue = machine.current else { return nil }
        return (issue, effects(of: machine.handle(.expiryNear(generation: expiry.generation)), nil))
    }

    /// - Parameter error: What waiters get if the event is a failure.
    mutating func handle(
        _ event: TokenEvent<AccessToken>, _ error: NetworkError? = nil, at now: Date
    ) -> [Effect] {
        let wasSignedOut = if case .none = machine.state { true } else { false }
        let actions = expiryActions(before: event, at: now) + machine.handle(event)
        let change = accountChange(after: event, actions, error, wasSignedOut: wasSignedOut)
        if case .read = event { setExpiry(margin: leeway) } else { setExpiry(margin: shortenedLeeway(at: now)) }
        if case .refreshFailed = event { postponeReplacement(at: now) }
        return change + effects(of: actions, error)
    }

    mutating func removeWaiter(_ id: UInt64) {
        _ = machine.handle(.cancelled(id))
    }

    /// Reports an expiry to the machine before a caller gets a token.
    private mutating func expiryActions(
        before event: TokenEvent<AccessToken>, at now: Date
    ) -> [TokenAction<AccessToken>] {
        guard let expiry, now >= expiry.replacement else { return [] }
        switch event {
        case .tokenNeeded, .tokenRefused:
            let generation = expiry.generation
            return machine.handle(
                now >= expiry.date ? .expired(generation: generation) : .expiryNear(generation: generation))
        default: return []
        }
    }

    private mutating func accountChange(
        after event: TokenEvent<AccessToken>, _ actions: [TokenAction<AccessToken>], _ error: NetworkError?,
        wasSignedOut: Bool
    ) -> [Effect] {
        switch event {
        case .replaced(.some):
            return [.changeAccount(to: .signedIn, removing: wasSignedOut ? .allButCookies : .everything)]
        case .replaced(nil):
            end = .signedOut
        case .refreshFailed, .replacementRefused:
            guard actions.contains(where: { if case .clear = $0 { true } else { false } }) else { return [] }
            end = .refused(error ?? Self.unauthorized)
        default: return []
        }
        return [.changeAccount(to: .ended(end), removing: .everything)]
    }

    private func effects(of actions: [TokenAction<AccessToken>], _ error: NetworkError?) -> [Effect] {
        actions.map { action in
            switch action {
            case .read: .read
            case .refresh(let number, let issue): .refresh(number: number, issue)
            case .save(let token): .write(token)
            case .clear: .write(nil)
            case .resume(let waiters, .token(let issue)): .resume(waiters, .success(issue))
            case .resume(let waiters, _): .resume(waiters, .failure(error ?? Self.unauthorized))
            }
        }
    }

    private static var unauthorized: NetworkError { NetworkError(.unauthorized, phase: .middleware) }

    private mutating func setExpiry(margin: TimeInterval) {
        guard let issue = machine.current, issue.generation != expiry?.generation else { return }
        expiry = issue.value.expiry.map {
            Expiry(generation: issue.generation, date: $0, replacement: $0.addingTimeInterval(-margin))
        }
    }

    /// Prevents a token that lives shorter than the leeway from being refreshed for every request.
    private func shortenedLeeway(at now: Date) -> TimeInterval {
        guard let date = machine.current?.value.expiry else { return leeway }
        return min(leeway, max(0, date.timeIntervalSince(now)) / 4)
    }

    /// Prevents the next request from retrying a failed refresh while the token still works.
    private mutating func postponeReplacement(at now: Date) {
        guard let expiry, now >= expiry.replacement, machine.current?.generation == expiry.generation else { return }
        self.expiry?.replacement = now.addingTimeInterval(min(30, expiry.date.timeIntervalSince(now) / 4))
    }
}
