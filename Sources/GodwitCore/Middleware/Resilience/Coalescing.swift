/// Lets concurrent identical requests share one transfer.
///
/// ```swift
/// let chain = Chain([Coalescing(), Retry()], over: transport)
/// ```
///
/// **Which requests**: safe methods without content, `.buffered`, without an ``RequestOptions/onEvent`` or a redirect
/// closure of their own. **What is identical**: method and URL; every field but those that only name the call
/// (`X-Request-ID`, `traceparent`, `tracestate`), so that nothing a server may vary its answer by is lost; the buffer
/// limit; the options that change what is sent or accepted; and `identity`.
///
/// Nothing is kept: a request that comes when the shared one is over is sent. A caller that is cancelled gets
/// `.cancelled` at once and the others do not notice; when the last one goes, the transfer is cancelled. All get the same
/// response or error, whose request is the one that was sent: the first caller's.
///
/// Credentials that a middleware further in attaches are not seen here. A client's calls are shared only within one
/// generation of its ``AccountSession``. Elsewhere, if one chain serves several accounts, give `identity` what tells
/// them apart.
public struct Coalescing: Middleware {
    private let flights = Flights<FlightKey, HTTPResponse>()
    private let identity: @Sendable (HTTPRequest) -> String

    /// How many callers wait for a shared transfer.
    package var waitingCount: Int { flights.waitingCount }

    /// Makes the middleware.
    ///
    /// - Parameter identity: On whose behalf a request is sent, where its fields do not tell.
    public init(identity: @escaping @Sendable (HTTPRequest) -> String = { _ in "" }) {
        self.identity = identity
    }

    /// Sends the call, or waits for the response of one like it that is under way.
    ///
    /// - Parameters:
    ///   - call: The call so far.
    ///   - next: The rest of the chain.
    ///
    /// Throws what the shared call throws, and `.cancelled` at once for a caller that is cancelled.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard let key = FlightKey(call.request, call.account, identity: identity) else { return try await next(call) }
        return try await flights.join(key, orThrow: .cancelled(call)) { () throws(NetworkError) in
            try await next(call)
        }
    }
}
