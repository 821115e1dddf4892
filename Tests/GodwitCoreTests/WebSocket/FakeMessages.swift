@_spi(Engines) import GodwitCore
import GodwitTesting
import Synchronization

/// A connection of messages whose other end is a test, and what was done to it.
final class FakeMessages: MessageConnection {
    struct State: Sendable {
        var receiver: (any MessageReceiver)?
        /// Whether the receiver wants more.
        var isReading = true
        var sends: [@Sendable (NetworkError?) -> Void] = []
    }

    private let state = Mutex(State())
    /// What was done, in order: `send …`, `ping …`, `close …`, `abandon …`.
    let done = Watched<[String]>([])
    /// Whether sends wait until they are ended.
    let holdsSends: Bool

    init(holdsSends: Bool = false) {
        self.holdsSends = holdsSends
    }

    func start(_ receiver: any MessageReceiver) {
        state.withLock { $0.receiver = receiver }
    }

    func resumeReading() {
        state.withLock { $0.isReading = true }
        note("resume")
    }

    func send(_ message: WebSocketMessage, completion: @escaping @Sendable (NetworkError?) -> Void) {
        if holdsSends { state.withLock { $0.sends.append(completion) } }
        if case .text(let text) = message { note("send \(text)") } else { note("send bytes") }
        if !holdsSends { completion(nil) }
    }

    func ping(_ id: UInt64) {
        note("ping \(id)")
    }

    func close(_ code: WebSocketCloseCode, reason: String) {
        note("close \(code) \(reason)")
    }

    func abandon(_ code: WebSocketCloseCode?) {
        defer { note("abandon \(code.map { "\($0)" } ?? "")") }
        let sends = state.withLock { state in
            defer { (state.receiver, state.sends) = (nil, []) }
            return state.sends
        }
        for completion in sends { completion(NetworkError(.transport(.connectionLost("abandoned")), phase: .sending)) }
    }

    private func note(_ what: String) {
        done.update { $0.append(what) }
    }

    // MARK: What the test says

    var receiver: (any MessageReceiver)? { state.withLock(\.receiver) }
    var isReading: Bool { state.withLock(\.isReading) }

    func deliver(_ texts: String...) {
        for text in texts {
            let goesOn = receiver?.receive(.text(text)) ?? false
            if !goesOn { state.withLock { $0.isReading = false } }
        }
    }

    /// Ends the oldest send that waits.
    func completeSend() {
        let completion = state.withLock { $0.sends.isEmpty ? nil : $0.sends.removeFirst() }
        completion?(nil)
    }

    func fail(_ error: NetworkError) {
        receiver?.receiveFault(error)
    }

    func end(_ code: WebSocketCloseCode? = nil, _ reason: String = "", error: NetworkError? = nil) {
        if let code { receiver?.receiveClose(code, reason: reason) }
        receiver?.receiveEnd(error)
    }

    func pong(_ id: UInt64) {
        receiver?.receivePong(id)
    }
}

/// Answers every handshake with the next of its connections.
final class MessageTransport: HTTPTransport {
    let connections: [FakeMessages]
    let requests = Watched<[HTTPRequest]>([])
    private let head: HTTPResponseHead

    init(_ connections: FakeMessages..., head: HTTPResponseHead = HTTPResponseHead(status: .switchingProtocols)) {
        self.connections = connections
        self.head = head
    }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let count = requests.update { requests in
            requests.append(request)
            return requests.count
        }
        var response = HTTPResponse(head: head, request: request)
        response.messages = connections[min(count, connections.count) - 1]
        return response
    }
}
