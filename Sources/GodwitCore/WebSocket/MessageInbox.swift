import GodwitSupport

/// Holds received messages that wait for a reader, or readers that wait for a message; never both. A pure value.
struct MessageInbox: Sendable {
    typealias Reader = Waiter<Result<WebSocketMessage, NetworkError>>

    /// What a message counts in addition to its bytes, so that empty messages are limited too.
    private static let overhead = 64

    private var capacity: Int
    private var messages: [WebSocketMessage?] = []
    private var first = 0
    private var readers: [Reader] = []
    private var byteCount = 0

    /// Whether more than the capacity waited, and not yet half of it has been read.
    private(set) var isFull = false

    /// - Parameter capacity: The bytes that may wait before the inbox is full.
    init(capacity: Int) {
        self.capacity = capacity
    }

    var isEmpty: Bool { first == messages.count }

    /// Adds a message, unless a reader waits for it: then returns that reader, to be resumed with the message.
    mutating func put(_ message: WebSocketMessage) -> Reader? {
        guard readers.isEmpty else { return readers.removeFirst() }
        messages.append(message)
        byteCount += message.byteCount + Self.overhead
        if byteCount > capacity { isFull = true }
        return nil
    }

    /// Takes the oldest message.
    mutating func take() -> WebSocketMessage? {
        guard first < messages.count, let message = messages[first] else { return nil }
        messages[first] = nil
        first += 1
        byteCount -= message.byteCount + Self.overhead
        if byteCount <= capacity / 2 { isFull = false }
        if first == messages.count {
            messages.removeAll(keepingCapacity: messages.count <= 64)
            first = 0
        } else if first >= 64, first * 2 >= messages.count {
            messages.removeFirst(first)
            first = 0
        }
        return message
    }

    /// Registers a reader for the next message.
    mutating func addReader() -> Reader {
        let reader = Reader()
        readers.append(reader)
        return reader
    }

    mutating func remove(_ reader: Reader) {
        readers.removeAll { $0 === reader }
    }

    /// Unregisters all readers and returns them.
    mutating func takeReaders() -> [Reader] {
        defer { readers = [] }
        return readers
    }

    /// Removes the limit: the inbox is never full again.
    mutating func removeLimit() {
        capacity = .max
        isFull = false
    }
}
