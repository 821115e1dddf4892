/// Combines middlewares and a transport into a transport.
///
/// The first middleware is the outermost: it sees a call first and its response last.
///
/// ```swift
/// let transport = Chain([Logging(LogOptions(level: .basic)), Redirects()], over: try SocketTransport())
/// let response = try await transport.send(HTTPRequest(url: url))
/// ```
public struct Chain: HTTPTransport {
    let links: ChainLinks

    /// Creates a chain over a transport.
    ///
    /// - Parameters:
    ///   - middlewares: From the outermost to the innermost. Without any, the chain is the transport itself.
    ///   - transport: Sends what the innermost middleware passes on.
    public init(_ middlewares: [any ChainElement], over transport: some HTTPTransport) {
        links = ChainLinks(middlewares, transport, nil)
    }

    init(_ middlewares: [any ChainElement], over transport: some HTTPTransport, _ account: AccountMembership) {
        links = ChainLinks(middlewares, transport, account)
    }

    /// Sends a request through all middlewares, as a new ``Call``, to the transport.
    ///
    /// - Parameter request: The request to send.
    /// - Returns: The response, whatever its status.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        try await links.send(request)
    }

    /// The transport's description.
    public var engineDescription: String { links.transport.engineDescription }

    /// The fields that the transport adds.
    public func addedFields(for request: HTTPRequest) -> HTTPFields { links.transport.addedFields(for: request) }

    /// The transport's connections.
    public func connectionCounts() async -> ConnectionCounts? { await links.transport.connectionCounts() }

    /// Whether the transport forwards requests to this machine elsewhere.
    public func forwardsLoopback(_ origin: Origin) -> Bool { links.transport.forwardsLoopback(origin) }

    /// Opens connections of the transport. Middlewares aren't involved, as no request is sent.
    public func warmUp(_ url: HTTPURL, connections: Int) async throws(NetworkError) {
        try await links.transport.warmUp(url, connections: connections)
    }

    /// The connections of the transport, as long as a copy of the chain exists; `nil` after that.
    var weakConnectionCounts: @Sendable () async -> ConnectionCounts?? {
        { [weak links] in
            guard let links else { return nil }
            return .some(await links.transport.connectionCounts())
        }
    }

    /// Identifies a transport that is a class; `nil` for others.
    var transportIdentity: ObjectIdentifier? {
        type(of: links.transport) is AnyClass ? ObjectIdentifier(links.transport as AnyObject) : nil
    }

    /// Shuts the transport down.
    ///
    /// - Parameter mode: Whether exchanges in progress are finished or canceled.
    public func shutdown(_ mode: ShutdownMode) async {
        await links.transport.shutdown(mode)
    }
}

/// The contents of a chain, shared by all its copies and calls.
final class ChainLinks: Sendable {
    let transport: any HTTPTransport
    /// The account that the chain's calls belong to.
    let account: AccountMembership?
    /// The outermost middleware; `nil` if there is none.
    let first: ChainLink?

    init(_ middlewares: [any ChainElement], _ transport: any HTTPTransport, _ account: AccountMembership?) {
        self.transport = transport
        self.account = account
        first = middlewares.reversed().reduce(nil) { next, middleware in middleware.link(before: next) }
    }

    /// Sends a request as a new call through all links.
    nonisolated(nonsending) func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        guard let stamp = account?.settledStamp else { return try await sendOnceSettled(request) }
        return try await send(Call(request, request.options.account ?? stamp, in: self), from: first)
    }

    /// Waits until the former account's data is removed. A separate function, as few calls need to wait.
    @inline(never)
    private nonisolated(nonsending) func sendOnceSettled(
        _ request: HTTPRequest
    ) async throws(NetworkError) -> HTTPResponse {
        guard let session = account?.session else { return try await send(Call(request, nil, in: self), from: first) }
        let stamp = await session.begin()
        let owner = request.options.account ?? session.ownerOfTask ?? stamp
        return try await send(Call(request, owner, in: self), from: first)
    }

    /// Sends a call through a link and those inside it, and the transport.
    ///
    /// - Parameter link: `nil` for the transport.
    nonisolated(nonsending) func send(
        _ call: Call, from link: ChainLink?
    ) async throws(NetworkError) -> HTTPResponse {
        var walk = ChainWalk(call)
        var step = walk.start(at: link, of: self)
        // If no middleware reviews the outcome, the walk ends here: keeping it across the await would cost a copy.
        if case .handle(let link) = step, !walk.isReviewed {
            return try await link.handle(walk.call, Next(self, at: link.next))
        }
        while true {
            if case .finish(let outcome) = step { return try outcome.get() }
            do throws(NetworkError) {
                switch step {
                case .handle(let link):
                    let response = try await link.handle(walk.call, Next(self, at: link.next))
                    step = walk.step(after: .success(response))
                case .wait(let link):
                    let admission = try await link.wait(walk.call)
                    step = walk.continue(with: admission, of: link, in: self)
                case .send:
                    step = walk.step(after: .success(try await transport.send(walk.call.request)))
                case .resend(let pause):
                    try await pause?()
                    step = walk.resend(in: self)
                case .finish: break
                }
            } catch {
                step = walk.step(after: .failure(error))
            }
        }
    }

    /// The error that stops a call of a former account before the transport.
    func refusal(of call: Call) -> NetworkError? { account?.session.refusal(of: call) }
}

/// A middleware at its position in a chain, as closures that know its type: calling a method of an `any Middleware`
/// copies the middleware's storage (decision 018).
///
/// Only chains use it. Each protocol of middlewares makes its own: a cast would search the program's conformances, 8 µs
/// each, which a short program would feel (decision 088).
public final class ChainLink: Sendable {
    typealias Handle = nonisolated(nonsending) @Sendable (Call, Next) async throws(NetworkError) -> HTTPResponse
    typealias Prepare = @Sendable (inout Call) throws(NetworkError) -> Void
    typealias Review = @Sendable (CallOutcome, Call, Int) -> GodwitCore.Review
    typealias Admit = @Sendable (inout Call, ChainLinks, ChainLink?) throws(NetworkError) -> Admission?
    typealias Wait = nonisolated(nonsending) @Sendable (Call) async throws(NetworkError) -> Admission

    /// What the middleware does with a call.
    private enum Kind { case handles, prepares, reviews, admits, passes }

    private let handles: @Sendable (Call) -> Bool
    private let kind: Kind
    // All are set, so that a call of one copies nothing. One that the middleware doesn't have changes nothing.
    let handle: Handle
    private let prepare: Prepare
    let review: Review
    private let admit: Admit
    let wait: Wait
    private let isObserving: Bool
    /// The next middleware inward; `nil` before the transport.
    let next: ChainLink?

    private init<Wrapped: ChainElement>(
        _ middleware: Wrapped, _ kind: Kind, _ next: ChainLink?, isObserving: Bool = false,
        handle: @escaping Handle = { (call, next) throws(NetworkError) in try await next(call) },
        prepare: @escaping Prepare = { _ in }, review: @escaping Review = { outcome, _, _ in .finish(outcome) },
        admit: @escaping Admit = { _, _, _ in Admission() }, wait: @escaping Wait = { _ in Admission() }
    ) {
        handles = { middleware.handles($0) }
        self.kind = kind
        self.next = next
        self.isObserving = isObserving
        self.handle = handle
        self.prepare = prepare
        self.review = review
        self.admit = admit
        self.wait = wait
    }

    /// - Parameter pass: Lets a call pass without suspending, or returns `nil` if it has to be handled.
    convenience init<Wrapped: Middleware>(
        _ middleware: Wrapped, _ next: ChainLink?, isObserving: Bool = false,
        pass: (@Sendable (Call, Next) throws(NetworkError) -> Admission?)? = nil
    ) {
        self.init(
            middleware, pass == nil ? .handles : .passes, next, isObserving: isObserving,
            handle: { (call, next) async throws(NetworkError) in try await middleware.handle(call, next: next) },
            admit: { (call, links, next) throws(NetworkError) in try pass?(call, Next(links, at: next)) })
    }

    convenience init<Wrapped: RequestMiddleware>(preparing middleware: Wrapped, _ next: ChainLink?) {
        self.init(
            middleware, .prepares, next, prepare: { (call) throws(NetworkError) in try middleware.prepare(&call) })
    }

    convenience init<Wrapped: ReviewingMiddleware>(reviewing middleware: Wrapped, _ next: ChainLink?) {
        self.init(
            middleware, .reviews, next, prepare: { (call) throws(NetworkError) in try middleware.prepare(&call) },
            review: { middleware.review($0, of: $1, sendings: $2) })
    }

    convenience init<Wrapped: AdmittingMiddleware>(admitting middleware: Wrapped, _ next: ChainLink?) {
        self.init(
            middleware, .admits, next,
            admit: { (call, links, next) throws(NetworkError) in
                try middleware.admit(&call, next: Next(links, at: next))
            },
            wait: { (call) async throws(NetworkError) in try await middleware.wait(for: call) })
    }

    /// Whether calls that don't continue by themselves wait for admission here.
    var admitsLater: Bool { kind == .admits }

    /// Whether requests reach the transport unchanged from here.
    var isObservingToTheEnd: Bool { isObserving && next?.isObservingToTheEnd ?? true }

    /// Takes a call inward to the next middleware that waits. Returns `nil` at the transport.
    ///
    /// It is recursive because a loop would retain and release every link.
    func enter(_ walk: inout ChainWalk, _ links: ChainLinks) throws(NetworkError) -> ChainLink? {
        if handles(walk.call) {
            switch kind {
            case .handles: return self
            case .prepares: try prepare(&walk.call)
            case .reviews:
                try prepare(&walk.call)
                walk.add(self)
            case .admits, .passes:
                guard let admission = try admit(&walk.call, links, next) else { return self }
                guard walk.add(admission) else { return nil }
            }
        }
        return try next?.enter(&walk, links)
    }
}
