extension APIClient {
    /// Opens a WebSocket below the client's base URL: `ws` where that is `http`, `wss` where it is `https`.
    ///
    /// ```swift
    /// let socket = try await api.webSocket("live", subprotocols: ["chat.v2"]) { $0.messageLimit = 1 << 20 }
    /// ```
    ///
    /// The handshake is a request like any other: default fields, credentials, cookies, redirects and retries apply, and
    /// an answer other than 101 throws as the same status would elsewhere. A 101 that breaks RFC 6455 throws
    /// `.invalidResponse`; a transport that cannot leave HTTP shows by an unexpected status.
    ///
    /// - Parameters:
    ///   - subprotocols: What is offered, the best first; ``WebSocket/subprotocol`` says what was chosen.
    ///   - configure: Changes the options.
    public nonisolated(nonsending) func webSocket(
        _ path: EndpointPath, query: QueryItems = [:], subprotocols: [String] = [],
        configure: (inout WebSocketOptions) -> Void = { _ in }
    ) async throws(NetworkError) -> WebSocket {
        var options = WebSocketOptions()
        options.subprotocols = subprotocols
        configure(&options)
        return try await openWebSocket(path, query, options)
    }

    /// A WebSocket below the client's base URL that connects at once, and again whenever the connection breaks.
    ///
    /// ```swift
    /// let socket = api.reconnectingWebSocket("live") { _, reconnect in reconnect.overflow = .dropOldest }
    /// ```
    ///
    /// Each attempt is a handshake as ``webSocket(_:query:subprotocols:configure:)`` makes it, tried once. Pauses go by
    /// the client's clock. The socket belongs to the account that it was made for: it is closed when that changes.
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
        // It may have changed before the action was there.
        if !session.isCurrent(stamp) { socket.end(session.changed(nil)) }
        return socket
    }

    /// A socket whose messages are values: JSON with the case's name under `type`; see ``TypedWebSocket``. It connects
    /// at once, and again whenever the connection breaks.
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

    func openWebSocket(
        _ path: EndpointPath, _ query: QueryItems, _ options: WebSocketOptions
    ) async throws(NetworkError) -> WebSocket {
        guard options.subprotocols.allSatisfy(Token.isValid) else {
            throw NetworkError(.invalidRequest(reason: "a subprotocol is not a token"), phase: .building)
        }
        let opening = WebSocketOpening(options)
        let response = try await accepted(opening.request(try handshake(path, query, options)))
        let status = response.head.status
        guard status == .switchingProtocols else { throw await unexpected(.unexpectedStatus(status.code), response) }
        return try opening.socket(response)
    }

    /// The request that a handshake begins with.
    private func handshake(
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
    /// Opens a WebSocket at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public nonisolated(nonsending) func webSocket(
        _ path: some StringProtocol, query: QueryItems = [:], subprotocols: [String] = [],
        configure: (inout WebSocketOptions) -> Void = { _ in }
    ) async throws(NetworkError) -> WebSocket {
        try await webSocket(EndpointPath(path), query: query, subprotocols: subprotocols, configure: configure)
    }

    /// Opens a WebSocket that reconnects, at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
    @_disfavoredOverload
    public func reconnectingWebSocket(
        _ path: some StringProtocol, query: QueryItems = [:], subprotocols: [String] = [],
        configure: (inout WebSocketOptions, inout ReconnectOptions) -> Void = { _, _ in }
    ) -> ReconnectingWebSocket {
        reconnectingWebSocket(EndpointPath(path), query: query, subprotocols: subprotocols, configure: configure)
    }

    /// Opens a typed WebSocket at a path in plain text, encoded as ``EndpointPath/init(_:)`` says.
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
