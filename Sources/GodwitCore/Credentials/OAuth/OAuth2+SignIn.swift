// A person at this machine (RFC 8252 section 7.3).
extension OAuth2 {
    /// Signs a person in with the browser of this machine: makes the page's URL, waits for the answer on a port of
    /// 127.0.0.1, and exchanges its code.
    ///
    /// ```swift
    /// let response = try await oauth.signIn(scopes: ["articles"]) { page in print("Open", page) }
    /// ```
    ///
    /// Throws what ``LoopbackRedirect/code(for:timeout:clock:)`` and ``token(for:)-(AuthorizationCode)`` throw, and what
    /// `opening` throws: an error of another type as `.transport(.other)`, with it as `underlying`.
    ///
    /// - Parameters:
    ///   - scopes: What the token shall be good for.
    ///   - parameters: What this server wants beside.
    ///   - timeout: How long the person may take.
    ///   - opening: Shows the page, or tells where it is.
    public nonisolated(nonsending) func signIn(
        scopes: [String] = [], parameters: QueryItems = [:], timeout: Duration = .seconds(300),
        opening: (HTTPURL) async throws -> Void
    ) async throws(NetworkError) -> OAuthTokenResponse {
        let redirect = try LoopbackRedirect()
        let request = try authorizationRequest(
            redirect: redirect.url.absoluteString, scopes: scopes, parameters: parameters)
        do {
            try await opening(request.url)
        } catch {
            throw NetworkError(thrown: error, phase: .middleware)
        }
        return try await token(for: redirect.code(for: request, timeout: timeout, clock: clock))
    }
}
