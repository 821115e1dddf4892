extension APIClient {
    /// Opens a WebSocket below the client's base URL: `ws` if that is `http`, `wss` if it is `https`.
    ///
    /// ```swift
    /// let socket = try await api.webSocket("live", subprotocols: ["chat.v2"]) { $0.messageLimit = 1 << 20 }
    /// ```
    ///
    /// The handshake is a request like any other: default fields, credentials, cookies, redirects and retries apply. The
    /// socket doesn't reconnect; see `reconnectingWebSocket(_:)`.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the base URL.
    ///   - query: The query items.
    ///   - subprotocols: The subprotocols to offer, best first; ``WebSocket/subprotocol`` is the server's choice.
    ///   - configure: Changes the options.
    /// - Throws: For a status other than 101, what a call throws; `.invalidResponse` for a 101 that violates RFC 6455. A
    ///   transport without protocol upgrades throws `.unexpectedStatus`.
    public nonisolated(nonsending) func webSocket(
        _ path: EndpointPath, query: QueryItems = [:], subprotocols: [String] = [],
        configure: (inout WebSocketOptions) -> Void = { _ in }
    ) async throws(NetworkError) -> WebSocket {
        var options = WebSocketOptions()
        options.subprotocols = subprotocols
        configure(&options)
        return try await openWebSocket(path, query, options)
    }

    /// Returns a WebSocket below the client's base URL that connects immediately, and again whenever the connection ends.
    ///
    /// ```swift
    /// let socket = api.reconnectingWebSocket("live") { _, reconnect in reconnect.overflow = .dropOldest }
    /// ```
    ///
    /// Each attempt is one handshake as in `webSocket(_:)`, without retries. Pauses use the
    /// client's clock. The socket belongs to the current account, and closes when the account changes.
    public func reconnectingWebSocket(
        _ path: EndpointPath, query: QueryItems = [:], subprotocols: [String] = [],
        configure: (inout WebSocketOptions, inout ReconnectOptions) -> Void = { _, _ in }
    ) -> ReconnectingWebSocket {
        var options = WebSocketOptions()
        options.subprotocols = subprotocols
        var reconnect = ReconnectOptions()
        reconnect.clock = configuration.clock
        configure(&options, &reconnect)
        let adjust = options.adjustRequest
        let stamp = account.session.stamp
        options.adjustRequest = { request in
            request.retry = .never
            adjust?(&request)
            if request.authentication == .required { request.account = stamp }
        }
        let ending = AccountEnding(account.session)
        let socket = ReconnectingWebSocket(reconnect) { [self, options, ending] () throws(NetworkError) in
            defer { withExtendedLifetime(ending) {} }
            return try await openWebSocket(path, query, options)
        }
        let session = account.session
        ending.action = { [weak socket] in socket?.end(session.changed(nil)) }
        // The account may have changed before the action was set.
        if !session.isCurrent(stamp) { socket.end(session.changed(nil)) }
        return socket
    }

    /// Returns a reconnecting WebSocket whose messages are values: JSON with the case's name under `type`. See
    /// ``TypedWebSocket``.
    ///
    /// ```swift
    /// nonisolated enum LiveMessage: Codable { case subscribe(channel: String), article(Article), ping }
    /// let socket = api.webSocket("live", as: LiveMessage.self)
    /// try await socket.send(.subscribe(channel: "articles"))        // {"type":"subscribe","channel":"articles"}
    /// for try await message in socket.messages { … }
    /// ```
    public func webSocket<Message: Codable & Sendable>(
        _ path: EndpointPath, query: QueryItems = [:], subprotocols: [String] = [], as type: Message.Type,
        envelope: MessageEnvelope = MessageEnvelope(),
        configure: (inout WebSocketOptions, inout ReconnectOptions) -> Void = { _, _ in }
    ) -> TypedWebSocket<Message> {
        TypedWebSocket(
            reconnectingWebSocket(path, query: query, subprotocols: subprotocols, configure: configure),
            envelope: envelope, coding: configuration.json)
    }

    private func openWebSocket(
        _ path: EndpointPath, _ query: QueryItems, _ options: WebSocketOptions
    ) async throws(NetworkError) -> WebSocket {
        guard options.subprotocols.allSatisfy(Token.isValid) else {
            throw NetworkError(.invalidRequest(reason: "a subprotocol is not a token"), phase: .building)
        }
        let opening = WebSocketOpening(options)
        let response = try await accepted(opening.request(try handshakeRequest(path, query, options)))
        let status = response.head.status
        guard status == .switchingProtocols else { throw await unexpected(.unexpectedStatus(status.code), response) }
        return try opening.socket(response)
    }

    private func handshakeRequest(
        _ path: EndpointPath, _ query: QueryItems, _ options: WebSocketOptions
    ) throws(NetworkError) -> HTTPRequest {
        var endpoint = Endpoint<Data>.get(path, query: query)
        endpoint.fields = options.fields
        if let adjust = options.adjustRequest { endpoint = endpoint.options(adjust) }
        var request = try request(for: endpoint)
        if !options.fields.contains(.accept) { request.fields.remove(.accept) }
        return request
    }
}

extension APIClient {
    /// Opens a WebSocket at a path in plain text, encoded as ``EndpointPath/init(_:)`` describes.
    @_disfavoredOverload
    public nonisolated(nonsending) func webSocket(
        _ path: some StringProtocol, query: QueryItems = [:], subprotocols: [String] = [],
        configure: (inout WebSocketOptions) -> Void = { _ in }
    ) async throws(NetworkError) -> WebSocket {
        try await webSocket(EndpointPath(path), query: query, subprotocols: subprotocols, configure: configure)
    }

    /// Returns a reconnecting WebSocket at a path in plain text, encoded as ``EndpointPath/init(_:)`` describes.
    @_disfavoredOverload
    public func reconnectingWebSocket(
        _ path: some StringProtocol, query: QueryItems = [:], subprotocols: [String] = [],
        configure: (inout WebSocketOptions, inout ReconnectOptions) -> Void = { _, _ in }
    ) -> ReconnectingWebSocket {
        reconnectingWebSocket(EndpointPath(path), query: query, subprotocols: subprotocols, configure: configure)
    }

    /// Returns a typed reconnecting WebSocket at a path in plain text, encoded as ``EndpointPath/init(_:)`` describes.
    @_disfavoredOverload
    public func webSocket<Message: Codable & Sendable>(
        _ path: some StringProtocol, query: QueryItems = [:], subprotocols: [String] = [], as type: Message.Type,
        envelope: MessageEnvelope = MessageEnvelope(),
        configure: (inout WebSocketOptions, inout ReconnectOptions) -> Void = { _, _ in }
    ) -> TypedWebSocket<Message> {
        webSocket(
            EndpointPath(path), query: query, subprotocols: subprotocols, as: type, envelope: envelope,
            configure: configure)
    }
}
