import Synchronization

/// Holds the token of one user or program, and replaces it when it expires or is refused: once, however many ask.
///
/// ```swift
/// let tokens = TokenRefresher(store: FileTokenStore(at: file)) { old in
///     try await auth.send(.refresh(old))              // an endpoint that is .unauthenticated()
/// }
/// try await tokens.signIn(try await auth.send(.login(form)))
/// ```
///
/// - Any number of requests that meet an expired token cause one refresh, and all go on with its outcome.
/// - A refresh belongs to nobody: a caller that is cancelled leaves, and the refresh goes on.
/// - Who waited for a refresh goes on once the new token is kept, or could not be.
/// - A token that expires within the leeway is replaced in the background, and used until it expires. After that,
///   requests wait for the new one.
/// - A refresh that throws `.unauthorized`, or whose response says `invalid_grant` (RFC 6749 section 5.2), ends the
///   session: the token is cleared, and every caller that needs one gets `.unauthorized`. Any other error may pass
///   (`invalid_client`, a firewall's 403, a 5xx, no network): the token is kept, callers that wait get that error, and
///   the next request tries again.
/// - Refreshers over the same store, which is a class or `Hashable`, share their token: one refresh, one session.
public final class TokenRefresher: Sendable {
    /// Asks the server for a new token. Where the new one has no refresh token, the old one's is kept.
    public typealias Refresh = @Sendable (_ old: AccessToken) async throws -> AccessToken

    typealias Issue = TokenRefresh<AccessToken>.Issue

    /// Whose token this is, and how that stands. See ``AccountSession``.
    public var session: AccountSession {
        readForObservers()
        return shared.session
    }

    let shared: SharedTokens
    private let now: @Sendable () -> Date
    private let onStoreFailure: @Sendable (TokenStoreError) -> Void
    private let refresh: Refresh

    /// Which refresh the task is part of, or was begun by.
    @TaskLocal private static var refreshing: (refresher: ObjectIdentifier, attempt: UInt64)?

    /// Makes a refresher over a store, which is read when the first token is needed.
    ///
    /// - Parameters:
    ///   - leeway: How long before its expiry a token is replaced; for a token that lives less than four times as
    ///     long, a quarter of its life.
    ///   - now: The time that expiries are compared with.
    ///   - onStoreFailure: Is told when a refreshed token cannot be kept; it is used all the same.
    ///   - refresh: Asks for a new token.
    public convenience init(
        store: some TokenStore, leeway: Duration = .seconds(60), now: @escaping @Sendable () -> Date = { Date() },
        onStoreFailure: @escaping @Sendable (TokenStoreError) -> Void = { _ in }, refresh: @escaping Refresh
    ) {
        self.init(SharedTokens.over(store, leeway: leeway), now: now, onStoreFailure: onStoreFailure, refresh: refresh)
    }

    init(
        _ shared: SharedTokens, now: @escaping @Sendable () -> Date = { Date() },
        onStoreFailure: @escaping @Sendable (TokenStoreError) -> Void = { _ in }, refresh: @escaping Refresh
    ) {
        self.shared = shared
        self.now = now
        self.onStoreFailure = onStoreFailure
        self.refresh = refresh
    }

    /// A token that works as far as anybody knows; waits for a refresh that is due or under way.
    ///
    /// Throws `.unauthorized` where nobody is signed in, `.file` where the store cannot be read, `.cancelled` when the
    /// task is cancelled, and the error of a refresh that failed.
    public func token() async throws(NetworkError) -> AccessToken {
        try await current().value
    }

    /// Uses and keeps a token in place of any other, as the token of another account: the session's clients remove what
    /// they hold for the former one, and send none of its calls again. Cookies stay if nobody was signed in, as the
    /// sign-in may have set them.
    ///
    /// Throws `.file` if it cannot be kept; it is used all the same.
    ///
    /// ```swift
    /// try await tokens.signIn(oauth.signIn { page in print("Open", page) }.token)
    /// ```
    ///
    /// - Parameter token: What a sign-in returned.
    public func signIn(_ token: AccessToken) async throws(NetworkError) {
        try await replace(by: token)
    }

    /// Forgets the token, and what the session's clients hold for the account. Callers that wait for a token get
    /// `.unauthorized`, and the token of a refresh in progress is not kept.
    ///
    /// Throws `.file` if the stored token, or what a client holds in a file, can't be removed.
    public func signOut() async throws(NetworkError) {
        try await replace(by: nil)
    }

    private func replace(by token: AccessToken?) async throws(NetworkError) {
        // Whether another account is replaced is known once the store is read.
        if token != nil { await readStore() }
        let effects = take(.replaced(token))
        var failures = await effects.removal?.value ?? []
        if let error = await effects.write?.value { failures.append(NetworkError(error)) }
        if let error = NetworkError.joining(failures) { throw error }
    }

    private func readStore() async {
        guard shared.state.withLock({ !$0.isRead }) else { return }
        _ = try? await wait { .tokenNeeded($0) }
    }

    /// The store is read for who only wants to know whether someone is signed in.
    private func readForObservers() {
        guard shared.state.withLock({ !$0.isRead }) else { return }
        Task { await readStore() }
    }
}

// For those who send.
extension TokenRefresher {
    /// The token of the account that a call belongs to; that of any account without a stamp.
    ///
    /// Throws with ``AccountChanged`` if the account is another by now.
    func current(for stamp: AccountStamp? = nil) async throws(NetworkError) -> Issue {
        let now = now()
        let session = shared.session
        // Token and account change under the same lock.
        let ready = try shared.state.withLock { state throws(NetworkError) in
            try session.check(stamp)
            return state.ready(at: now)
        }
        if let ready {
            if let effects = ready.effects { run(effects) }
            return ready.issue
        }
        try refuseOwnRefresh()
        // What the store held may have expired since: once it is read, the question is asked anew.
        if shared.state.withLock({ !$0.isRead }) { _ = try await wait { .tokenNeeded($0) } }
        let issue = try await wait { .tokenNeeded($0) }
        try session.check(stamp)
        return issue
    }

    /// The token to use after the server refused one, if the account is still the same.
    func replacement(for issue: Issue, _ stamp: AccountStamp) async throws(NetworkError) -> Issue {
        try refuseOwnRefresh()
        try shared.session.check(stamp)
        let replacement = try await wait { .tokenRefused(generation: issue.generation, waiter: $0) }
        try shared.session.check(stamp)
        return replacement
    }

    /// Has a refused token replaced, without waiting for it.
    func startReplacing(_ issue: Issue) {
        take(.tokenRefused(generation: issue.generation, waiter: nil))
    }

    /// Ends the session, because the server refused a token that was just refreshed.
    ///
    /// - Parameter head: What the server said.
    func giveUp(_ issue: Issue, _ head: HTTPResponseHead) async {
        let error = NetworkError(.unauthorized, phase: .validating, response: head)
        let effects = take(.replacementRefused(generation: issue.generation), error)
        if let error = await effects.write?.value { onStoreFailure(error) }
    }

    /// A refresh that needs the token it is to bring would wait for itself.
    private func refuseOwnRefresh() throws(NetworkError) {
        guard let own = Self.refreshing, own.refresher == ObjectIdentifier(shared) else { return }
        // A task that the refresh began may live longer, and then waits for others.
        guard shared.state.withLock({ $0.isRefreshing(own.attempt) }) else { return }
        let reason = "the refresh call itself asks for a token; make its endpoint .unauthenticated()"
        throw NetworkError(.invalidRequest(reason: reason), phase: .middleware)
    }

    private func wait(
        for event: @Sendable (UInt64) -> TokenEvent<AccessToken>
    ) async throws(NetworkError) -> Issue {
        let id = shared.state.withLock { $0.newWaiter() }
        let now = now()
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let effects = shared.state.withLock { state -> TokenWaiting.Effects? in
                    // Cancelled before: nobody would come to take the waiter out again.
                    guard !Task.isCancelled else { return nil }
                    return state.add(continuation, id, event(id), at: now)
                }
                guard let effects else { return continuation.resume(returning: Self.cancelled) }
                run(effects)
            }
        } onCancel: {
            let waiter = shared.state.withLock { $0.remove(id) }
            waiter?.resume(returning: Self.cancelled)
        }
        return try outcome.get()
    }

    private static let cancelled = Result<Issue, NetworkError>.failure(NetworkError(.cancelled, phase: .middleware))
}

// Effects.
extension TokenRefresher {
    /// Takes an event to the machine, and does what follows from it.
    @discardableResult
    private func take(_ event: TokenEvent<AccessToken>, _ error: NetworkError? = nil) -> TokenWaiting.Effects {
        let now = now()
        let effects = shared.state.withLock { $0.take(event, error, at: now) }
        run(effects)
        return effects
    }

    private func run(_ effects: TokenWaiting.Effects) {
        resume(effects.resumptions, after: effects.write)
        if effects.reads { Task { await read() } }
        if let (number, issue, stamp) = effects.refresh { Task { await refresh(issue, number, stamp) } }
    }

    /// What a caller goes on with is kept by then: a program that ends with its answer would lose a refresh token that
    /// works once.
    private func resume(
        _ resumptions: [(TokenWaiting.Waiter, Result<Issue, NetworkError>)], after write: TokenWaiting.Write?
    ) {
        guard let write, !resumptions.isEmpty else {
            for (waiter, result) in resumptions { waiter.resume(returning: result) }
            return
        }
        Task {
            _ = await write.value
            for (waiter, result) in resumptions { waiter.resume(returning: result) }
        }
    }

    private func read() async {
        do throws(TokenStoreError) {
            take(.read(try await shared.store.load()))
        } catch {
            take(.readFailed, NetworkError(error))
        }
    }

    private func refresh(_ issue: Issue, _ number: UInt64, _ stamp: AccountStamp) async {
        do {
            var token = try await Self.$refreshing.withValue((ObjectIdentifier(shared), number)) {
                try await AccountSession.$ownerOfTask.withValue(stamp) { try await refresh(issue.value) }
            }
            token.refresh = token.refresh ?? issue.value.refresh
            let write = take(.refreshed(attempt: number, token)).write
            if let error = await write?.value { onStoreFailure(error) }
        } catch {
            let failure = TokenFailure(error)
            let write = take(.refreshFailed(attempt: number, failure), failure.networkError(error)).write
            if let error = await write?.value { onStoreFailure(error) }
        }
    }
}

extension TokenFailure {
    /// Only the server's word on the grant itself ends a session: `invalid_grant`, or a 401 that gives no other reason.
    fileprivate init(_ error: any Error) {
        let error = error as? NetworkError
        let reason = error?.underlying as? OAuthError ?? error?.body.flatMap(OAuthError.init(json:))
        if reason?.refusesGrant == true {
            self = .rejected
        } else {
            let is401 = error?.kind == .unauthorized && (error?.response?.status ?? .unauthorized) == .unauthorized
            self = is401 && reason?.refusesClient != true ? .rejected : .passing
        }
    }

    /// What those who waited for the refresh are told.
    fileprivate func networkError(_ error: any Error) -> NetworkError {
        switch (self, error as? NetworkError) {
        case (.rejected, _), (.passing, nil):
            return NetworkError(.unauthorized, phase: .middleware, underlying: error)
        case (.passing, .some(let error)):
            return NetworkError(Self.kind(error), phase: .middleware, underlying: error)
        }
    }

    private static func kind(_ error: NetworkError) -> NetworkError.Kind {
        switch error.kind {
        // Those who wait have not given up themselves.
        case .cancelled: .transport(.other("the refresh of the token was cancelled"))
        // The client was refused (`invalid_client`), not the user: to sign in anew would not help.
        case .unauthorized: .client(status: error.response?.status.code ?? 401)
        default: error.kind
        }
    }
}

extension NetworkError {
    /// All failures of one step as one error; `nil` for none.
    static func joining(_ failures: [NetworkError]) -> NetworkError? {
        guard let first = failures.first, failures.count > 1 else { return failures.first }
        let reasons = failures.map(\.description).joined(separator: "; ")
        return NetworkError(.file(reason: reasons), phase: .middleware, underlying: first)
    }
}
