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
public struct ConcurrencyLimit: AdmittingMiddleware {
    private let permits: AsyncSemaphore

    /// The number of waiting calls.
    package var waitingCount: Int { permits.waitingCount }

    /// Whether no call is in progress or waiting.
    package var isIdle: Bool { permits.isIdle }

    /// Creates a middleware that limits the calls in progress. Limits of less than 1 count as 1.
    ///
    /// - Parameters:
    ///   - total: The maximum number of calls. `nil` (the default) means no limit.
    ///   - perHost: The maximum number of calls to one origin. `nil` (the default) means no limit.
    public init(total: Int? = nil, perHost: Int? = nil) {
        permits = AsyncSemaphore(total: total, perHost: perHost)
    }

    /// Admits the call if the limits allow it.
    ///
    /// - Throws: `.cancelled` if the task is canceled.
    public func admit(_ call: inout Call, next: Next) throws(NetworkError) -> Admission? {
        guard !Task.isCancelled else { throw NetworkError.cancelled(call) }
        let origin = call.request.url.origin
        return permits.acquireIfFree(for: origin) ? admission(origin) : nil
    }

    /// Returns when the limits allow the call.
    ///
    /// - Throws: `.cancelled` if the task is canceled while waiting.
    public func wait(for call: Call) async throws(NetworkError) -> Admission {
        let origin = call.request.url.origin
        do throws(CancellationError) {
            try await permits.acquire(for: origin)
        } catch {
            throw NetworkError.cancelled(call)
        }
        return admission(origin)
    }

    private func admission(_ origin: Origin) -> Admission {
        Admission { [permits] outcome in
            permits.release(for: origin)
            return outcome
        }
    }
}
