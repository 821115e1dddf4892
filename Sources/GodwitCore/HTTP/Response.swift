/// What a call brought: the value, and the answer it was read from.
///
/// ```swift
/// let response = try await api.response(for: .article(id: 42))
/// print(response.value, response.head.status, response.metrics.total ?? .zero)
/// ```
public struct Response<Value: Sendable>: Sendable, Nonisolated {
    /// What the endpoint promised.
    public let value: Value

    /// Status and fields.
    public var head: HTTPResponseHead { answer.value.head }

    /// The fields that came after the body; see ``HTTPResponse/trailers``.
    public var trailers: HTTPFields { answer.value.trailers }

    /// What the exchange cost; after a retry or redirect, the last one.
    public var metrics: TransferMetrics { answer.value.metrics }

    /// The request that was answered, after every middleware; after redirects, the last one.
    public var request: HTTPRequest { answer.value.request }

    private let answer: Box<ResponseFacts>

    /// The content of the response, of which the value was made, is not kept.
    init(_ value: Value, of response: HTTPResponse) {
        self.value = value
        answer = Box(
            ResponseFacts(
                head: response.head, trailers: response.trailers, metrics: response.metrics, request: response.request))
    }
}

/// What a ``Response`` tells beside its value.
private struct ResponseFacts: Sendable {
    let head: HTTPResponseHead
    let trailers: HTTPFields
    let metrics: TransferMetrics
    let request: HTTPRequest
}
