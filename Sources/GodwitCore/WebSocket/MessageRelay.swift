import Synchronization

/// Carries messages from the connections of a reconnecting socket to whoever reads them; a slow reader holds it up.
final class MessageRelay: Sendable {
    private struct State {
        var queue = MessageQueue()
        var writer: UnsafeContinuation<Void, Never>?
        var ending: NetworkError?
        var lastID = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: The bytes that may wait.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Hands a message on; returns once there is room for another. One writer at a time.
    func put(_ message: WebSocketMessage) async {
        await withUnsafeContinuation { (writer: UnsafeContinuation<Void, Never>) in
            let (reader, isFull) = state.withLock { state -> (MessageQueue.Reader?, Bool) in
                if let reader = state.queue.popReader() { return (reader, false) }
                state.queue.append(message)
                guard state.queue.byteCount > capacity, state.ending == nil else { return (nil, false) }
                state.writer = writer
                return (nil, true)
            }
            reader?.resume(returning: .success(message))
            if !isFull { writer.resume() }
        }
    }

    /// The next message.
    func take() async throws(NetworkError) -> WebSocketMessage {
        let id = state.withLock { state -> Int in
            state.lastID += 1
            return state.lastID
        }
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { wait($0, id) }
        } onCancel: {
            state.withLock { $0.queue.removeReader(id) }?.resume(returning: .failure(Self.cancellation))
        }
        return try result.get()
    }

    private func wait(_ reader: MessageQueue.Reader, _ id: Int) {
        let (result, writer) = state.withLock {
            state -> (Result<WebSocketMessage, NetworkError>?, UnsafeContinuation<Void, Never>?) in
            guard !Task.isCancelled else { return (.failure(Self.cancellation), nil) }
            if let message = state.queue.popMessage() {
                return (.success(message), state.queue.byteCount <= capacity / 2 ? state.writer.take() : nil)
            }
            if let ending = state.ending { return (.failure(ending), nil) }
            state.queue.append(reader, id: id)
            return (nil, nil)
        }
        writer?.resume()
        if let result { reader.resume(returning: result) }
    }

    /// No more will come.
    func end(_ error: NetworkError) {
        let (readers, writer) = state.withLock { state -> ([MessageQueue.Reader], UnsafeContinuation<Void, Never>?) in
            state.ending = state.ending ?? error
            var readers: [MessageQueue.Reader] = []
            while let reader = state.queue.popReader() { readers.append(reader) }
            return (readers, state.writer.take())
        }
        writer?.resume()
        for reader in readers { reader.resume(returning: .failure(error)) }
    }

    private static let cancellation = NetworkError(.cancelled, phase: .receiving)
}

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
