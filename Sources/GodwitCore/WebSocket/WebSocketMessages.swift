/// The messages of a ``WebSocket``, as they come.
public struct WebSocketMessages: AsyncSequence, Sendable {
    private let socket: WebSocket

    init(_ socket: WebSocket) {
        self.socket = socket
    }

    /// One loop over the messages.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let socket: WebSocket

        /// The next message; nil after a clean end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> WebSocketMessage? {
            do throws(NetworkError) {
                return try await socket.receive()
            } catch {
                if case .socketClosed(let code, _) = error.kind, code == .normalClosure || socket.isClosing {
                    return nil
                }
                throw error
            }
        }

        public mutating func next() async throws(NetworkError) -> WebSocketMessage? {
            try await next(isolation: nil)
        }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(socket: socket)
    }
}
