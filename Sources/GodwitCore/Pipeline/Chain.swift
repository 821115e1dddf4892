import Synchronization

/// Middlewares over a transport: itself a transport.
///
/// The first middleware is the outermost: it sees a call first and its response last.
///
/// ```swift
/// let transport = Chain([Logging(LogOptions(level: .basic)), Redirects()], over: try CurlTransport())
/// let response = try await transport.send(HTTPRequest(url: url))
/// ```
public struct Chain: HTTPTransport {
    final class Links: Sendable {
        let transport: any HTTPTransport
        /// Whose calls these are: the chain's clients keep what they hold for the account as long as this.
        let account: AccountMembership?
        /// The same, to look at without counting references.
        private let owner: Unmanaged<AccountMembership>?
        private let links: [ChainLink]
        /// The same, to look at without counting references: each of them would be counted for every call, by all
        /// processors at once.
        private let places: [Unmanaged<ChainLink>]

        init(_ middlewares: [any Middleware], _ transport: any HTTPTransport, _ account: AccountMembership?) {
            self.account = account
            owner = account.map(Unmanaged.passUnretained)
            links = middlewares.map(Self.link)
            places = links.map(Unmanaged.passUnretained)
            self.transport = transport
        }

        private static func link(_ middleware: any Middleware) -> ChainLink {
            if let middleware = middleware as? any RequestMiddleware { return ChainLink(preparing: middleware) }
            return ChainLink(middleware)
        }

        /// The place of the next middleware that has to do with a call; that behind the last where there is none.
        func first(from start: Int, thatHandles call: Call) -> Int {
            var index = start
            while index < places.count, !isAsked(at: index, about: call) { index += 1 }
            return index
        }

        private func isAsked(at index: Int, about call: Call) -> Bool {
            places[index]._withUnsafeGuaranteedRef { $0.handles(call) }
        }

        /// The account that a call starts for; `nil` if there is none, or it takes a closer look.
        var settledStamp: AccountStamp? { owner?._withUnsafeGuaranteedRef { $0.settledStamp } }

        /// What stands in a place.
        enum Step {
            case handling, preparing, transport
        }

        func step(at index: Int) -> Step {
            guard index < places.count else { return .transport }
            return places[index]._withUnsafeGuaranteedRef { $0.isPreparing } ? .preparing : .handling
        }

        /// Whether requests go from here to the transport as they are.
        func isTransport(from start: Int) -> Bool {
            links.suffix(from: min(start, links.count)).allSatisfy(\.onlyObserves)
        }

        subscript(index: Int) -> ChainLink { links[index] }

        /// Lets all that only prepare, up to the next that handles, change the call; the place of that one.
        func prepare(_ call: inout Call, from start: Int) throws(NetworkError) -> Int {
            var index = start
            while step(at: index) == .preparing {
                if isAsked(at: index, about: call) { try links[index].prepare(&call) }
                index += 1
            }
            return index
        }

        /// Most calls have nothing to tell of what led to them, and are sent at less cost.
        @inline(never)
        func send(_ call: Call) async throws(NetworkError) -> HTTPResponse {
            if let error = owner?._withUnsafeGuaranteedRef({ $0.session.refusal(of: call) }) { throw error }
            guard call.redirectCount > 0 || call.attempt > 1 else { return try await transport.send(call.request) }
            return try await sendNoting(call)
        }

        /// Tells the response, or the error, which attempt it is, and how many redirects led to it.
        private func sendNoting(_ call: Call) async throws(NetworkError) -> HTTPResponse {
            do throws(NetworkError) {
                var response = try await transport.send(call.request)
                var metrics = response.metrics
                if call.redirectCount > 0 { metrics.redirectCount = call.redirectCount }
                if call.attempt > 1 { metrics.attempt = call.attempt }
                response.metrics = metrics
                return response
            } catch {
                var error = error
                error.attempt = call.attempt
                throw error
            }
        }
    }

    private let links: Links

    /// Makes a chain over a transport.
    ///
    /// - Parameters:
    ///   - middlewares: From the outermost to the innermost; none makes the chain the transport itself.
    ///   - transport: What the innermost sends to.
    public init(_ middlewares: [any Middleware], over transport: some HTTPTransport) {
        links = Links(middlewares, transport, nil)
    }

    init(_ middlewares: [any Middleware], over transport: some HTTPTransport, _ account: AccountMembership) {
        links = Links(middlewares, transport, account)
    }

    /// Sends a request through all middlewares, as a ``Call`` of its own, to the transport.
    ///
    /// - Parameter request: The request; a response of any status comes back.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        guard let stamp = links.settledStamp else { return try await sendOnceSettled(request) }
        return try await Next(links, at: 0)(Call(request, request.options.account ?? stamp))
    }

    /// Waits until what the former account left is gone; apart, as it is rarely needed.
    @inline(never)
    private func sendOnceSettled(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        guard let session = links.account?.session else { return try await Next(links, at: 0)(Call(request)) }
        let stamp = await session.begin()
        let owner = request.options.account ?? session.ownerOfTask ?? stamp
        return try await Next(links, at: 0)(Call(request, owner))
    }

    /// The transport's description.
    public var engineDescription: String { links.transport.engineDescription }

    /// The fields that the transport adds.
    public func addedFields(for request: HTTPRequest) -> HTTPFields { links.transport.addedFields(for: request) }

    /// Opens connections of the transport below. No middleware sees it, as nothing is sent.
    public func warmUp(_ url: HTTPURL, connections: Int) async throws(NetworkError) {
        try await links.transport.warmUp(url, connections: connections)
    }

    /// Shuts the transport below down.
    ///
    /// - Parameter mode: Whether exchanges under way are finished or cancelled.
    public func shutdown(_ mode: ShutdownMode) async {
        await links.transport.shutdown(mode)
    }
}

/// A middleware in its place in a chain.
///
/// Its functions know the middleware's type: to call one that is held as `any Middleware`, all that it holds is copied, and
/// its reference counts are what tasks on different processors then wait for.
final class ChainLink: Sendable {
    /// Whether the middleware only prepares: a row of such is gone through without waiting.
    ///
    /// A ``RequestMiddleware`` may have a `handle` of its own, which no type shows. So it is handled as any other until the
    /// default `handle` has run, which says so here.
    private let preparesOnly = Atomic(false)

    var isPreparing: Bool { preparesOnly.load(ordering: .relaxed) }

    /// The type of the middleware.
    private let type: ObjectIdentifier

    /// Whether the middleware sends every request on as it is.
    let onlyObserves: Bool

    let handles: @Sendable (Call) -> Bool

    /// Changes a call before it goes on, where the middleware only prepares.
    let prepare: @Sendable (inout Call) throws(NetworkError) -> Void

    let handle: @Sendable (Call, Next) async throws(NetworkError) -> HTTPResponse

    init<Wrapped: Middleware>(_ middleware: Wrapped) {
        type = ObjectIdentifier(Wrapped.self)
        onlyObserves = Wrapped.self is any Observing.Type
        handles = { middleware.handles($0) }
        prepare = { _ in }
        handle = { (call, next) async throws(NetworkError) in try await middleware.handle(call, next: next) }
    }

    init<Wrapped: RequestMiddleware>(preparing middleware: Wrapped) {
        type = ObjectIdentifier(Wrapped.self)
        onlyObserves = Wrapped.self is any Observing.Type
        handles = { middleware.handles($0) }
        prepare = { (call) throws(NetworkError) in try middleware.prepare(&call) }
        handle = { (call, next) async throws(NetworkError) in try await middleware.handle(call, next: next) }
    }

    /// Notes that the default `handle` of ``RequestMiddleware`` runs for a type. One that another middleware wraps says
    /// nothing about the one that stands here.
    func noteDefaultHandling(of type: any RequestMiddleware.Type) {
        if ObjectIdentifier(type) == self.type { preparesOnly.store(true, ordering: .relaxed) }
    }
}
