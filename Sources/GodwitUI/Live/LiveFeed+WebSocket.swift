public import GodwitCore

extension LiveFeed where Element: Codable {
    /// Makes a feed of the values that come over a WebSocket.
    ///
    /// ```swift
    /// let feed = LiveFeed { api.webSocket("live", as: LiveMessage.self) }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: The most values that are kept; less than 1 counts as 1.
    ///   - connect: Makes the socket, each time the feed runs. One that nobody else holds is closed when the feed stops;
    ///     hold it, and give out the same again, to send over it.
    public convenience init(
        limit: Int = 100, _ connect: @escaping @Sendable () async throws -> TypedWebSocket<Element>
    ) {
        self.init(limit: limit) { sink in
            let socket = try await connect()
            try await sink.show(socket.messages, beside: socket.socket.states.map { State($0) })
        }
    }
}

extension LiveFeed where Element == WebSocketMessage {
    /// Makes a feed of the messages that come over a WebSocket.
    ///
    /// - Parameters:
    ///   - limit: The most messages that are kept; less than 1 counts as 1.
    ///   - connect: Makes the socket, each time the feed runs. One that nobody else holds is closed when the feed stops.
    public convenience init(
        limit: Int = 100, messages connect: @escaping @Sendable () async throws -> ReconnectingWebSocket
    ) {
        self.init(limit: limit) { sink in
            let socket = try await connect()
            try await sink.show(socket.messages, beside: socket.states.map { State($0) })
        }
    }
}
