public import GodwitCore

// Pushed authorization requests (RFC 9126).
extension OAuth2 {
    /// Starts a sign-in in a browser whose parameters are sent to the server first: the URL of the page only refers to them,
    /// so that no one in between can read or change them.
    ///
    /// ``signIn(scopes:parameters:timeout:opening:)`` does so if the server requires it.
    ///
    /// - Parameters:
    ///   - redirect: The URL that the server redirects the browser to, as registered.
    ///   - scopes: The requested scopes. Without any, the server decides.
    ///   - parameters: Further parameters for the server, such as `prompt` or `login_hint`.
    public func pushedAuthorizationRequest(
        redirect: String, scopes: [String] = [], parameters: QueryItems = [:]
    ) async throws(NetworkError) -> AuthorizationRequest {
        let pushURL = try endpoint(server.pushedAuthorizationURL, "pushed authorization requests")
        let page = try endpoint(server.authorizationURL, "an authorization page")
        let request = try authorizationRequest(redirect: redirect, scopes: scopes, parameters: parameters)
        // The client identifier is added as in every request of the client.
        let form = QueryItems(request.parameters.items.filter { $0.name != "client_id" })
        let data = try await call.post(form, to: pushURL, as: client)
        let pushed = try call.decode(PushedRequest.self, from: data)
        return AuthorizationRequest(
            request, at: page.appending(["client_id": client.id, "request_uri": pushed.request_uri]))
    }

    func signInRequest(
        redirect: String, scopes: [String], parameters: QueryItems
    ) async throws(NetworkError) -> AuthorizationRequest {
        guard server.requiresPushedAuthorization else {
            return try authorizationRequest(redirect: redirect, scopes: scopes, parameters: parameters)
        }
        return try await pushedAuthorizationRequest(redirect: redirect, scopes: scopes, parameters: parameters)
    }

    /// The name is that of RFC 9126 section 2.2. How long it is valid doesn't matter: it is used at once.
    private struct PushedRequest: Decodable {
        let request_uri: String
    }
}
