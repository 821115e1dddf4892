/// Lets only so many calls through at once, in all and for each origin; the others wait in the order in which they came.
///
/// ```swift
/// let chain = Chain([ConcurrencyLimit(total: 64, perHost: 6)], over: transport)
/// ```
///
/// A call holds its place until its response returns: for `.buffered` and `.file` until the whole body is in, for
/// `.streamed` until the head is, so that streams which never end do not stop everything else. Cancelling a call that
/// waits frees its place in the queue at once and throws `.cancelled`. A call that waits for a full origin does not hold
/// up calls to others.
///
/// A middleware further in that sends calls through this same one, such as a token refresh, can wait for its own place:
/// send those over a chain without it.
public struct ConcurrencyLimit: Middleware {
    private let permits: AsyncSemaphore

    /// How many calls wait for a place.
    package var waitingCount: Int { permits.waitingCount }

    /// Whether no call holds a place or waits for one.
    package var isIdle: Bool { permits.isIdle }

    /// Makes the middleware; limits of less than 1 count as 1.
    ///
    /// - Parameters:
    ///   - total: The most calls at once; nil for no limit.
    ///   - perHost: The most calls at once to one origin; nil for no limit.
    public init(total: Int? = nil, perHost: Int? = nil) {
        permits = AsyncSemaphore(total: total, perHost: perHost)
    }

    /// Passes the call on once there is a place.
    ///
    /// - Parameters:
    ///   - call: The call so far.
    ///   - next: The rest of the chain.
    ///
    /// Throws `.cancelled` where the task is cancelled while it waits, and else what the call throws.
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
