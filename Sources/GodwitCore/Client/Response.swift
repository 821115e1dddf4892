/// What a call brought: the value, and the answer it was read from.
///
/// ```swift
/// let response = try await api.response(for: .article(id: 42))
/// print(response.value, response.head.status, response.metrics.total ?? .zero)
/// ```
public struct Response<Value: Sendable>: Sendable {
    /// What the endpoint promised.
    public let value: Value

    /// Status and fields.
    public let head: HTTPResponseHead

    /// What the exchange cost; after a retry or redirect, the last one.
    public let metrics: TransferMetrics

    /// The request that was answered, after every middleware; after redirects, the last one.
    public let request: HTTPRequest
}
