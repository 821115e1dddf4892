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
