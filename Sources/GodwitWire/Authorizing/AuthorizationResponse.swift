import GodwitSupport

/// The authorization response in the query of a redirect (RFC 6749 section 4.1.2).
package enum AuthorizationResponse: Sendable, Hashable {
    /// A code to exchange for a token.
    case code(String)
    /// An error code with the server's description.
    case refused(error: String, detail: String?)
    /// Not the response to this request: another state or issuer, or neither a code nor an error.
    case foreign(reason: String)

    /// Parses a query.
    ///
    /// - Parameters:
    ///   - query: The URL's query, without `?`.
    ///   - state: The state sent with the request. A response with another one, or without, is foreign.
    ///   - issuer: The authorization server, if known. A response that names another is foreign (RFC 9207).
    ///   - requiresIssuer: Whether the server announces that it sends its issuer. A response without one is then
    ///     foreign.
    package init(query: String, state: String, issuer: String?, requiresIssuer: Bool = false) {
        let items = FormURLEncoded.decode(query).items
        func value(_ name: String) -> String? {
            // A repeated parameter is invalid (RFC 6749 section 3.1).
            let found = items.filter { $0.name == name }
            return found.count == 1 ? found[0].value : nil
        }
        guard let answered = value("state"), ConstantTime.areEqual(answered, state) else {
            self = .foreign(reason: "the state of the response does not match the request")
            return
        }
        let issuers = items.filter { $0.name == "iss" }.map(\.value)
        if requiresIssuer, issuers.isEmpty {
            self = .foreign(reason: "the response has no issuer, but the server announces one")
        } else if !issuers.isEmpty, issuer != nil || requiresIssuer, issuers.map(Optional.some) != [issuer] {
            self = .foreign(reason: "the response is from another issuer")
        } else if let error = value("error") {
            self = .refused(error: error, detail: value("error_description"))
        } else if let code = value("code"), !code.isEmpty {
            self = .code(code)
        } else {
            self = .foreign(reason: "the response has neither a code nor an error")
        }
    }
}
