/// Handles a call: changes it, answers it, or sends it once, several times, or not at all.
///
/// All of Godwit's features above the transport are middlewares. What they know of a call, yours can know too.
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
/// A middleware that never suspends is shorter and faster as a ``RequestMiddleware`` or a ``ReviewingMiddleware``, and one
/// that seldom does as an ``AdmittingMiddleware``.
///
/// A middleware that sends a call again must check that the body can be sent again (``HTTPBody/isReplayable``), and
/// must release a streamed response that it doesn't return.
///
/// Add yours to ``ClientConfiguration/middleware`` to see each call once, or to
/// ``ClientConfiguration/attemptMiddleware`` to see each request that is sent.
public protocol Middleware: ChainElement {
    /// Handles one call; `next` continues with the rest of the chain.
    ///
    /// Can run for any number of calls at the same time. An error that it throws reaches the caller unless an outer
    /// middleware handles it.
    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse
}

extension Middleware {
    public func link(before next: ChainLink?) -> ChainLink { ChainLink(self, next) }
}

/// A middleware that changes or rejects requests, without suspending.
///
/// ```swift
/// struct Tenant: RequestMiddleware {
///     let name: String
///
///     func prepare(_ call: inout Call) {
///         call.request.fields["X-Tenant"] = name
///     }
/// }
/// ```
public protocol RequestMiddleware: ChainElement {
    /// Changes a call before it continues. If it throws, nothing is sent.
    ///
    /// Can run for any number of calls at the same time.
    func prepare(_ call: inout Call) throws(NetworkError)
}

extension RequestMiddleware {
    public func link(before next: ChainLink?) -> ChainLink { ChainLink(preparing: self, next) }
}

/// A middleware that decides what happens after a call was sent, without suspending. It can change the call before.
///
/// ```swift
/// struct Impatient: ReviewingMiddleware {
///     func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
///         guard sendings == 1, case .success(let response) = outcome, response.head.status == .accepted
///         else { return .finish(outcome) }
///         return .resend(call)
///     }
/// }
/// ```
public protocol ReviewingMiddleware: ChainElement {
    /// Changes a call before it continues. If it throws, nothing is sent. Changes nothing by default.
    func prepare(_ call: inout Call) throws(NetworkError)

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

extension ReviewingMiddleware {
    /// Changes nothing.
    public func prepare(_ call: inout Call) throws(NetworkError) {}

    public func link(before next: ChainLink?) -> ChainLink { ChainLink(reviewing: self, next) }
}

/// A middleware that admits calls, mostly without suspending, and sees how each ends.
///
/// ```swift
/// struct Stopwatch: AdmittingMiddleware {
///     func admit(_ call: inout Call, next: Next) -> Admission? {
///         let (request, start) = (call.request, ContinuousClock.now)
///         return Admission { outcome in
///             print(request, ContinuousClock.now - start)
///             return outcome
///         }
///     }
/// }
/// ```
public protocol AdmittingMiddleware: ChainElement {
    /// Admits a call, changed or not, without suspending.
    ///
    /// Can run for any number of calls at the same time. If it throws, nothing is sent.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - next: The rest of the chain, for a middleware that sends something later.
    /// - Returns: What follows when the call ends; `nil` if the call has to wait. Then ``wait(for:)`` runs, once.
    func admit(_ call: inout Call, next: Next) throws(NetworkError) -> Admission?

    /// Returns when a call that had to wait may continue. Never runs if ``admit(_:next:)`` doesn't return `nil`.
    ///
    /// - Parameter call: The call, as `admit` left it.
    func wait(for call: Call) async throws(NetworkError) -> Admission
}

extension AdmittingMiddleware {
    /// Admits the call at once.
    public func wait(for call: Call) async throws(NetworkError) -> Admission { Admission() }

    public func link(before next: ChainLink?) -> ChainLink { ChainLink(admitting: self, next) }
}

/// The permission of an ``AdmittingMiddleware`` to send a call.
public struct Admission: Sendable {
    typealias End = @Sendable (consuming CallOutcome) -> CallOutcome

    enum Effect {
        case none
        case end(End)
        /// The call isn't sent.
        case answer(HTTPResponse)
    }

    let effect: Effect

    /// Creates an admission that nothing follows.
    public init() { effect = .none }

    /// Answers the call instead.
    init(answer: HTTPResponse) { effect = .answer(answer) }

    /// Creates an admission with a closure that runs once: when the rest of the chain has returned a response or failed.
    ///
    /// - Parameter end: Returns the outcome for the outer middlewares.
    public init(end: @escaping @Sendable (_ outcome: consuming CallOutcome) -> CallOutcome) { effect = .end(end) }
}

/// An element of a chain. Conform to one of ``Middleware``, ``RequestMiddleware``, ``ReviewingMiddleware`` and
/// ``AdmittingMiddleware``, which refine it.
///
/// A type that conforms to two of them doesn't compile: a chain would have to ignore one.
public protocol ChainElement: Sendable {
    /// Whether the middleware has anything to do for a call. If not, the chain skips it.
    ///
    /// `true` by default. Runs for each call.
    func handles(_ call: Call) -> Bool

    /// Returns the element's link in a chain. Each of the four protocols implements it.
    func link(before next: ChainLink?) -> ChainLink
}

extension ChainElement {
    /// `true`: handles every call.
    public func handles(_ call: Call) -> Bool { true }
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

/// A middleware that passes each request on unchanged, such as a log.
///
/// A promise to the middlewares outside: what they see is what the transport gets; see
/// ``Next/fieldsAddedByTransport(to:)``.
public protocol ObservingMiddleware: Middleware {}

extension ObservingMiddleware {
    public func link(before next: ChainLink?) -> ChainLink { ChainLink(self, next, isObserving: true) }
}

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
        try await links.send(call, from: link)
    }

    /// Returns this rest of the chain as long as its client exists, and then `nil`: for a middleware that sends something later.
    public var whileClientExists: @Sendable () -> Next? {
        { [weak links, link] in links.map { Next($0, at: link) } }
    }

    /// The rest of the chain with one more middleware before it: for a middleware that has another one do its work.
    ///
    /// ```swift
    /// let response = try await next.following(DefaultFields(["X-Tenant": name]))(call)
    /// ```
    public func following(_ middleware: some ChainElement) -> Next { Next(links, at: middleware.link(before: link)) }

    /// The header fields that the transport adds to a request, such as `Host`; empty if a middleware can change the request
    /// first. For logs of what is sent.
    public func fieldsAddedByTransport(to request: HTTPRequest) -> HTTPFields {
        link?.isObservingToTheEnd == false ? [:] : links.transport.addedFields(for: request)
    }
}
