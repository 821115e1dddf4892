/// Limits how many calls run at the same time, in total and for each origin. Further calls wait in FIFO order.
///
/// ```swift
/// let chain = Chain([ConcurrencyLimit(total: 64, perHost: 6)], over: transport)
/// ```
///
/// A call counts until its response returns: with `.buffered` and `.file`, until the whole body is received; with
/// `.streamed`, until the head is received, so that endless streams don't block other calls. A canceled call leaves the
/// queue and throws `.cancelled`. Calls that wait for one origin don't delay calls to others.
///
/// An inner middleware must not send calls through the same limit, such as a token refresh: these would wait for the
/// call that waits for them. Send them over a chain without the limit.
public struct ConcurrencyLimit: Middleware {
    private let permits: AsyncSemaphore

    /// The number of waiting calls.
    package var waitingCount: Int { permits.waitingCount }

    /// Whether no call is in progress or waiting.
    package var isIdle: Bool { permits.isIdle }

    /// Creates the middleware. Limits of less than 1 count as 1.
    ///
    /// - Parameters:
    ///   - total: The maximum number of calls. `nil` (the default) means no limit.
    ///   - perHost: The maximum number of calls to one origin. `nil` (the default) means no limit.
    public init(total: Int? = nil, perHost: Int? = nil) {
        permits = AsyncSemaphore(total: total, perHost: perHost)
    }

    /// Passes the call on when the limits allow it.
    ///
    /// - Throws: `.cancelled` if the task is canceled while waiting, and the errors of the chain.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let origin = call.request.url.origin
        do throws(CancellationError) {
            try await permits.acquire(for: origin)
        } catch {
            throw NetworkError.cancelled(call)
        }
        defer { permits.release(for: origin) }
        return try await next(call)
    }
}
