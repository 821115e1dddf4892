package import GodwitCore

/// A URLSession WebSocket task.
struct SessionSocket: SocketTask {
    private let task: URLSessionWebSocketTask
    private let queue: OperationQueue

    /// - Parameter queue: The delegate's queue, on which tasks are canceled; see ``SessionTask``.
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
        // On Apple platforms, every number is a close code; on Linux, only the named ones.
        let known = URLSessionWebSocketTask.CloseCode(rawValue: Int(code.rawValue)) ?? .normalClosure
        let reason = Data(content.bytes.dropFirst(2))
        queue.addOperation { [task] in task.cancel(with: known, reason: reason.isEmpty ? nil : reason) }
    }

    func cancel() {
        queue.addOperation { [task] in task.cancel() }
    }

    var closeFrame: CloseContent? {
        Self.closeFrame(task.closeCode, task.closeReason)
    }

    /// The peer's close frame; `nil` if there was none.
    static func closeFrame(_ code: URLSessionWebSocketTask.CloseCode, _ reason: Data?) -> CloseContent? {
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

/// A system WebSocket task, as a protocol for tests.
package protocol SocketTask: Sendable {
    /// Receives the next message.
    func receive(_ completion: @escaping @Sendable (Result<WebSocketMessage, any Error>) -> Void)

    /// Sends a message.
    func send(_ message: WebSocketMessage, _ completion: @escaping @Sendable ((any Error)?) -> Void)

    /// Sends a ping; the completion is called when its pong arrives.
    func ping(_ completion: @escaping @Sendable ((any Error)?) -> Void)

    /// Sends a close frame, and ends when the peer has answered it.
    func close(_ content: CloseContent)

    /// Ends without a close frame.
    func cancel()

    /// The peer's close frame; `nil` if there was none.
    var closeFrame: CloseContent? { get }
}

/// The table from errors of a WebSocket task to ``NetworkError/Kind``.
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
        // The error for messages over `maximumMessageSize`.
        case .EMSGSIZE: .tooLarge(limit: Int64(messageLimit))
        case .ECANCELED: .cancelled
        case .ETIMEDOUT: .timedOut(.inactivity)
        case .EPROTO, .EBADMSG, .EILSEQ: .transport(.protocolViolation(detail))
        default: .transport(.connectionLost(detail))
        }
    }
}

/// The head of the response to a WebSocket handshake.
package enum SwitchedHead {
    /// The response as far as the system reports it: at least the status 101 and the chosen subprotocol.
    package static func head(_ response: URLResponse?, subprotocol: String?) -> HTTPResponseHead {
        var head = response.flatMap(ResponseConversion.head) ?? HTTPResponseHead(status: .switchingProtocols)
        head.status = .switchingProtocols
        if let subprotocol, !subprotocol.isEmpty { head.fields[.secWebSocketProtocol] = subprotocol }
        return head
    }
}
