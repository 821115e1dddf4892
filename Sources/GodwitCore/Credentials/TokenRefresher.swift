import GodwitSupport

/// Holds the token of one user or program, and replaces it when it expires or the server refuses it.
///
/// ```swift
/// let tokens = TokenRefresher(store: FileTokenStore(at: file)) { old in
///     try await auth.send(.refresh(old))              // an endpoint that is .unauthenticated()
/// }
/// try await tokens.signIn(try await auth.send(.login(form)))
/// ```
///
/// - All requests that meet an expired token share one refresh. A canceled caller leaves; the refresh continues.
/// - Waiting callers continue after the new token has been stored, or couldn't be.
/// - A token that expires within the leeway is replaced in the background, and used until it expires. After that,
///   requests wait for the new one.
/// - If the refresh throws `.unauthorized`, or its response says `invalid_grant` (RFC 6749 section 5.2), the session
///   ends: the token is cleared, and every caller that needs one gets `.unauthorized`. After any other error
///   (`invalid_client`, a firewall's 403, a 5xx, no network), the token is kept, waiting callers get the error, and the
///   next request tries again.
/// - Refreshers over the same store share the token, if the store is a class or `Hashable`.
/// - If several processes use the store (``TokenStore/lockFile``), one of them refreshes, and the others wait up to 60 s and
///   use its token. What another process has stored is never removed.
public final class TokenRefresher: Sendable {
    /// Requests a new token. If the new one has no refresh token, the old refresh token is kept.
    public typealias Refresh = @Sendable (_ old: AccessToken) async throws -> AccessToken

    typealias Issue = TokenState.Issue

    /// The owner of the token, and whether a user is signed in. See ``AccountSession``.
    public var session: AccountSession {
        if !shared.isRead { Task { await readStore() } }
        return shared.session
    }

    let shared: SharedTokens
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let onStoreFailure: @Sendable (TokenStoreError) -> Void
    private let refresh: Refresh

    /// The refresh that started the task.
    @TaskLocal private static var refreshing: (tokens: ObjectIdentifier, number: UInt64)?

    /// Creates a refresher over a store, which is read when the first token is needed.
    ///
    /// - Parameters:
    ///   - store: Keeps the token between runs.
    ///   - leeway: How long before its expiry a token is replaced, at most a quarter of its lifetime. 60 s by default.
    ///   - now: The time that expiries are compared with.
    ///   - onStoreFailure: Called if a refreshed token can't be stored; the token is still used.
    ///   - refresh: Requests a new token.
    public convenience init(
        store: some TokenStore, leeway: Duration = .seconds(60), now: @escaping @Sendable () -> Date = { Date() },
        onStoreFailure: @escaping @Sendable (TokenStoreError) -> Void = { _ in }, refresh: @escaping Refresh
    ) {
        self.init(SharedTokens.over(store, leeway: leeway), now: now, onStoreFailure: onStoreFailure, refresh: refresh)
    }

    /// - Parameter clock: Measures the wait for another process.
    package convenience init(store: some TokenStore, clock: any Clock<Duration>, refresh: @escaping Refresh) {
        self.init(SharedTokens.over(store), clock: clock, refresh: refresh)
    }

    init(
        _ shared: SharedTokens, now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(),
        onStoreFailure: @escaping @Sendable (TokenStoreError) -> Void = { _ in }, refresh: @escaping Refresh
    ) {
        self.shared = shared
        self.now = now
        self.clock = clock
        self.onStoreFailure = onStoreFailure
        self.refresh = refresh
    }

    /// The token in the store, expired or not; `nil` if there is none, or it can't be read.
    package func storedToken() async -> AccessToken? { (try? await shared.store.load()) ?? nil }

    /// Returns a valid token, waiting for a refresh that is due or in progress.
    ///
    /// - Throws: `.unauthorized` if no user is signed in, `.file` if the store can't be read, `.cancelled` if the task
    ///   is canceled, or the error of a failed refresh.
    public func token() async throws(NetworkError) -> AccessToken {
        try await current().value
    }

    /// Uses and stores a token, as that of another account.
    ///
    /// The session's clients remove the data of the former account, and send none of its calls again. Cookies stay if
    /// no user was signed in, because the sign-in may have set them.
    ///
    /// ```swift
    /// try await tokens.signIn(oauth.signIn { page in print("Open", page) }.token)
    /// ```
    ///
    /// - Parameter token: The token that a sign-in returned.
    /// - Throws: `.file` if the token can't be stored; it is still used.
    public func signIn(_ token: AccessToken) async throws(NetworkError) {
        // Whether this replaces another account is known only once the store has been read.
        await readStore()
        try await replace(by: token)
    }

    /// Removes the token and the account's data from the session's clients.
    ///
    /// Callers that wait for a token get `.unauthorized`. The token of a refresh in progress is not kept.
    ///
    /// - Throws: `.file` if the stored token, or a client's file, can't be removed.
    public func signOut() async throws(NetworkError) {
        try await replace(by: nil)
    }

    private func replace(by token: AccessToken?) async throws(NetworkError) {
        let pending = handle(.replaced(token))
        var failures = await pending.removal?.value ?? []
        if let error = await pending.write?.value { failures.append(NetworkError(error)) }
        if let error = NetworkError.joining(failures) { throw error }
    }

    private func readStore() async {
        guard !shared.isRead else { return }
        _ = try? await wait { .tokenNeeded($0) }
    }
}

// For requests.
extension TokenRefresher {
    /// The token of the account that a call belongs to; without a stamp, of any account.
    ///
    /// - Throws: An error with ``AccountChanged`` if the account has changed.
    func current(for stamp: AccountStamp? = nil) async throws(NetworkError) -> Issue {
        if let (issue, pending) = try shared.usableToken(for: stamp, at: now()) {
            if let pending { run(pending) }
            return issue
        }
        try refuseOwnRefresh()
        // The stored token may have expired: the second wait then refreshes it.
        if !shared.isRead { _ = try await wait { .tokenNeeded($0) } }
        let issue = try await wait { .tokenNeeded($0) }
        try shared.session.check(stamp)
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

    /// Starts the replacement of a refused token.
    func startReplacing(_ issue: Issue) {
        handle(.tokenRefused(generation: issue.generation, waiter: nil))
    }

    /// Ends the session, because the server refused a token that was just refreshed. If another process has stored another
    /// token, later requests use that.
    func giveUp(_ issue: Issue, _ head: HTTPResponseHead) async {
        let lock: HeldLock?
        do throws(TokenStoreError) {
            lock = try await self.lock()
        } catch {
            return onStoreFailure(error)
        }
        defer { withExtendedLifetime(lock) {} }
        if lock != nil, case .other(let token) = await shared.lookAgain() {
            handle(.found(generation: issue.generation, token))
            return
        }
        let error = NetworkError(.unauthorized, phase: .validating, response: head)
        await reportFailure(of: handle(.replacementRefused(generation: issue.generation), error).write)
    }

    /// Throws if the refresh would wait for its own result.
    private func refuseOwnRefresh() throws(NetworkError) {
        // A task that the refresh started can outlive it, and may wait for a later one.
        guard let own = Self.refreshing, own.tokens == ObjectIdentifier(shared), shared.isRefreshing(own.number) else {
            return
        }
        let reason = "the refresh call itself asks for a token; make its endpoint .unauthenticated()"
        throw NetworkError(.invalidRequest(reason: reason), phase: .middleware)
    }

    private func wait(for event: (UInt64) -> TokenEvent<AccessToken>) async throws(NetworkError) -> Issue {
        guard !Task.isCancelled else { throw Self.cancelled }
        let (id, waiter, pending) = shared.addWaiter(for: event, at: now())
        run(pending)
        let outcome = await waiter.value {
            if shared.removeWaiter(id) { waiter.resume(returning: .failure(Self.cancelled)) }
        }
        return try outcome.get()
    }

    private static var cancelled: NetworkError { NetworkError(.cancelled, phase: .middleware) }
}

// Effects.
extension TokenRefresher {
    @discardableResult
    private func handle(_ event: TokenEvent<AccessToken>, _ error: NetworkError? = nil) -> SharedTokens.Pending {
        let pending = shared.handle(event, error, at: now())
        run(pending)
        return pending
    }

    private func run(_ pending: SharedTokens.Pending) {
        if let write = pending.write, !pending.resumptions.isEmpty {
            // A program may exit right after its response: a refresh token that works once would be lost.
            Task {
                _ = await write.value
                for (waiter, outcome) in pending.resumptions { waiter.resume(returning: outcome) }
            }
        } else {
            for (waiter, outcome) in pending.resumptions { waiter.resume(returning: outcome) }
        }
        if pending.reads { Task { await read() } }
        if let (number, issue, stamp) = pending.refresh { Task { await refresh(issue, number, stamp) } }
    }

    private func read() async {
        do throws(TokenStoreError) {
            handle(.read(try await shared.load()))
        } catch {
            handle(.readFailed, NetworkError(error))
        }
    }

    /// Refreshes a token, or takes the one that another process has stored in its place.
    private func refresh(_ issue: Issue, _ number: UInt64, _ stamp: AccountStamp) async {
        let lock: HeldLock?
        do throws(TokenStoreError) {
            lock = try await self.lock()
        } catch {
            handle(.refreshFailed(attempt: number, .passing), NetworkError(error))
            return
        }
        // Until the new token is stored, the others wait.
        defer { withExtendedLifetime(lock) {} }
        switch lock == nil ? .unchanged : await shared.lookAgain() {
        case .unchanged: await refresh(issue.value, issue, number, stamp, isLocked: lock != nil)
        case .removed: shared.end(refresh: number)
        case .other(let token) where token.expiry.map({ $0 > now() }) ?? true:
            handle(.found(generation: issue.generation, token))
        case .other(let token): await refresh(token, issue, number, stamp, isLocked: true)
        }
    }

    /// - Parameter isLocked: Whether other processes with this store wait.
    private func refresh(
        _ old: AccessToken, _ issue: Issue, _ number: UInt64, _ stamp: AccountStamp, isLocked: Bool
    ) async {
        shared.refreshes.add()
        let result: Result<AccessToken, any Error>
        do {
            let token = try await Self.$refreshing.withValue((ObjectIdentifier(shared), number)) {
                try await AccountSession.$ownerOfTask.withValue(stamp) { try await refresh(old) }
            }
            result = .success(token.keeping(old.refresh))
        } catch {
            result = .failure(error)
        }
        // A program without this lock may have signed in: its token is neither replaced nor removed.
        if isLocked, case .other(let token) = await shared.lookAgain() {
            handle(.found(generation: issue.generation, token))
            return
        }
        await reportFailure(of: finish(result, number).write)
    }

    private func finish(_ result: Result<AccessToken, any Error>, _ number: UInt64) -> SharedTokens.Pending {
        switch result {
        case .success(let token): return handle(.refreshed(attempt: number, token))
        case .failure(let error):
            let failure = TokenFailure(error)
            return handle(.refreshFailed(attempt: number, failure), failure.networkError(error))
        }
    }

    /// Takes the lock of the store; `nil` if it has none.
    private func lock() async throws(TokenStoreError) -> HeldLock? {
        do throws(TokenStoreError) {
            return try await shared.lock(clock)
        } catch .system {
            // No process can write into this folder, nor lock it: the token is refreshed for this one alone.
            return nil
        }
    }

    private func reportFailure(of write: SharedTokens.Write?) async {
        if let error = await write?.value { onStoreFailure(error) }
    }
}

extension TokenFailure {
    /// Rejected only if the server refuses the grant: by `invalid_grant` or what some servers call it, or by a 401 that
    /// gives no other reason.
    package init(_ error: any Error) {
        let error = error as? NetworkError
        let reason = error?.underlying as? OAuthError ?? error?.body.flatMap(OAuthError.init(json:))
        if reason?.refusesGrant == true {
            self = .rejected
        } else {
            let is401 = error?.kind == .unauthorized && (error?.response?.status ?? .unauthorized) == .unauthorized
            self = is401 && reason?.refusesClient != true ? .rejected : .passing
        }
    }

    /// What callers that wait for the refresh get.
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
        // The waiting callers were not canceled.
        case .cancelled: .transport(.other("the refresh of the token was canceled"))
        // The server refused the client (`invalid_client`), not the user: signing in again would not help.
        case .unauthorized where error.response?.status.isSuccessful == true: .operationFailed
        case .unauthorized: .client(status: error.response?.status.code ?? 401)
        default: error.kind
        }
    }
}

extension NetworkError {
    /// All failures of one step as one error; `nil` if there are none.
    static func joining(_ failures: [NetworkError]) -> NetworkError? {
        guard let first = failures.first, failures.count > 1 else { return failures.first }
        let reasons = failures.map(\.description).joined(separator: "; ")
        return NetworkError(.file(reason: reasons), phase: .middleware, underlying: first)
    }
}
