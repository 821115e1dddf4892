import GodwitCore

extension SessionDelegate: URLSessionWebSocketDelegate {
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) {
        exchange(of: webSocketTask)?.open(
            SessionSocket(webSocketTask, queue), webSocketTask.response, subprotocol: `protocol`)
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
        // A close frame without a code has none here either.
        exchange(of: webSocketTask)?.hear(SessionSocket.farewell(closeCode, reason) ?? CloseContent(.noStatus))
    }
}
