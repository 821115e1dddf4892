/// What a call brought: the value, and the answer it was read from.
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
