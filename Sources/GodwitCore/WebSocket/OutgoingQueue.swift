/// Messages of a ``ReconnectingWebSocket`` that wait for a connection, and the one that is being sent. A pure value.
struct OutgoingQueue: Sendable {
    let limit: Int
    private let overflow: ReconnectOptions.Overflow
    private var waiting: [WebSocketMessage] = []
    /// The message being sent. It neither counts toward the limit nor is dropped.
    private var current: WebSocketMessage?

    init(limit: Int, overflow: ReconnectOptions.Overflow) {
        self.limit = max(0, limit)
        self.overflow = overflow
    }

    /// Adds a message at the end, dropping one if the queue is full; returns `false` if none may be dropped.
    mutating func append(_ message: WebSocketMessage) -> Bool {
        if waiting.count < limit {
            waiting.append(message)
            return true
        }
        switch overflow {
        case .fail: return false
        case .dropNewest: break
        case .dropOldest:
            guard !waiting.isEmpty else { break }
            waiting.removeFirst()
            waiting.append(message)
        }
        return true
    }

    /// Takes the first message, to be sent.
    mutating func take() -> WebSocketMessage? {
        guard current == nil, !waiting.isEmpty else { return nil }
        current = waiting.removeFirst()
        return current
    }

    /// The current message has been sent.
    mutating func finish() {
        current = nil
    }

    /// The current message could not be sent: it becomes the first again.
    mutating func putBack() {
        if let message = current.take() { waiting.insert(message, at: 0) }
    }

    mutating func removeAll() {
        waiting = []
        current = nil
    }
}
