#if os(Linux)
import GodwitCore
import GodwitSupport
import Synchronization

/// The token of a fleet in Redis, and the version of it that this process uses.
final class FleetTokenStore: SharedTokenStore {
    private struct State: Sendable {
        /// `nil` until the store was read or written.
        var held: HeldToken?
        var onChange: (@Sendable (AccessToken?) -> Void)?
    }

    let changes = TokenNews()
    private let fleet: Fleet
    private let name: String
    private let key: String
    private let leaseTime: Duration
    private let state = Mutex(State())
    private let news = NewsReceiver()
    private let work = RepeatedWork()

    init(_ name: String, _ fleet: Fleet, lease: Duration) {
        self.fleet = fleet
        self.name = name
        leaseTime = lease
        key = fleet.key("tokens", name)
        news.start(fleet, .tokens, of: name) { [weak self] in
            guard let self else { return }
            changes.add()
            Task { await self.work.run { _ = await self.reconcile() } }
        }
    }

    var held: HeldToken? { state.withLock(\.held) }

    func observe(_ onChange: @escaping @Sendable (AccessToken?) -> Void) {
        state.withLock { $0.onChange = onChange }
    }

    func load() async throws(TokenStoreError) -> AccessToken? {
        let version: TokenVersion
        switch try await read() {
        case .unreadable: throw .undecryptable
        case .missing: version = TokenVersion(token: nil, number: 0, account: 0)
        case .version(let stored): version = stored
        }
        return state.withLock { state in
            // A message may have told of a newer one meanwhile.
            if (state.held?.version.number ?? -1) < version.number, state.held?.unsaved == nil {
                state.held = HeldToken(version: version)
            }
            return state.held?.version.token
        }
    }

    /// A sign-in.
    func save(_ token: AccessToken) async throws(TokenStoreError) { try await changeAccount(to: token) }

    /// A sign-out.
    func clear() async throws(TokenStoreError) { try await changeAccount(to: nil) }

    func finishRefresh(_ token: AccessToken?, replacing old: AccessToken) async throws(TokenStoreError) {
        // A rejected refresh has ended the account already.
        guard let held, held.version.token?.access == (token ?? old).access else { return }
        if token == nil {
            // The server refuses the token although it was just refreshed.
            if case .success(true) = await end(held.version, newLease(), nil) { return }
            state.withLock { if $0.held == held { $0.held?.version.token = nil } }
        }
        guard token == nil || held.unsaved != nil else { return }
        if case .failure(let error) = await reconcile() { throw error }
    }
}

// The version of this process.
extension FleetTokenStore {
    /// Uses the newer version of another process, unless the account has changed.
    func take(_ version: TokenVersion, replacing old: AccessToken) -> AccessToken? {
        state.withLock { state in
            guard state.held?.version.token?.access == old.access, state.held?.version.account == version.account
            else { return nil }
            state.held = HeldToken(version: version)
            return version.token
        }
    }

    /// Uses a refreshed token that Redis doesn't have.
    func keep(_ token: AccessToken, replacing old: AccessToken) {
        state.withLock { state in
            guard state.held?.version.token?.access == old.access else { return }
            state.held?.version.token = token
            if state.held?.unsaved == nil { state.held?.unsaved = .refresh }
        }
    }

    /// Notes that Redis has a version.
    private func note(_ version: TokenVersion, replacing old: HeldToken) {
        state.withLock { if $0.held == old { $0.held = HeldToken(version: version) } }
    }

    private func adopt(_ version: TokenVersion, replacing old: HeldToken) {
        let onChange = state.withLock { state in
            guard state.held == old else { return nil as (@Sendable (AccessToken?) -> Void)? }
            state.held = HeldToken(version: version)
            return version.token == old.version.token ? nil : state.onChange
        }
        changes.add()
        onChange?(version.token)
    }
}

// Redis.
extension FleetTokenStore {
    /// Compares with Redis: takes over another account, and writes what Redis has lost or never had. A newer token of the
    /// same account is only returned.
    func reconcile() async -> Result<HeldToken.Decision, TokenStoreError> {
        do throws(TokenStoreError) {
            // Each repetition follows a write of another process.
            for _ in 0..<10 {
                let content = try await read()
                guard let held else { return .success(.same) }
                let decision = held.decision(content)
                switch decision {
                case .same, .newer, .unreadable: return .success(decision)
                case .otherAccount(let version):
                    adopt(version, replacing: held)
                    return .success(decision)
                case .restore, .saveRefresh, .saveAccount:
                    if try await write(held, decision) { return .success(.same) }
                }
            }
            return .success(.same)
        } catch {
            return .failure(error)
        }
    }

    private func read() async throws(TokenStoreError) -> TokenContent {
        let parts = try await run(.readToken, []).array ?? []
        guard parts.count == 3, let number = parts[1].integer else { return .missing }
        var version = TokenVersion(token: nil, number: number, account: parts[2].integer ?? 0)
        guard let sealed = parts[0].bytes else { return .version(version) }
        guard let plain = fleet.options.keys.open(sealed, authenticating: key),
            let token = try? JSONDecoder().decode(AccessToken.self, from: Data(plain))
        else { return .unreadable(version) }
        version.token = token
        return .version(version)
    }

    /// Returns whether Redis has the version of this process now.
    private func write(_ held: HeldToken, _ decision: HeldToken.Decision) async throws(TokenStoreError) -> Bool {
        let sealed = try seal(held.version.token)
        var version = held.version
        let (number, account) = (RedisArgument(version.number), RedisArgument(version.account))
        let value: Int64?
        switch decision {
        case .saveAccount(let replaced):
            let expected = replaced.map { RedisArgument($0) } ?? ""
            value = try await run(.changeAccount, [sealed, expected]).integer
            version.number = value ?? 0
            version.account = value ?? 0
        case .saveRefresh:
            value = try await run(.finishRefresh, [sealed, number, account, ""]).integer
            version.number = value ?? 0
        default: value = try await run(.restoreToken, [sealed, number, account]).integer
        }
        guard let value, value > 0 else { return false }
        note(version, replacing: held)
        await fleet.publish(.tokens, name)
        return true
    }

    /// Signs in or out, here at once and in Redis as soon as possible.
    private func changeAccount(to token: AccessToken?) async throws(TokenStoreError) {
        let held = state.withLock { state in
            let replaced: Int64? =
                switch state.held?.unsaved {
                case .account(let former): former
                case .refresh, nil: state.held?.version.account
                }
            let version = state.held?.version ?? TokenVersion(token: nil, number: 0, account: 0)
            let held = HeldToken(
                version: TokenVersion(token: token, number: version.number, account: version.account),
                unsaved: .account(replacing: replaced))
            state.held = held
            return held
        }
        changes.add()
        // It counts, whatever Redis has.
        _ = try await write(held, .saveAccount(replacing: nil))
    }

    /// Ends a refresh and its lease; `nil` after a rejection. Returns whether the version was still the current one.
    func end(
        _ version: TokenVersion, _ lease: String, _ token: AccessToken?
    ) async -> Result<Bool, TokenStoreError> {
        await Result.catching { () async throws(TokenStoreError) in
            let arguments = [
                try seal(token), RedisArgument(version.number), RedisArgument(version.account), RedisArgument(lease),
            ]
            let number = try await run(.finishRefresh, arguments).integer ?? 0
            if number > 0 {
                note(
                    TokenVersion(token: token, number: number, account: token == nil ? number : version.account),
                    replacing: HeldToken(version: version))
            }
            await fleet.publish(.tokens, name)
            return number > 0
        }
    }

    func newLease() -> String {
        var generator = SystemRandomNumberGenerator()
        return "\(fleet.member)-\(String(generator.next(), radix: 36))"
    }

    /// Returns 1, 0 if another process has a lease, or -1 if Redis has another version.
    func lease(_ id: String, _ version: TokenVersion) async -> Result<Int64, TokenStoreError> {
        await Result.catching { () async throws(TokenStoreError) in
            let time = RedisArgument(leaseTime.microseconds / 1000)
            let arguments = [RedisArgument(id), time, RedisArgument(version.number)]
            return try await run(.leaseToken, arguments).integer ?? 0
        }
    }

    func release(_ lease: String) async {
        _ = await fleet.run(.releaseToken, [key], [RedisArgument(lease)])
        await fleet.publish(.tokens, name)
    }

    private func seal(_ token: AccessToken?) throws(TokenStoreError) -> RedisArgument {
        guard let token else { return "" }
        guard let data = try? JSONEncoder().encode(token),
            let sealed = fleet.options.keys.seal(Array(data), authenticating: key)
        else { throw .other(reason: "the token can't be encrypted") }
        return RedisArgument(sealed)
    }

    private func run(_ script: RedisScript, _ arguments: [RedisArgument]) async throws(TokenStoreError) -> RedisValue {
        switch await fleet.run(script, [key], arguments) {
        case .success(let value): return value
        case .failure(let reason): throw .unavailable(service: "Redis", reason: reason.description)
        }
    }
}

extension TokenStoreError {
    static var undecryptable: TokenStoreError {
        .other(reason: "the token in Redis can't be decrypted with FleetOptions.keys; add the new key in every process")
    }
}
#endif
