import GodwitCore
import Synchronization

extension Fleet {
    /// Holds a token that all processes of the fleet use, and refreshes it once for all of them.
    ///
    /// ```swift
    /// let tokens = try fleet.tokens("partner-api") { old in try await auth.send(.refresh(old)) }
    /// let api = APIClient(baseURL: url) { $0.authentication = .credential(.tokens(tokens)) }
    /// ```
    ///
    /// The process that needs a new token first takes a lease and calls `refresh`; the others wait for its result. The
    /// token is stored encrypted with the first of ``FleetOptions/keys``. If the process dies, another one takes over when
    /// the lease ends. A process that was stalled longer than its lease can't replace a newer token.
    ///
    /// While Redis can't be used, a process refreshes alone.
    ///
    /// - Parameters:
    ///   - name: What the processes have in common, such as the account.
    ///   - lease: The longest time that a refresh takes. 30 s by default.
    ///   - leeway: How long before its expiry a token is replaced. 60 s by default.
    ///   - refresh: Requests a new token.
    /// - Throws: `.invalidRequest` if the fleet has no ``FleetOptions/keys``.
    public func tokens(
        _ name: String, lease: Duration = .seconds(30), leeway: Duration = .seconds(60),
        refresh: @escaping TokenRefresher.Refresh
    ) throws(NetworkError) -> TokenRefresher {
        guard !options.keys.isEmpty else {
            throw NetworkError(
                .invalidRequest(reason: "a fleet stores tokens only encrypted: set keys in its options"),
                phase: .building)
        }
        let store = FleetTokenStore(name, self, lease: min(max(lease, .seconds(1)), .seconds(600)))
        return TokenRefresher(store: store, leeway: leeway) { old in try await store.refreshed(old, by: refresh) }
    }
}

/// The token of a fleet in Redis: a hash with the encrypted token and the number of its last writer.
final class FleetTokenStore: TokenStore {
    private let fleet: Fleet
    private let name: String
    private let key: String
    private let lease: Duration
    private let changes: TokenNews
    /// The token that Redis has, as far as known: saving it again is unnecessary.
    private let stored = Mutex<AccessToken?>(nil)

    init(_ name: String, _ fleet: Fleet, lease: Duration) {
        self.fleet = fleet
        self.name = name
        self.lease = lease
        key = fleet.key("tokens", name)
        changes = TokenNews(name, fleet)
    }

    /// What Redis has.
    private enum Content {
        case token(AccessToken)
        /// The user has signed out.
        case cleared
        /// No user has signed in, or Redis has lost its data.
        case unknown
    }

    func load() async throws(TokenStoreError) -> AccessToken? {
        if case .token(let token) = try await read() { token } else { nil }
    }

    private func read() async throws(TokenStoreError) -> Content {
        switch await fleet.run(.readToken, [key], []) {
        case .failure(let reason): throw .unavailable(service: "Redis", reason: reason.description)
        case .success(let value):
            let parts = value.array ?? []
            guard parts.count == 2, let sealed = parts[0].bytes else {
                return parts.last?.integer == nil ? .unknown : .cleared
            }
            guard let plain = fleet.options.keys.open(sealed, for: key),
                let token = try? JSONDecoder().decode(AccessToken.self, from: Data(plain))
            else { throw .other(reason: "the token in Redis can't be decrypted with the fleet's keys") }
            stored.withLock { $0 = token }
            return .token(token)
        }
    }

    func save(_ token: AccessToken) async throws(TokenStoreError) {
        guard stored.withLock({ $0 != token }) else { return }
        _ = try await write(token, fence: 0)
    }

    func clear() async throws(TokenStoreError) {
        stored.withLock { $0 = nil }
        if case .failure(let reason) = await fleet.run(.clearToken, [key], []) {
            throw .unavailable(service: "Redis", reason: reason.description)
        }
        await fleet.publish(.tokens, name)
    }

    /// Writes a token; with the number of a lease, only if no later lease has written. Returns whether it was written.
    private func write(_ token: AccessToken, fence: Int64) async throws(TokenStoreError) -> Bool {
        guard let data = try? JSONEncoder().encode(token), let sealed = fleet.options.keys.seal(Array(data), for: key)
        else { throw .other(reason: "the token can't be encrypted") }
        switch await fleet.run(.writeToken, [key], [RedisArgument(sealed), RedisArgument(fence)]) {
        case .failure(let reason): throw .unavailable(service: "Redis", reason: reason.description)
        case .success(let value):
            guard value.integer == 1 else { return false }
            stored.withLock { $0 = token }
            await fleet.publish(.tokens, name)
            return true
        }
    }
}

extension FleetTokenStore {
    /// A token that isn't the old one: that of another process, or a new one.
    func refreshed(_ old: AccessToken, by refresh: TokenRefresher.Refresh) async throws -> AccessToken {
        while true {
            let seen = changes.count
            // Another process may have replaced it already.
            switch await current() {
            case .success(.cleared): throw NetworkError(.unauthorized, phase: .middleware)
            case .success(.token(let token)) where token.access != old.access: return token
            case .success: break
            case .failure: return try await refresh(old)
            }
            switch await fleet.run(.leaseToken, [key], [RedisArgument(fleet.member), leaseArgument]) {
            case .failure: return try await refresh(old)
            case .success(let value):
                if let fence = value.integer, fence > 0 { return try await refreshed(old, by: refresh, fence) }
                await changes.wait(after: seen, for: .milliseconds(250))
                try Task.checkCancellation()
            }
        }
    }

    private func refreshed(
        _ old: AccessToken, by refresh: TokenRefresher.Refresh, _ fence: Int64
    ) async throws -> AccessToken {
        // Between the reading and the lease, another process may have finished.
        if case .success(.token(let token)) = await current(), token.access != old.access {
            await release()
            return token
        }
        do {
            var token = try await refresh(old)
            token.refresh = token.refresh ?? old.refresh
            let isWritten = try? await write(token, fence: fence)
            await release()
            // A later lease has a newer token, which may have ended the validity of this one.
            if isWritten == false, case .success(.token(let newer)) = await current() { return newer }
            return token
        } catch {
            await release()
            throw error
        }
    }

    private func current() async -> Result<Content, TokenStoreError> {
        do throws(TokenStoreError) { return .success(try await read()) } catch { return .failure(error) }
    }

    private func release() async {
        _ = await fleet.run(.releaseToken, [key], [RedisArgument(fleet.member)])
        await fleet.publish(.tokens, name)
    }

    private var leaseArgument: RedisArgument { RedisArgument(lease.microseconds / 1000) }
}

/// Counts the messages about one token, and wakes the tasks that wait for the next.
final class TokenNews: Sendable {
    private struct State: Sendable {
        var count = 0
        var waiters = Waiters<Void>()
    }

    private let state = Mutex(State())
    private let registration = Mutex<FleetNews.Registration?>(nil)

    init(_ name: String, _ fleet: Fleet) {
        let registration = fleet.onNews(.tokens) { [weak self] text in
            if text == nil || text == name { self?.add() }
        }
        self.registration.withLock { $0 = registration }
    }

    var count: Int { state.withLock(\.count) }

    /// Returns at the next message after a number of them, or after a time: messages can be lost.
    func wait(after count: Int, for time: Duration) async {
        let waiter = state.withLock { $0.count == count ? $0.waiters.add() : nil }
        guard let waiter else { return }
        let timer = Task {
            try? await Task.sleep(for: time)
            waiter.resume()
        }
        await waiter.value { waiter.resume() }
        timer.cancel()
        state.withLock { _ = $0.waiters.remove(waiter) }
    }

    private func add() {
        let waiters = state.withLock { state in
            state.count += 1
            return state.waiters.takeAll()
        }
        for waiter in waiters { waiter.resume() }
    }
}

extension RedisScript {
    static let readToken = RedisScript("return redis.call('HMGET', KEYS[1], 'token', 'writer')")

    /// Arguments: the encrypted token, the number of the lease; 0 for a sign-in, which always counts.
    static let writeToken = RedisScript(
        """
        local fence = tonumber(ARGV[2])
        local last = tonumber(redis.call('HGET', KEYS[1], 'writer')) or 0
        if fence > 0 and fence < last then return 0 end
        if fence == 0 then fence = redis.call('HINCRBY', KEYS[1], 'fence', 1) end
        redis.call('HSET', KEYS[1], 'token', ARGV[1], 'writer', fence)
        return 1
        """)

    /// The numbers stay, so that a lease from before can't bring the token back.
    static let clearToken = RedisScript(
        """
        redis.call('HDEL', KEYS[1], 'token')
        redis.call('HSET', KEYS[1], 'writer', redis.call('HINCRBY', KEYS[1], 'fence', 1))
        return 1
        """)

    /// Arguments: the member, the lease in ms. Returns the number of the lease, or 0 if another process has one.
    static let leaseToken = RedisScript(
        """
        if not redis.call('SET', KEYS[1] .. ':lease', ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end
        return redis.call('HINCRBY', KEYS[1], 'fence', 1)
        """)

    static let releaseToken = RedisScript(
        """
        if redis.call('GET', KEYS[1] .. ':lease') ~= ARGV[1] then return 0 end
        return redis.call('DEL', KEYS[1] .. ':lease')
        """)
}
