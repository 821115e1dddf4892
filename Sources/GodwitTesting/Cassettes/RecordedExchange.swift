public import GodwitCore

/// A recorded request with its response, for code that sends, compares or prints recordings.
///
/// ```swift
/// for exchange in try Cassette(har: file).exchanges { print(exchange.request.curlCommand) }
/// ```
public struct RecordedExchange: Sendable, Nonisolated {
    /// The request, without the header fields that a transport writes itself, such as `Host`.
    public let request: HTTPRequest

    /// The response, with its body in memory. The body is empty if it was not recorded.
    public let response: HTTPResponse

    init?(_ recording: Recording) {
        guard let method = HTTPMethod(recording.request.method), let url = try? HTTPURL(recording.request.url),
            let status = HTTPStatus(recording.response.status)
        else { return nil }
        var fields = recording.request.fields.fields
        for field in fields where field.name.isReservedForTransport { fields.remove(field.name) }
        request = HTTPRequest(
            method: method, url: url, fields: fields, body: recording.request.body.map { .bytes($0.data) })
        response = HTTPResponse(
            head: HTTPResponseHead(status: status, fields: recording.response.fields.fields),
            body: .bytes(recording.response.body?.data ?? Data()), request: request)
    }
}

extension Cassette {
    /// The recordings in order; empty while recording. A recording whose URL is invalid is left out.
    public var exchanges: [RecordedExchange] { recordings.compactMap(RecordedExchange.init) }
}
