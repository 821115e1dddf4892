/// The messages of a ``ReconnectingWebSocket`` that wait for a connection, and the one that is being sent. A pure value.
package struct OutgoingQueue: Sendable {
    private let limit: Int
    private let overflow: ReconnectOptions.Overflow
    private var waiting: [WebSocketMessage] = []
    /// The one that is being sent. It waits no longer, so that it neither counts nor is dropped.
    private var inHand: WebSocketMessage?

    package init(limit: Int, overflow: ReconnectOptions.Overflow) {
        self.limit = max(0, limit)
        self.overflow = overflow
    }

    /// Adds a message at the end. If there are too many, one is dropped; false if none may be.
    package mutating func append(_ message: WebSocketMessage) -> Bool {
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

    /// Takes the first message in hand, to be sent; `nil` if none waits.
    package mutating func take() -> WebSocketMessage? {
        guard inHand == nil, !waiting.isEmpty else { return nil }
        inHand = waiting.removeFirst()
        return inHand
    }

    /// The message in hand has been sent.
    package mutating func finish() {
        inHand = nil
    }

    /// The message in hand could not be sent: it is the first again.
    package mutating func putBack() {
        if let message = inHand.take() { waiting.insert(message, at: 0) }
    }

    package mutating func removeAll() {
        waiting = []
        inHand = nil
    }
}
