@_spi(Engines) import GodwitCore
import GodwitTesting
import GodwitURLSession
import Synchronization

/// The system's part of a WebSocket, told by a test what happens.
final class FakeSocketTask: SocketTask {
    struct State: Sendable {
        var readers: [@Sendable (Result<WebSocketMessage, any Error>) -> Void] = []
        var readCount = 0
        var sent: [WebSocketMessage] = []
        var senders: [@Sendable ((any Error)?) -> Void] = []
        var pings: [@Sendable ((any Error)?) -> Void] = []
        var closeFrame: CloseContent?
    }

    let state = Mutex(State())
    /// What was done to end it, in order.
    let ended = Watched<[String]>([])

    func receive(_ completion: @escaping @Sendable (Result<WebSocketMessage, any Error>) -> Void) {
        state.withLock { state in
            state.readers.append(completion)
            state.readCount += 1
        }
    }

    func send(_ message: WebSocketMessage, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
        state.withLock { state in
            state.sent.append(message)
            state.senders.append(completion)
        }
    }

    func ping(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        state.withLock { $0.pings.append(completion) }
    }

    func close(_ content: CloseContent) {
        ended.update { $0.append("close \(content.code) \(content.reason)") }
    }

    func cancel() {
        ended.update { $0.append("cancel") }
    }

    var closeFrame: CloseContent? { state.withLock(\.closeFrame) }

    // MARK: What the test says

    /// Answers the one read that waits; false where none does.
    @discardableResult
    func deliver(_ result: Result<WebSocketMessage, any Error>) -> Bool {
        let reader = state.withLock { $0.readers.isEmpty ? nil : $0.readers.removeFirst() }
        reader?(result)
        return reader != nil
    }

    /// Answers the oldest send that waits.
    func endSend(_ error: (any Error)? = nil) {
        state.withLock { $0.senders.isEmpty ? nil : $0.senders.removeFirst() }?(error)
    }

    /// Answers the oldest ping that waits.
    func endPing(_ error: (any Error)? = nil) {
        state.withLock { $0.pings.isEmpty ? nil : $0.pings.removeFirst() }?(error)
    }

    var ends: [String] { ended.value }
    var readCount: Int { state.withLock(\.readCount) }
}

/// Writes down what a connection of messages says.
final class Listener: MessageReceiver {
    struct State: Sendable {
        var said: [String] = []
        var wantsMore = true
        var onMessage: (@Sendable () -> Void)?
    }

    let state = Mutex(State())

    func receive(_ message: WebSocketMessage) -> Bool {
        let (wantsMore, onMessage) = state.withLock { state in
            if case .text(let text) = message { state.said.append(text) } else { state.said.append("bytes") }
            return (state.wantsMore, state.onMessage)
        }
        onMessage?()
        return wantsMore
    }

    func receiveActivity() {}

    func receivePong(_ id: UInt64) {
        state.withLock { $0.said.append("pong \(id)") }
    }

    func receiveClose(_ code: WebSocketCloseCode, reason: String) {
        state.withLock { $0.said.append("close \(code) \(reason)") }
    }

    func receiveEnd(_ error: NetworkError?) {
        state.withLock { $0.said.append(error.map { "end \($0.kind)" } ?? "end") }
    }

    var said: [String] { state.withLock(\.said) }
}
