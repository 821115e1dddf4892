/// The messages of a ``WebSocket`` or a ``ReconnectingWebSocket``, as they come.
public struct WebSocketMessages: AsyncSequence, Sendable {
    /// Waits for the next message.
    typealias Receive = @Sendable () async throws(NetworkError) -> WebSocketMessage

    private let receive: Receive
    private let isCleanEnd: @Sendable (WebSocketCloseCode) -> Bool

    /// - Parameter isCleanEnd: Whether a loop ends without an error where the peer closed with a code.
    init(from receive: @escaping Receive, endingAt isCleanEnd: @escaping @Sendable (WebSocketCloseCode) -> Bool) {
        self.receive = receive
        self.isCleanEnd = isCleanEnd
    }

    /// One loop over the messages.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let receive: Receive
        fileprivate let isCleanEnd: @Sendable (WebSocketCloseCode) -> Bool

        /// The next message; nil after a clean end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> WebSocketMessage? {
            do throws(NetworkError) {
                return try await receive()
            } catch {
                if case .socketClosed(let code, _) = error.kind, isCleanEnd(code) { return nil }
                throw error
            }
        }

        public mutating func next() async throws(NetworkError) -> WebSocketMessage? {
            try await next(isolation: nil)
        }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(receive: receive, isCleanEnd: isCleanEnd)
    }
}
