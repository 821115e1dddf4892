public import GodwitCore

extension WebSocketCloseCode {
    /// The server received an invalid message (graphql-transport-ws).
    public static let graphQLBadRequest = Self(4400)
    /// The operation needs credentials, or a connection that was initialized.
    public static let graphQLUnauthorized = Self(4401)
    /// The server refused the payload of `connection_init`.
    public static let graphQLForbidden = Self(4403)
    /// The server doesn't speak the subprotocol.
    public static let graphQLSubprotocolNotAcceptable = Self(4406)
    /// The server didn't get `connection_init` in time.
    public static let graphQLInitializationTimeout = Self(4408)
    /// A subscription with this ID exists.
    public static let graphQLSubscriberExists = Self(4409)
    /// `connection_init` was sent more than once.
    public static let graphQLTooManyInitializations = Self(4429)

    /// Whether another connection may help. A server that closes normally is often being replaced.
    var isWorthResubscribing: Bool {
        switch rawValue {
        case 1000, 1001, 1005, 1006, 1011...1014, 4408: true
        default: false
        }
    }
}

extension NetworkError {
    /// The close code by which a server ended the connection of a subscription; `nil` for other failures.
    ///
    /// The kind is `.unauthorized` for 4401, `.forbidden` for 4403, `.timedOut(.connect)` for 4408, and `.socketClosed` for
    /// the others.
    public var graphQLCloseCode: WebSocketCloseCode? {
        if case .socketClosed(let code, _) = kind { return code }
        if let cause = underlying as? NetworkError, case .socketClosed(let code, _) = cause.kind { return code }
        return nil
    }

    /// The same error, if it ended the connection before the server accepted it. Some servers refuse `connection_init` with a
    /// normal close (ariadne).
    var forInitialization: NetworkError {
        guard case .socketClosed(.normalClosure, _) = kind else { return self }
        return NetworkError(.forbidden, phase: phase, request: request, response: response, underlying: self)
    }

    /// The same error, with the meaning of its close code for subscriptions.
    var forSubscriptions: NetworkError {
        guard case .socketClosed(let code, _) = kind else { return self }
        let meaning: Kind
        switch code {
        case .graphQLUnauthorized: meaning = .unauthorized
        case .graphQLForbidden: meaning = .forbidden
        case .graphQLInitializationTimeout: meaning = .timedOut(.connect)
        default: return self
        }
        return NetworkError(meaning, phase: phase, request: request, response: response, underlying: self)
    }
}
