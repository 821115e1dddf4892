public import GodwitCore

/// What a route answers to the handshake of a WebSocket, and who talks then.
struct WebSocketRoute: Sendable {
    let options: WebSocketOptions
    let handler: @Sendable (MockWebSocket) async throws -> Void

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
        handler: @escaping @Sendable (MockWebSocket) async throws -> Void
    ) {
        var options = WebSocketOptions()
        options.subprotocols = subprotocols
        options.compression = compression
        options.keepalive = nil
        options.messageLimit = 256 << 20
        get(path).talk(WebSocketRoute(options: options, handler: handler))
    }
}
