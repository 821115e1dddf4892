public import GodwitCore

/// What an authorization server knows of a token (RFC 7662).
public struct TokenIntrospection: Sendable, Hashable {
    /// Whether the token counts. If not, nothing else is known.
    public let isActive: Bool
    /// The scopes that the token grants.
    public let scopes: [String]
    /// The client that got the token.
    public let clientID: String?
    /// The user, as people read it.
    public let username: String?
    /// The user or program, as the server names it.
    public let subject: String?
    /// When the token ceases to count; `nil` if the server doesn't say.
    public let expiry: Date?
    /// The thumbprint of the key that the token is bound to (RFC 9449 section 6.2).
    public let keyThumbprint: String?
}

extension OAuth2 {
    /// Asks the server what a token is worth (RFC 7662). For resource servers: the client needs a secret or certificate.
    ///
    /// - Parameter token: The access token.
    public func introspect(_ token: AccessToken) async throws(NetworkError) -> TokenIntrospection {
        let url = try endpoint(server.introspectionURL, "introspection")
        let data = try await call.post(
            ["token": token.access, "token_type_hint": "access_token"], to: url, as: client)
        let answer = try call.decode(Introspection.self, from: data)
        guard answer.active else {
            return TokenIntrospection(
                isActive: false, scopes: [], clientID: nil, username: nil, subject: nil, expiry: nil, keyThumbprint: nil
            )
        }
        return TokenIntrospection(
            isActive: true, scopes: answer.scope?.split(separator: " ").map(String.init) ?? [],
            clientID: answer.client_id, username: answer.username, subject: answer.sub,
            expiry: answer.exp.map { Date(timeIntervalSince1970: min(max(0, $0), Self.lastSecond)) },
            keyThumbprint: answer.cnf?.jkt)
    }

    /// The end of the year 9999, in seconds since 1970.
    private static var lastSecond: Double { 253_402_300_799 }

    /// Signs out: removes the account's data on this machine, then revokes its token at the server.
    ///
    /// Everything on this machine is removed even if the server can't be reached. The token then counts until it expires.
    ///
    /// - Parameter api: The client, whose credential is ``refresher(store:)``.
    /// - Throws: The errors of `APIClient.signOut()`, else those of ``revoke(_:)``.
    public func signOut(_ api: APIClient) async throws(NetworkError) {
        let token = await api.tokenRefresher?.storedToken()
        let removal: NetworkError?
        do throws(NetworkError) {
            try await api.signOut()
            removal = nil
        } catch {
            removal = error
        }
        do throws(NetworkError) {
            if let token { try await revoke(token) }
        } catch {
            throw removal ?? error
        }
        if let removal { throw removal }
    }

    /// The names are those of RFC 7662 section 2.2.
    private struct Introspection: Decodable {
        struct Confirmation: Decodable {
            let jkt: String?
        }

        let active: Bool
        let scope: String?
        let client_id: String?
        let username: String?
        let sub: String?
        let exp: Double?
        let cnf: Confirmation?
    }
}
