import GodwitSupport
import Synchronization

/// Passes messages from the connections of a reconnecting socket to its readers. A slow reader delays the writer.
final class MessageRelay: Sendable {
    private struct State {
        var inbox: MessageInbox
        var writer: Waiter<Void>?
        var ending: NetworkError?
    }

    private enum Step {
        case message(WebSocketMessage, Waiter<Void>?)
        case waiting(MessageInbox.Reader)
    }

    private static let cancellation = NetworkError(.cancelled, phase: .receiving)

    private let state: Mutex<State>

    /// - Parameter capacity: The bytes that may wait.
    init(capacity: Int) {
        state = Mutex(State(inbox: MessageInbox(capacity: capacity)))
    }

    /// Adds a message; returns when there is room for another. One writer at a time.
    func put(_ message: WebSocketMessage) async {
        let (reader, writer) = state.withLock { state -> (MessageInbox.Reader?, Waiter<Void>?) in
            let reader = state.inbox.put(message)
            state.writer = state.inbox.isFull && state.ending == nil ? Waiter() : nil
            return (reader, state.writer)
        }
        reader?.resume(returning: .success(message))
        await writer?.value()
    }

    /// The next message. Throws what ended the relay, or `.cancelled` if the task is canceled.
    func take() async throws(NetworkError) -> WebSocketMessage {
        guard !Task.isCancelled else { throw Self.cancellation }
        let step = try state.withLock { state throws(NetworkError) -> Step in
            if let message = state.inbox.take() {
                return .message(message, state.inbox.isFull ? nil : state.writer.take())
            }
            if let ending = state.ending { throw ending }
            return .waiting(state.inbox.addReader())
        }
        switch step {
        case .message(let message, let writer):
            writer?.resume()
            return message
        case .waiting(let reader):
            return try await reader.value {
                state.withLock { $0.inbox.remove(reader) }
                reader.resume(returning: .failure(Self.cancellation))
            }.get()
        }
    }

    /// Ends the relay. Messages that wait can still be taken.
    func end(_ error: NetworkError) {
        let (readers, writer) = state.withLock { state in
            state.ending = state.ending ?? error
            return (state.inbox.takeReaders(), state.writer.take())
        }
        writer?.resume()
        for reader in readers { reader.resume(returning: .failure(error)) }
    }
}
