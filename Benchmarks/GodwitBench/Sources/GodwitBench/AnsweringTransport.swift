import Godwit

/// Answers every request at once with the same kilobyte, as a server would: what then is measured is the client's own.
struct AnsweringTransport: HTTPTransport {
    private var head = HTTPResponseHead(
        status: .ok,
        fields: [
            "Server": "nginx/1.22.1", "Date": "Sat, 21 Nov 2026 12:00:00 GMT", "Content-Type": "application/json",
            "Content-Length": "1024", "Last-Modified": "Fri, 20 Nov 2026 12:00:00 GMT", "Connection": "keep-alive",
            "ETag": "\"6740a1b2-400\"", "Accept-Ranges": "bytes",
        ])
    private let body = HTTPBody.bytes(Data(repeating: 0x20, count: 1024))

    /// - Parameter fields: More fields of the responses.
    init(adding fields: HTTPFields = [:]) {
        for field in fields { head.fields.append(field.value, for: field.name) }
    }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        HTTPResponse(head: head, body: body, metrics: TransferMetrics(), request: request)
    }

    func shutdown(_ mode: ShutdownMode) async {}
}
