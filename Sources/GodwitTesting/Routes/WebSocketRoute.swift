public import GodwitCore

/// The options and the handler of a WebSocket route.
struct WebSocketRoute: Sendable {
    let options: WebSocketOptions
    let handler: @Sendable (MockWebSocket) async throws -> Void

    /// Returns the response to a handshake, or throws why it is refused.
    func answer(to request: MockRequest) throws(WebSocketFault) -> WebSocketHandshake.Answer {
        try WebSocketHandshake.answer(
            to: request.fields, subprotocols: options.subprotocols, deflate: options.compression?.parameters)
    }

    /// Makes the server's end of the socket after a handshake.
    func socket(
        _ request: MockRequest, _ answer: WebSocketHandshake.Answer, over connection: any MockDuplex,
        clock: any Clock<Duration>
    ) -> MockWebSocket {
        var options = options
        options.clock = clock
        let head = HTTPResponseHead(status: .switchingProtocols, fields: answer.fields)
        return MockWebSocket(request, WebSocket(.server, connection, options, answer.agreement, head), connection)
    }

    /// Runs the handler, then closes the socket.
    func run(_ socket: MockWebSocket) async {
        do {
            try await handler(socket)
            await socket.close()
        } catch {
            await socket.close(.internalError, reason: "the handler threw")
        }
    }
}

extension MockRoutes {
    /// Adds a route for WebSockets. A request without a valid handshake gets a 400.
    ///
    /// ```swift
    /// route.webSocket("/chat", subprotocols: ["chat"]) { socket in
    ///     try await socket.send("welcome")
    ///     await socket.close()
    /// }
    /// ```
    ///
    /// The first of the client's subprotocols that the server supports is chosen. `compression` is the server's choice if the
    /// client offers compression; `nil` (the default) declines it. The handler serves one client, and is canceled if the
    /// server stops.
    public func webSocket(
        _ path: String, subprotocols: [String] = [], compression: WebSocketCompression? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        handler: @escaping @Sendable (MockWebSocket) async throws -> Void
    ) {
        var options = WebSocketOptions()
        options.subprotocols = subprotocols
        options.compression = compression
        options.keepalive = nil
        options.messageLimit = 256 << 20
        get(path, fileID: fileID, filePath: filePath, line: line, column: column).accept(
            WebSocketRoute(options: options, handler: handler))
    }
}
