/// The received messages that wait for their reader, and the readers that wait for messages: never both.
struct MessageQueue {
    typealias Reader = UnsafeContinuation<Result<WebSocketMessage, NetworkError>, Never>

    private var messages: [WebSocketMessage?] = []
    private var first = 0
    private var readers: [(id: Int, reader: Reader)] = []
    private(set) var byteCount = 0

    /// What one message costs beside its bytes, so that empty ones count too.
    private static let overhead = 64

    var isEmpty: Bool { first == messages.count }

    mutating func append(_ message: WebSocketMessage) {
        messages.append(message)
        byteCount += message.byteCount + Self.overhead
    }

    mutating func popMessage() -> WebSocketMessage? {
        guard first < messages.count, let message = messages[first] else { return nil }
        messages[first] = nil
        first += 1
        byteCount -= message.byteCount + Self.overhead
        if first == messages.count {
            messages.removeAll(keepingCapacity: messages.count <= 64)
            first = 0
        } else if first >= 64, first * 2 >= messages.count {
            messages.removeFirst(first)
            first = 0
        }
        return message
    }

    mutating func append(_ reader: Reader, id: Int) {
        readers.append((id, reader))
    }

    mutating func popReader() -> Reader? {
        readers.isEmpty ? nil : readers.removeFirst().reader
    }

    mutating func removeReader(_ id: Int) -> Reader? {
        guard let index = readers.firstIndex(where: { $0.id == id }) else { return nil }
        return readers.remove(at: index).reader
    }
}
