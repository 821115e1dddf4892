/// What an authorization server says in the query of its redirect (RFC 6749 section 4.1.2).
package enum AuthorizationAnswer: Sendable, Hashable {
    /// A code that may be exchanged for a token.
    case code(String)
    /// No code; the server's word for the reason, and its text for developers.
    case refused(error: String, detail: String?)
    /// Not the answer to the request: another state, another server, or neither code nor error.
    case foreign(reason: String)

    /// Reads a query.
    ///
    /// - Parameters:
    ///   - query: As it stands in the URL, without `?`.
    ///   - state: What was sent with the request. An answer without it, or with another, is foreign.
    ///   - issuer: The server that was asked, if it is known; an answer that names another is foreign (RFC 9207).
    ///   - requiresIssuer: Whether the server announces that it names itself; an answer without a name is foreign then.
    package init(query: String, state: String, issuer: String?, requiresIssuer: Bool = false) {
        let items = FormURLEncoded.decode(query).items
        func value(_ name: String) -> String? {
            // A parameter that stands twice is no parameter (RFC 6749 section 3.1).
            let found = items.filter { $0.name == name }
            return found.count == 1 ? found[0].value : nil
        }
        guard let answered = value("state"), ConstantTime.areEqual(answered, state) else {
            self = .foreign(reason: "the answer's state is not the one that was sent")
            return
        }
        let issuers = items.filter { $0.name == "iss" }.map(\.value)
        if requiresIssuer, issuers.isEmpty {
            self = .foreign(reason: "the answer does not name its issuer, as the server says that it does")
        } else if !issuers.isEmpty, issuer != nil || requiresIssuer, issuers.map(Optional.some) != [issuer] {
            self = .foreign(reason: "the answer comes from another issuer")
        } else if let error = value("error") {
            self = .refused(error: error, detail: value("error_description"))
        } else if let code = value("code"), !code.isEmpty {
            self = .code(code)
        } else {
            self = .foreign(reason: "the answer has neither a code nor an error")
        }
    }
}
