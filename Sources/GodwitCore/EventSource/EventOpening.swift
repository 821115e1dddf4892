/// How the connections of an event source are made.
struct EventOpening: Sendable {
    /// Whose events they are.
    let session: AccountSession
    /// Makes the request, without `Last-Event-ID`.
    let request: @Sendable () throws(NetworkError) -> HTTPRequest
    /// Sends it, and returns a response whose status was accepted.
    let send: @Sendable (HTTPRequest) async throws(NetworkError) -> HTTPResponse
    /// The error for an answer that is not an event stream.
    let refusal: @Sendable (NetworkError.Kind, HTTPResponse) async -> NetworkError

    /// The request for a connection behind an event.
    func request(after lastEventID: String) throws(NetworkError) -> HTTPRequest {
        var request = try request()
        if !lastEventID.isEmpty { request.fields[.lastEventID] = lastEventID }
        return request
    }

    /// The content of an answer that is an event stream; nil where the server has no more events.
    func stream(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse? {
        let response = try await send(request)
        let status = response.head.status
        if status == .noContent { return nil }
        guard status == .ok else { throw await refusal(.unexpectedStatus(status.code), response) }
        let type = response.head.fields[.contentType]
        guard type.flatMap(MediaType.init(_:))?.matches(.eventStream) == true else {
            throw await refusal(.unexpectedContentType(type), response)
        }
        return response
    }
}
