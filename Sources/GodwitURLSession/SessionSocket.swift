package import GodwitCore

/// URLSession's task for a WebSocket.
struct SessionSocket: SocketTask {
    private let task: URLSessionWebSocketTask
    private let queue: OperationQueue

    /// - Parameter queue: The delegate's, which tasks are cancelled from; see ``SessionTask``.
    init(_ task: URLSessionWebSocketTask, _ queue: OperationQueue) {
        self.task = task
        self.queue = queue
    }

    func receive(_ completion: @escaping @Sendable (Result<WebSocketMessage, any Error>) -> Void) {
        task.receive { completion($0.map(Self.message)) }
    }

    func send(_ message: WebSocketMessage, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
        switch message {
        case .text(let text): task.send(.string(text), completionHandler: completion)
        case .binary(let data): task.send(.data(data), completionHandler: completion)
        }
    }

    func ping(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        task.sendPing(pongReceiveHandler: completion)
    }

    func close(_ content: CloseContent) {
        let code = content.code.isSendable ? content.code : .normalClosure
        // Apple's enumeration takes every number, that of Linux but those it names.
        let known = URLSessionWebSocketTask.CloseCode(rawValue: Int(code.rawValue)) ?? .normalClosure
        let reason = Data(content.bytes.dropFirst(2))
        queue.addOperation { [task] in task.cancel(with: known, reason: reason.isEmpty ? nil : reason) }
    }

    func cancel() {
        queue.addOperation { [task] in task.cancel() }
    }

    var farewell: CloseContent? {
        Self.farewell(task.closeCode, task.closeReason)
    }

    /// What a close frame said, in the system's terms; nil for none.
    static func farewell(_ code: URLSessionWebSocketTask.CloseCode, _ reason: Data?) -> CloseContent? {
        guard code != .invalid, let number = UInt16(exactly: code.rawValue) else { return nil }
        return CloseContent(
            WebSocketCloseCode(number), reason: reason.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    private static func message(_ message: URLSessionWebSocketTask.Message) -> WebSocketMessage {
        if case .string(let text) = message { return .text(text) }
        guard case .data(let data) = message else { return .binary(Data()) }
        return .binary(data)
    }
}

/// What is needed of the system's task for a WebSocket: so little that tests can take its place.
package protocol SocketTask: Sendable {
    /// Waits for the next message.
    func receive(_ completion: @escaping @Sendable (Result<WebSocketMessage, any Error>) -> Void)

    /// Sends a message.
    func send(_ message: WebSocketMessage, _ completion: @escaping @Sendable ((any Error)?) -> Void)

    /// Sends a ping; the completion is called with its pong.
    func ping(_ completion: @escaping @Sendable ((any Error)?) -> Void)

    /// Sends a close frame, and ends when the peer has answered it.
    func close(_ content: CloseContent)

    /// Ends without a word.
    func cancel()

    /// What a close frame said; nil where there was none.
    var farewell: CloseContent? { get }
}

/// The one table from the errors of a WebSocket's task to ``NetworkError/Kind``.
package enum SocketFailure {
    package static func kind(of error: any Error, host: String, messageLimit: Int) -> NetworkError.Kind {
        if let error = error as? POSIXError { return kind(of: error, messageLimit) }
        if let error = error as? URLError, error.code == .dataLengthExceedsMaximum {
            return .tooLarge(limit: Int64(messageLimit))
        }
        return SessionFailure.kind(of: error, host: host)
    }

    private static func kind(of error: POSIXError, _ messageLimit: Int) -> NetworkError.Kind {
        let detail = error.localizedDescription
        return switch error.code {
        // What `maximumMessageSize` ends in.
        case .EMSGSIZE: .tooLarge(limit: Int64(messageLimit))
        case .ECANCELED: .cancelled
        case .ETIMEDOUT: .timedOut(.inactivity)
        case .EPROTO, .EBADMSG, .EILSEQ: .transport(.protocolViolation(detail))
        default: .transport(.connectionLost(detail))
        }
    }
}

/// The head of the answer to a WebSocket's handshake.
package enum SwitchedHead {
    /// What the server answered, as far as the system tells: at least that it switched, and the subprotocol it chose.
    package static func head(_ response: URLResponse?, subprotocol: String?) -> HTTPResponseHead {
        var head = response.flatMap(ResponseConversion.head) ?? HTTPResponseHead(status: .switchingProtocols)
        head.status = .switchingProtocols
        if let subprotocol, !subprotocol.isEmpty { head.fields[.secWebSocketProtocol] = subprotocol }
        return head
    }
}
