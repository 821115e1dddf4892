#if os(Linux)
import GodwitCore

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
    /// A sign-in or sign-out in one process counts in all: their account sessions change, and the former account's data is
    /// removed.
    ///
    /// While Redis can't be used, a process refreshes alone, and stores the token when Redis is back. If the refresh is
    /// rejected meanwhile, the token stays: another process may have a newer one.
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
                .invalidRequest(reason: "FleetOptions.keys is empty: tokens are stored only encrypted"),
                phase: .building)
        }
        let store = FleetTokenStore(name, self, lease: min(max(lease, .seconds(1)), .seconds(600)))
        return TokenRefresher(store: store, leeway: leeway) { old in try await store.refreshed(old, by: refresh) }
    }
}

extension FleetTokenStore {
    /// A token that isn't the old one: that of another process, or a new one.
    func refreshed(_ old: AccessToken, by refresh: TokenRefresher.Refresh) async throws -> AccessToken {
        try await waitUntilHeld(old)
        while true {
            let seen = changes.count
            switch await reconcile() {
            case .failure(let reason): return try await refreshedAlone(old, by: refresh, reason)
            case .success(.unreadable): throw Self.unreadable
            case .success(.newer(let version)):
                if let token = take(version, replacing: old), token.access != old.access { return token }
            case .success: break
            }
            guard let version = held?.version, version.token?.access == old.access else { throw Self.superseded }
            let id = newLease()
            switch await lease(id, version) {
            case .failure(let reason): return try await refreshedAlone(old, by: refresh, reason)
            case .success(1):
                if let token = try await refreshed(old, by: refresh, version, id) { return token }
            case .success(0): await changes.wait(after: seen, for: .milliseconds(250))
            // Another version was written since the reading.
            case .success: break
            }
            try Task.checkCancellation()
        }
    }

    /// Refreshes with a lease. Returns `nil` if Redis has another version meanwhile.
    private func refreshed(
        _ old: AccessToken, by refresh: TokenRefresher.Refresh, _ version: TokenVersion, _ lease: String
    ) async throws -> AccessToken? {
        let token: AccessToken
        do {
            token = try await refresh(old).keeping(old.refresh)
        } catch  where TokenFailure(error) == .rejected {
            switch await end(version, lease, nil) {
            case .success(true): throw error
            case .success(false): return nil
            case .failure(let reason): throw Self.passing(error, reason)
            }
        } catch {
            await release(lease)
            throw error
        }
        switch await end(version, lease, token) {
        case .success(let isWritten): return isWritten ? token : nil
        case .failure:
            keep(token, replacing: old)
            return token
        }
    }

    /// Refreshes without Redis, which gets the token when it is back.
    private func refreshedAlone(
        _ old: AccessToken, by refresh: TokenRefresher.Refresh, _ reason: TokenStoreError
    ) async throws -> AccessToken {
        do {
            let token = try await refresh(old).keeping(old.refresh)
            keep(token, replacing: old)
            return token
        } catch  where TokenFailure(error) == .rejected {
            throw Self.passing(error, reason)
        }
    }

    /// A sign-in is used before it is stored, so that its refresh may come first.
    private func waitUntilHeld(_ token: AccessToken) async throws {
        for _ in 0..<20 {
            let seen = changes.count
            if held?.version.token?.access == token.access { return }
            await changes.wait(after: seen, for: .milliseconds(250))
            try Task.checkCancellation()
        }
        throw Self.superseded
    }

    /// A sign-in or sign-out has ended the attempt. It isn't a rejection, which would end the next session.
    private static var superseded: NetworkError {
        NetworkError(.transport(.other("another account has replaced the token")), phase: .middleware)
    }

    private static var unreadable: NetworkError {
        let error = TokenStoreError.undecryptable
        return NetworkError(.file(reason: error.description), phase: .middleware, underlying: error)
    }

    /// A rejection that may be due to another process's refresh: it doesn't end the session.
    private static func passing(_ error: any Error, _ reason: TokenStoreError) -> NetworkError {
        let text = "the refresh was rejected; another process may have a newer token, but \(reason)"
        return NetworkError(.transport(.other(text)), phase: .middleware, underlying: reason)
    }
}
#endif
