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

/// The rest of a chain, as a middleware sees it: call it like a function.
///
/// ```swift
/// let response = try await next(call)
/// ```
public struct Next: Sendable {
    private let links: Chain.Links
    private let index: Int

    init(_ links: Chain.Links, at index: Int) {
        self.links = links
        self.index = index
    }

    /// Sends the call through the middlewares that follow, and the transport.
    ///
    /// May be called more than once, one after the other or at the same time; each is a sending of its own.
    ///
    /// - Parameter call: The call as it shall go on, changed or not.
    /// - Returns: The response of the transport, as the middlewares that follow left it.
    public func callAsFunction(_ call: Call) async throws(NetworkError) -> HTTPResponse {
        let index = links.first(from: index, thatHandles: call)
        return switch links.step(at: index) {
        case .handling: try await links[index].handle(call, Next(links, at: index + 1))
        case .preparing: try await prepared(call, from: index)
        case .transport: try await links.send(call)
        }
    }

    /// The fields that the transport adds to a request; none if a middleware may change it before.
    func fieldsAddedByTransport(to request: HTTPRequest) -> HTTPFields {
        links.isTransport(from: index) ? links.transport.addedFields(for: request) : [:]
    }

    /// Notes that the middleware before this place only prepares.
    func noteDefaultHandling(of type: any RequestMiddleware.Type) {
        if index > 0 { links[index - 1].noteDefaultHandling(of: type) }
    }

    /// Sends a call on that is changed first; apart, as this is waited for in every frame of the chain.
    @inline(never)
    private func prepared(_ call: Call, from index: Int) async throws(NetworkError) -> HTTPResponse {
        var call = call
        let next = try links.prepare(&call, from: index)
        return try await Next(links, at: next)(call)
    }
}

/// Changes what is sent, or refuses it, and has no part in the answer.
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
///
/// It does not wait, so that several in a row cost little more than what they do. A type that has a `handle` of its own is
/// called by that one, as every ``Middleware``, and `prepare` is then for it to call.
public protocol RequestMiddleware: Middleware {
    /// Changes a call before it goes on; what it throws reaches the caller, and nothing is sent.
    ///
    /// May be called for any number of calls at once.
    func prepare(_ call: inout Call) throws(NetworkError)
}

extension RequestMiddleware {
    /// Prepares the call and passes it on.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        next.noteDefaultHandling(of: Self.self)
        guard handles(call) else { return try await next(call) }
        var call = call
        try prepare(&call)
        return try await next(call)
    }
}

/// A middleware that passes each request on unchanged.
protocol Observing: Middleware {}
