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
/// - A token that expires within the leeway is replaced before a request is sent with it.
/// - A refresh that throws `.unauthorized`, `.forbidden`, `.validationFailed` or a status 400 ends the session: the
///   token is cleared, and whoever needs one gets `.unauthorized`. Any other error may pass: the token is kept,
///   those who wait get that error, and the next request tries again.
public final class TokenRefresher: Sendable {
    /// Asks the server for a new token. Where the new one has no refresh token, the old one's is kept.
    public typealias Refresh = @Sendable (_ old: AccessToken) async throws -> AccessToken

    typealias Issue = TokenRefresh<AccessToken>.Issue

    private let store: any TokenStore
    private let now: @Sendable () -> Date
    private let onStoreFailure: @Sendable (TokenStoreError) -> Void
    private let refresh: Refresh
    private let state: Mutex<TokenWaiting>

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
    public init(
        store: some TokenStore, leeway: Duration = .seconds(60), now: @escaping @Sendable () -> Date = { Date() },
        onStoreFailure: @escaping @Sendable (TokenStoreError) -> Void = { _ in }, refresh: @escaping Refresh
    ) {
        self.store = store
        self.now = now
        self.onStoreFailure = onStoreFailure
        self.refresh = refresh
        state = Mutex(TokenWaiting(store, leeway: max(.zero, leeway) / .seconds(1)))
    }

    /// A token that works as far as anybody knows; waits for a refresh that is due or under way.
    ///
    /// Throws `.unauthorized` where nobody is signed in, `.file` where the store cannot be read, `.cancelled` when the
    /// task is cancelled, and the error of a refresh that failed.
    public func token() async throws(NetworkError) -> AccessToken {
        try await current().value
    }

    /// Uses and keeps a token in place of any other. Those who wait for a refresh get it.
    ///
    /// Throws `.file` where it cannot be kept; it is used all the same.
    ///
    /// ```swift
    /// try await tokens.signIn(oauth.signIn { page in print("Open", page) }.token)
    /// ```
    ///
    /// - Parameter token: What a sign-in returned.
    public func signIn(_ token: AccessToken) async throws(NetworkError) {
        try await replace(by: token)
    }

    /// Forgets the token. Those who wait for one get `.unauthorized`, and a refresh under way counts no longer.
    ///
    /// Throws `.file` where the stored token cannot be removed.
    public func signOut() async throws(NetworkError) {
        try await replace(by: nil)
    }

    private func replace(by token: AccessToken?) async throws(NetworkError) {
        if let error = await take(.replaced(token))?.value { throw NetworkError(error) }
    }
}

// For those who send.
extension TokenRefresher {
    func current() async throws(NetworkError) -> Issue {
        let now = now()
        if let issue = state.withLock({ $0.ready(at: now) }) { return issue }
        try refuseOwnRefresh()
        // What the store held may have expired since: once it is read, the question is asked anew.
        if state.withLock({ !$0.isRead }) { _ = try await wait { .tokenNeeded($0) } }
        return try await wait { .tokenNeeded($0) }
    }

    /// The token to use after the server refused one.
    func replacement(for issue: Issue) async throws(NetworkError) -> Issue {
        try refuseOwnRefresh()
        return try await wait { .tokenRefused(generation: issue.generation, waiter: $0) }
    }

    /// Has a refused token replaced, without waiting for it.
    func startReplacing(_ issue: Issue) {
        take(.tokenRefused(generation: issue.generation, waiter: nil))
    }

    /// Ends the session, because the server refused a token that was just refreshed.
    func giveUp(_ issue: Issue) async {
        if let error = await take(.replacementRefused(generation: issue.generation))?.value { onStoreFailure(error) }
    }

    /// A refresh that needs the token it is to bring would wait for itself.
    private func refuseOwnRefresh() throws(NetworkError) {
        guard let own = Self.refreshing, own.refresher == ObjectIdentifier(self) else { return }
        // A task that the refresh began may live longer, and then waits for others.
        guard state.withLock({ $0.isRefreshing(own.attempt) }) else { return }
        let reason = "the refresh call itself asks for a token; make its endpoint .unauthenticated()"
        throw NetworkError(.invalidRequest(reason: reason), phase: .middleware)
    }

    private func wait(
        for event: @Sendable (UInt64) -> TokenEvent<AccessToken>
    ) async throws(NetworkError) -> Issue {
        let id = state.withLock { $0.newWaiter() }
        let now = now()
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let effects = state.withLock { state -> TokenWaiting.Effects? in
                    // Cancelled before: nobody would come to take the waiter out again.
                    guard !Task.isCancelled else { return nil }
                    return state.add(continuation, id, event(id), at: now)
                }
                guard let effects else { return continuation.resume(returning: Self.cancelled) }
                run(effects)
            }
        } onCancel: {
            let waiter = state.withLock { $0.remove(id) }
            waiter?.resume(returning: Self.cancelled)
        }
        return try outcome.get()
    }

    private static let cancelled = Result<Issue, NetworkError>.failure(NetworkError(.cancelled, phase: .middleware))
}

// Effects.
extension TokenRefresher {
    /// Tells the machine of an event; the write to the store that it caused, if any.
    @discardableResult
    private func take(_ event: TokenEvent<AccessToken>, _ error: NetworkError? = nil) -> TokenWaiting.Write? {
        let now = now()
        let effects = state.withLock { $0.take(event, error, at: now) }
        run(effects)
        return effects.write
    }

    private func run(_ effects: TokenWaiting.Effects) {
        resume(effects.resumptions, after: effects.write)
        if effects.reads { Task { await read() } }
        if let (number, issue) = effects.refresh { Task { await refresh(issue, number) } }
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
            take(.read(try await store.load()))
        } catch {
            take(.readFailed, NetworkError(error))
        }
    }

    private func refresh(_ issue: Issue, _ number: UInt64) async {
        do {
            var token = try await Self.$refreshing.withValue((ObjectIdentifier(self), number)) {
                try await refresh(issue.value)
            }
            token.refresh = token.refresh ?? issue.value.refresh
            let write = take(.refreshed(attempt: number, token))
            if let error = await write?.value { onStoreFailure(error) }
        } catch {
            let failure = TokenFailure(error)
            let write = take(.refreshFailed(attempt: number, failure), failure.networkError(error))
            if let error = await write?.value { onStoreFailure(error) }
        }
    }
}

extension TokenFailure {
    fileprivate init(_ error: any Error) {
        switch (error as? NetworkError)?.kind {
        case .unauthorized, .forbidden, .validationFailed, .client(status: 400): self = .rejected
        default: self = .passing
        }
    }

    /// What those who waited for the refresh are told.
    fileprivate func networkError(_ error: any Error) -> NetworkError {
        switch (self, error as? NetworkError) {
        case (.rejected, _), (.passing, nil):
            return NetworkError(.unauthorized, phase: .middleware, underlying: error)
        case (.passing, .some(let error)):
            // Those who wait have not given up themselves.
            let isCancelled = error.kind == .cancelled
            let kind = isCancelled ? .transport(.other("the refresh of the token was cancelled")) : error.kind
            return NetworkError(kind, phase: .middleware, underlying: error)
        }
    }
}
