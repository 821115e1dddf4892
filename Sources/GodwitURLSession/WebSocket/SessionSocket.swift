import GodwitCore

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
