/// In the place of a transport that knows nothing of the TLS rules it was to keep: sends nothing.
struct RefusingTransport: HTTPTransport {
    let refused: any HTTPTransport

    var engineDescription: String { refused.engineDescription }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let reason = "the client's TLS rules are not its transport's; give them to the transport"
        throw NetworkError(.invalidRequest(reason: reason), phase: .building, request: request)
    }

    func warmUp(_ url: HTTPURL, connections: Int) async throws(NetworkError) {
        _ = try await send(HTTPRequest(url: url))
    }

    func shutdown(_ mode: ShutdownMode) async {
        await refused.shutdown(mode)
    }
}
