package import GodwitCore

/// What is needed of the system's task for a WebSocket: so little that tests can take its place.
package protocol SocketTask: Sendable {
    /// Waits for the next message.
    func receive(_ completion: @escaping @Sendable (Result<WebSocketMessage, any Error>) -> Void)

    /// Sends a message.
    func send(_ message: WebSocketMessage, _ completion: @escaping @Sendable ((any Error)?) -> Void)

    /// Sends a ping; the completion is called with its pong.
    func ping(_ completion: @escaping @Sendable ((any Error)?) -> Void)

    /// Sends a close frame, and ends when the peer has answered it.
    func close(_ content: CloseContent)

    /// Ends without a word.
    func cancel()

    /// What a close frame said; nil where there was none.
    var farewell: CloseContent? { get }
}
