/// Wraps a send: changes the call, answers it itself, sends it once, several times, or not at all.
///
/// Everything Godwit does above the transport is a middleware, and uses nothing that is not public here.
///
/// ```swift
/// struct Stopwatch: Middleware {
///     func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
///         let start = ContinuousClock.now
///         let response = try await next(call)
///         print(call.request, response.head.status, ContinuousClock.now - start)
///         return response
///     }
/// }
/// ```
///
/// One that only changes what is sent is shorter, and costs less, as a ``RequestMiddleware``.
///
/// A middleware that sends a call again must see to it that its content can be sent again
/// (``HTTPBody/isReplayable``), and that a streamed response it does not return is let go of.
///
/// Add one to ``ClientConfiguration/middleware`` to see each call once, or to ``ClientConfiguration/attemptMiddleware``
/// to see each request that goes out.
public protocol Middleware: Sendable {
    /// Handles one call; `next` continues with the rest of the chain.
    ///
    /// May be called for any number of calls at once. What it throws reaches the caller as it is, unless a middleware
    /// further out handles it.
    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse

    /// Whether there is anything to handle about a call; one without goes past at no cost.
    ///
    /// True unless a middleware says otherwise. Asked each time a call comes by.
    func handles(_ call: Call) -> Bool
}

extension Middleware {
    /// True: every call is handled.
    public func handles(_ call: Call) -> Bool { true }
}
