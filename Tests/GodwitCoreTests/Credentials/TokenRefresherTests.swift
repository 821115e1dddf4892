import GodwitCore
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("A3 refreshing tokens", .timeLimit(.minutes(15)))
struct TokenRefresherTests {
    private let clock = TestClock()
    private let calls = Collected<AccessToken>()

    private var now: @Sendable () -> Date {
        { [clock] in Date(timeIntervalSince1970: clock.now.offset / .seconds(1)) }
    }

    private func token(_ access: String, expiresAt second: Double?) -> AccessToken {
        AccessToken(access: access, refresh: "r", expiry: second.map(Date.init(timeIntervalSince1970:)))
    }

    private func refresher(
        _ store: some TokenStore, leeway: Duration = .seconds(60),
        onStoreFailure: @escaping @Sendable (TokenStoreError) -> Void = { _ in },
        refresh: @escaping TokenRefresher.Refresh
    ) -> TokenRefresher {
        TokenRefresher(store: store, leeway: leeway, now: now, onStoreFailure: onStoreFailure) { [calls] old in
            calls.append(old)
            return try await refresh(old)
        }
    }

    @Test("A3 a token is replaced shortly before it expires, and used during its refresh")
    func proactive() async throws {
        let gate = Watched(false)
        let store = MemoryTokenStore(token("old", expiresAt: 1000))
        let tokens = refresher(store) { _ in
            try await gate.wait { $0 }
            return AccessToken(access: "new")
        }
        clock.advance(by: .seconds(939))
        #expect(try await tokens.token().access == "old")
        #expect(calls.values.isEmpty)
        clock.advance(by: .seconds(1))
        for _ in 0..<3 { #expect(try await tokens.token().access == "old") }
        gate.update { $0 = true }
        await eventually { store.load()?.access == "new" }
        #expect(try await tokens.token().access == "new")
        #expect(calls.values.count == 1)
    }

    @Test("A3 a token that expires during its refresh is no longer used")
    func expiresMeanwhile() async throws {
        let gate = Watched(false)
        let tokens = refresher(MemoryTokenStore(token("old", expiresAt: 1000))) { _ in
            try await gate.wait { $0 }
            return AccessToken(access: "new")
        }
        clock.advance(by: .seconds(950))
        #expect(try await tokens.token().access == "old")
        clock.advance(by: .seconds(50))
        let late = Task { try await tokens.token().access }
        gate.update { $0 = true }
        #expect(try await late.value == "new")
        #expect(calls.values.count == 1)
    }

    @Test("A3 a stored token that has expired is replaced before it is used")
    func expiredInStore() async throws {
        clock.advance(by: .seconds(2000))
        let tokens = refresher(MemoryTokenStore(token("old", expiresAt: 1000))) { _ in AccessToken(access: "new") }
        #expect(try await tokens.token().access == "new")
    }

    @Test("A3 if a proactive refresh fails, the token is used until it expires")
    func proactiveFailure() async throws {
        let tokens = refresher(MemoryTokenStore(token("old", expiresAt: 1000))) { _ in
            throw NetworkError(.offline(.noPath), phase: .connecting)
        }
        clock.advance(by: .seconds(960))
        for _ in 0..<20 {
            #expect(try await tokens.token().access == "old")
            for _ in 0..<50 { await Task.yield() }
        }
        #expect(calls.values.count == 1, "the next try comes after a pause")
        clock.advance(by: .seconds(40))
        #expect(await failure { () async throws(NetworkError) in try await tokens.token() }?.kind == .offline(.noPath))
    }

    @Test("A3 a token with a lifetime shorter than the leeway is not refreshed for each request")
    func shortLife() async throws {
        let tokens = refresher(MemoryTokenStore()) { [self] _ in token("next", expiresAt: 100) }
        try await tokens.signIn(token("first", expiresAt: 20))
        for _ in 0..<10 { #expect(try await tokens.token().access == "first") }
        clock.advance(by: .seconds(20))
        #expect(try await tokens.token().access == "next")
        #expect(calls.values.count == 1)
    }

    @Test("A3 the refresh token is kept if the new token has none")
    func keepsRefreshToken() async throws {
        let store = MemoryTokenStore(token("old", expiresAt: 0))
        let tokens = refresher(store) { _ in AccessToken(access: "new") }
        #expect(try await tokens.token().refresh == "r")
    }

    @Test("A3 without a token, no refresh is started")
    func signedOut() async throws {
        let tokens = refresher(MemoryTokenStore()) { _ in AccessToken(access: "new") }
        #expect(await failure { () async throws(NetworkError) in try await tokens.token() }?.kind == .unauthorized)
        #expect(calls.values.isEmpty)
    }

    @Test("A3 signing out during a refresh wins: its outcome is not kept")
    func signOutDuringRefresh() async throws {
        let gate = Watched(false)
        let started = Watched(false)
        let store = MemoryTokenStore(token("old", expiresAt: 0))
        let tokens = refresher(store) { _ in
            started.update { $0 = true }
            try await gate.wait { $0 }
            return AccessToken(access: "new")
        }
        let waiting = Task { try await tokens.token() }
        try await started.wait { $0 }
        try await tokens.signOut()
        gate.update { $0 = true }
        await #expect(throws: NetworkError.self) { try await waiting.value }
        #expect(store.load() == nil)
    }

    @Test("A3 a canceled task gets no token")
    func cancelled() async throws {
        let tokens = refresher(MemoryTokenStore(token("old", expiresAt: 0))) { old in old }
        let task = Task { () async -> NetworkError.Kind? in
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure { () async throws(NetworkError) in try await tokens.token() }?.kind
        }
        #expect(await task.value == .cancelled)
    }

    @Test("A3 a refresh that needs the token itself fails instead of waiting for itself")
    func recursion() async throws {
        let holder = Mutex<TokenRefresher?>(nil)
        let tokens = refresher(MemoryTokenStore(token("old", expiresAt: 0))) { old in
            try await holder.withLock { $0 }?.token() ?? old
        }
        holder.withLock { $0 = tokens }
        let error = await failure { () async throws(NetworkError) in try await tokens.token() }
        guard case .invalidRequest(let reason) = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains(".unauthenticated()"))
        holder.withLock { $0 = nil }
    }

    @Test("A3 a task that a refresh started may wait for a later refresh")
    func outlivingTask() async throws {
        let gate = Watched(false)
        let late = Mutex<Task<AccessToken, any Error>?>(nil)
        let holder = Mutex<TokenRefresher?>(nil)
        let tokens = refresher(MemoryTokenStore(token("old", expiresAt: 0))) { [self] _ in
            let own = holder.withLock { $0.take() }
            if let own {
                late.withLock {
                    $0 = Task {
                        try await gate.wait { $0 }
                        return try await own.token()
                    }
                }
            }
            return token("new", expiresAt: own == nil ? nil : 100)
        }
        holder.withLock { $0 = tokens }
        _ = try await tokens.token()
        clock.advance(by: .seconds(100))
        gate.update { $0 = true }
        _ = try await late.withLock { $0 }?.value
        #expect(calls.values.count == 2)
    }

    @Test("A2 a store that can't be read or written is reported, and the token in memory is used")
    func brokenStore() async throws {
        let failures = Collected<TokenStoreError>()
        let tokens = refresher(BrokenStore(), onStoreFailure: { failures.append($0) }) { _ in
            AccessToken(access: "new")
        }
        let expected = NetworkError.Kind.file(reason: "broken")
        #expect(await failure { () async throws(NetworkError) in try await tokens.token() }?.kind == expected)
        let old = token("old", expiresAt: 10)
        #expect(await failure { () async throws(NetworkError) in try await tokens.signIn(old) }?.kind == expected)
        #expect(try await tokens.token().access == "old")
    }

    @Test(
        "A3 no caller waits forever, in any sequence of calls, cancellations, sign-ins and sign-outs", arguments: 0..<20
    )
    func interleaving(seed: Int) async throws {
        let tokens = refresher(MemoryTokenStore(token("t", expiresAt: 0))) { [self] old in
            await Task.yield()
            return token(old.access + "'", expiresAt: 0)
        }
        await withTaskGroup { group in
            for index in 0..<200 {
                group.addTask { _ = try? await tokens.token() }
                if (index + seed) % 7 == 0 {
                    group.addTask {
                        let caller = Task { try await tokens.token() }
                        if seed % 2 == 0 { await Task.yield() }
                        caller.cancel()
                        _ = try? await caller.value
                    }
                }
                if (index + seed) % 31 == 0 { group.addTask { try? await tokens.signOut() } }
                if (index + seed) % 37 == 0 {
                    group.addTask { [self] in try? await tokens.signIn(token("s\(index)", expiresAt: 0)) }
                }
            }
        }
        try await tokens.signIn(token("last", expiresAt: nil))
        #expect(try await tokens.token().access == "last")
    }

    @Test(
        "A3 a waiting caller continues after the new token has been stored, or couldn't be", arguments: [false, true])
    func keptFirst(_ fails: Bool) async throws {
        let store = SlowStore(token("old", expiresAt: 0), fails: fails)
        let tokens = refresher(store) { [now] _ in token("new", expiresAt: now().timeIntervalSince1970 + 1000) }
        for refresh in 1...3 {
            clock.advance(by: .seconds(2000))
            #expect(try await tokens.token().access == "new")
            #expect(store.saves.load(ordering: .relaxed) == refresh)
        }
    }

    /// Lets everybody else go first, many times, before it has saved.
    private final class SlowStore: TokenStore {
        let saves = Atomic(0)
        private let first: AccessToken
        private let fails: Bool

        init(_ first: AccessToken, fails: Bool) {
            (self.first, self.fails) = (first, fails)
        }

        func load() async throws(TokenStoreError) -> AccessToken? { first }

        func save(_ token: AccessToken) async throws(TokenStoreError) {
            for _ in 0..<1000 { await Task.yield() }
            saves.add(1, ordering: .relaxed)
            if fails { throw .other(reason: "full") }
        }

        func clear() async throws(TokenStoreError) {}
    }

    private struct BrokenStore: TokenStore {
        func load() throws(TokenStoreError) -> AccessToken? { throw .other(reason: "broken") }
        func save(_ token: AccessToken) throws(TokenStoreError) { throw .other(reason: "broken") }
        func clear() throws(TokenStoreError) { throw .other(reason: "broken") }
    }
}
