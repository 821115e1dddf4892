/// Handles a call: changes it, answers it, or sends it once, several times, or not at all.
///
/// All of Godwit's features above the transport are middlewares and use only public API.
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
/// A middleware that never suspends is shorter and faster as a ``RequestMiddleware``.
///
/// A middleware that sends a call again must check that the body can be sent again (``HTTPBody/isReplayable``), and
/// must release a streamed response that it doesn't return.
///
/// Add yours to ``ClientConfiguration/middleware`` to see each call once, or to
/// ``ClientConfiguration/attemptMiddleware`` to see each request that is sent.
public protocol Middleware: Sendable {
    /// Handles one call; `next` continues with the rest of the chain.
    ///
    /// Can run for any number of calls at the same time. An error that it throws reaches the caller unless an outer
    /// middleware handles it.
    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse

    /// Whether the middleware has anything to do for a call. If not, the chain skips it.
    ///
    /// `true` by default. Runs for each call.
    func handles(_ call: Call) -> Bool
}

extension Middleware {
    /// `true`: handles every call.
    public func handles(_ call: Call) -> Bool { true }
}

/// A middleware that changes or rejects requests, without suspending.
///
/// ```swift
/// struct Tenant: RequestMiddleware {
///     static let isSynchronous = true
///     let name: String
///
///     func prepare(_ call: inout Call) {
///         call.request.fields["X-Tenant"] = name
///     }
/// }
/// ```
///
/// ``Middleware/handle(_:next:)`` has a default implementation. If you keep it, set `isSynchronous` to `true`: the
/// chain then calls `prepare` directly, which is faster.
public protocol RequestMiddleware: Middleware {
    /// Changes a call before it continues. If it throws, nothing is sent.
    ///
    /// Can run for any number of calls at the same time.
    func prepare(_ call: inout Call) throws(NetworkError)

    /// Whether a chain can skip `handle` and call `prepare`, and `review` if there is one. `false` by default.
    static var isSynchronous: Bool { get }
}

extension RequestMiddleware {
    public static var isSynchronous: Bool { false }

    /// Prepares the call and passes it on.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard handles(call) else { return try await next(call) }
        var call = call
        try prepare(&call)
        return try await next(call)
    }
}

/// A middleware that also decides what happens after a call was sent, without suspending.
///
/// ```swift
/// struct Impatient: ReviewingMiddleware {
///     static let isSynchronous = true
///
///     func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
///         guard sendings == 1, case .success(let response) = outcome, response.head.status == .accepted
///         else { return .finish(outcome) }
///         return .resend(call)
///     }
/// }
/// ```
public protocol ReviewingMiddleware: RequestMiddleware {
    /// Decides what happens after a call was sent.
    ///
    /// Runs after each sending of a call for which `prepare` didn't throw.
    ///
    /// - Parameters:
    ///   - outcome: The response or error from the rest of the chain.
    ///   - call: The call as this middleware sent it.
    ///   - sendings: How often this middleware has sent the call, this time included.
    func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review
}

/// The response to a call, or the error that it failed with.
public typealias CallOutcome = Result<HTTPResponse, NetworkError>

/// The decision of a ``ReviewingMiddleware``.
public enum Review: Sendable {
    /// Returns this outcome to the outer middlewares.
    case finish(CallOutcome)

    /// Sends a call again through the inner middlewares, after a pause. The outcome is released first. An error that
    /// the pause throws becomes the outcome.
    case resend(Call, after: (@Sendable () async throws(NetworkError) -> Void)? = nil)
}

extension ReviewingMiddleware {
    /// Leaves the call unchanged.
    public func prepare(_ call: inout Call) throws(NetworkError) {}

    /// Prepares the call, sends it, and reviews the outcome.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        try await next.following(self)(call)
    }
}

/// A middleware that passes each request on unchanged.
protocol Observing: Middleware {}

/// The rest of a chain, as a middleware sees it: call it like a function.
///
/// ```swift
/// let response = try await next(call)
/// ```
public struct Next: Sendable {
    private let links: ChainLinks
    /// `nil` for the transport.
    private let link: ChainLink?

    init(_ links: ChainLinks, at link: ChainLink?) {
        self.links = links
        self.link = link
    }

    /// Sends the call through the middlewares that follow, and the transport.
    ///
    /// Can be called more than once, in sequence or concurrently; each call is a separate sending.
    ///
    /// - Parameter call: The call to send, changed or not.
    /// - Returns: The response of the transport, as the middlewares that follow left it.
    public func callAsFunction(_ call: Call) async throws(NetworkError) -> HTTPResponse {
        var walk = ChainWalk(call, links)
        var step = walk.start(at: link)
        // If no middleware reviews the outcome, the walk ends here: keeping it across the await would cost a copy.
        if case .handle(let handle, let link) = step, !walk.isReviewed {
            return try await handle(walk.call, Next(links, at: link))
        }
        while true {
            if case .finish(let outcome) = step { return try outcome.get() }
            do throws(NetworkError) {
                switch step {
                case .handle(let handle, let link):
                    step = walk.step(after: .success(try await handle(walk.call, Next(links, at: link))))
                case .send:
                    step = walk.step(after: .success(try await links.transport.send(walk.call.request)))
                case .resend(let reviewer, let pause):
                    try await pause?()
                    step = walk.resend(reviewer)
                case .finish: break
                }
            } catch {
                step = walk.step(after: .failure(error))
            }
        }
    }

    /// Where it is in its chain.
    var position: (links: ChainLinks, link: ChainLink?) { (links, link) }

    /// This rest of the chain after a middleware that its `handle` adds to it.
    fileprivate func following(_ middleware: some ReviewingMiddleware) -> Next {
        Next(links, at: ChainLink(reviewing: middleware, link))
    }

    /// The fields that the transport adds to a request; empty if a middleware can change the request first.
    func fieldsAddedByTransport(to request: HTTPRequest) -> HTTPFields {
        link?.isObservingToTheEnd == false ? [:] : links.transport.addedFields(for: request)
    }
}
