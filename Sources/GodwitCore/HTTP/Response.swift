/// The value of a call, with the response that it was decoded from.
///
/// ```swift
/// let response = try await api.response(for: .article(id: 42))
/// print(response.value, response.head.status, response.metrics.total ?? .zero)
/// ```
public struct Response<Value: Sendable>: Sendable, Nonisolated {
    /// The decoded value.
    public let value: Value

    /// The status and header fields.
    public var head: HTTPResponseHead { answer.value.head }

    /// The fields after the body; see ``HTTPResponse/trailers``.
    public var trailers: HTTPFields { answer.value.trailers }

    /// The measurements of the exchange; after a retry or redirect, of the last one.
    public var metrics: TransferMetrics { answer.value.metrics }

    /// The request as it was sent, after every middleware; after redirects, the last one.
    public var request: HTTPRequest { answer.value.request }

    private let answer: Box<ResponseFacts>

    /// Keeps everything but the body.
    init(_ value: Value, of response: HTTPResponse) {
        self.value = value
        answer = Box(
            ResponseFacts(
                head: response.head, trailers: response.trailers, metrics: response.metrics, request: response.request))
    }
}

/// The parts of a ``Response`` other than its value.
private struct ResponseFacts: Sendable {
    let head: HTTPResponseHead
    let trailers: HTTPFields
    let metrics: TransferMetrics
    let request: HTTPRequest
}
