public import GodwitCore

/// What a route answers to the handshake of a WebSocket, and who talks then.
struct WebSocketRoute: Sendable {
    let options: WebSocketOptions
    let handler: @Sendable (MockWebSocket) async throws -> Void

    /// What a handshake is answered with; throws what is wrong with one that is refused.
    func answer(to request: MockRequest) throws(WebSocketFault) -> WebSocketHandshake.Answer {
        try WebSocketHandshake.answer(
            to: request.fields, subprotocols: options.subprotocols, deflate: options.compression?.parameters)
    }

    /// The server's end of the socket that an answered handshake opens.
    func socket(
        _ request: MockRequest, _ answer: WebSocketHandshake.Answer, over connection: any MockDuplex,
        clock: any Clock<Duration>
    ) -> MockWebSocket {
        var options = options
        options.clock = clock
        let head = HTTPResponseHead(status: .switchingProtocols, fields: answer.fields)
        return MockWebSocket(request, WebSocket(.server, connection, options, answer.agreement, head), connection)
    }

    /// Lets the closure talk, and says goodbye as it ended.
    func talk(_ socket: MockWebSocket) async {
        do {
            try await handler(socket)
            await socket.close()
        } catch {
            await socket.close(.internalError, reason: "the handler threw")
        }
    }
}

extension MockRoutes {
    /// A route for WebSockets. A request that is no such handshake gets a 400.
    ///
    /// ```swift
    /// route.webSocket("/chat", subprotocols: ["chat"]) { socket in
    ///     try await socket.send("welcome")
    ///     await socket.close()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path that fits, without a query.
    ///   - subprotocols: What the server speaks; the client's first that is among them is chosen.
    ///   - compression: What the server wishes, where the client offers compression; nil for none.
    ///   - handler: Talks to one client. Cancelled where the server stops.
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
        get(path, fileID: fileID, filePath: filePath, line: line, column: column).talk(
            WebSocketRoute(options: options, handler: handler))
    }
}
