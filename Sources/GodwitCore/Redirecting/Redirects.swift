/// Follows redirects according to ``RequestOptions/redirects`` (RFC 9110 section 15.4).
///
/// - 301 and 302 change POST to GET, 303 changes all methods but HEAD to GET, 307 and 308 resend method and body.
/// - A redirect from HTTPS to HTTP throws `.insecure(.downgrade)`, unless the host is known to demand HTTPS (``HSTSStore``):
///   the request is then sent over HTTPS.
/// - Fields with secrets (``HTTPField/Name/isSensitive``) are dropped if the origin changes, also from trailers.
/// - A body that must be sent again but can't be throws `.redirect(.bodyNotReplayable)`.
/// - A redirect over the limit throws `.redirect(.tooMany)`, one whose `Location` isn't usable
///   `.redirect(.invalidLocation)`. A 3xx without `Location` is a response like others.
///
/// ```swift
/// let chain = Chain([Redirects()], over: transport)
/// ```
public struct Redirects: ReviewingMiddleware {
    private static let defaultLimit = 20

    private let hsts: HSTSStore?

    /// Creates a middleware that follows redirects as ``RequestOptions/redirects`` says.
    ///
    /// - Parameter hsts: The hosts that demand HTTPS. `nil` (the default) knows none.
    public init(hsts: HSTSStore? = nil) {
        self.hsts = hsts
    }

    /// Changes the URL of a host that demands HTTPS, so that a redirect within it stays at its origin.
    public func prepare(_ call: inout Call) {
        if let hsts { call.upgrade(by: hsts) }
    }

    /// Sends the call again for each redirect to follow.
    public func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
        guard case .success(let response) = outcome, response.head.status.kind == .redirection else {
            return .finish(outcome)
        }
        var call = call
        do throws(NetworkError) {
            guard let request = try redirected(&call, response.head) else { return .finish(outcome) }
            call.request = request
            // The next server may repeat what this one was sent.
            call.request.note(former: response.request)
            call.redirectCount += 1
            return .resend(call)
        } catch {
            return .finish(.failure(error))
        }
    }

    /// The request to send next; `nil` to return the redirect response itself.
    private func redirected(_ call: inout Call, _ head: HTTPResponseHead) throws(NetworkError) -> HTTPRequest? {
        let request = call.request
        if case .block = request.options.redirects { return nil }
        let decision = RedirectDecision(
            method: request.method, url: request.url, status: head.status, fields: head.fields
        ) { [hsts] in hsts?.upgraded($0) }
        switch decision {
        case .stay: return nil
        case .refuse(let fault): throw Self.error(Self.kind(of: fault), request, head)
        case .follow(let step):
            let next = try Self.following(step, call, head)
            if step.isUpgraded { call.noteUpgrade() }
            return next
        }
    }

    /// The request to send next; `nil` if the caller's closure rejects the redirect.
    private static func following(
        _ step: RedirectStep, _ call: Call, _ head: HTTPResponseHead
    ) throws(NetworkError) -> HTTPRequest? {
        let limit = if case .followUp(let limit) = call.request.options.redirects { limit } else { defaultLimit }
        guard call.redirectCount < limit else {
            throw error(.redirect(.tooMany(limit: limit)), call.request, head)
        }
        var proposed = call.request
        proposed.method = step.method
        proposed.url = step.url
        proposed.fields = step.fields(from: call.request.fields)
        proposed.body = step.keepsBody ? call.request.body : nil
        if step.changesOrigin {
            let bound = call.originBoundFields
            for name in bound { proposed.fields.remove(name) }
            proposed.body = proposed.body?.withoutTrailers { step.isDropped($0) || bound.contains($0) }
        }
        if case .decide(let decide) = call.request.options.redirects {
            guard let decided = decide(proposed, head) else { return nil }
            proposed = withoutCarriedSecrets(decided, from: call)
        }
        guard proposed.body?.isReplayable ?? true else {
            throw error(.redirect(.bodyNotReplayable), call.request, head)
        }
        return proposed
    }

    /// Removes secrets of the first origin that a closure would otherwise carry over to another one.
    private static func withoutCarriedSecrets(_ request: HTTPRequest, from call: Call) -> HTTPRequest {
        guard !request.url.isSameOrigin(as: call.request.url) else { return request }
        var request = request
        let bound = call.originBoundFields
        let isBound = { @Sendable (name: HTTPField.Name) in name.isSensitive || bound.contains(name) }
        request.fields = HTTPFields(
            request.fields.filter { !isBound($0.name) || !call.request.fields.contains($0) })
        if let former = call.request.body, let body = request.body, body.sharesTrailers(with: former) {
            request.body = body.withoutTrailers(isBound)
        }
        return request
    }

    private static func kind(of fault: RedirectFault) -> NetworkError.Kind {
        switch fault {
        case .contradictoryLocations: .redirect(.invalidLocation("several that contradict each other"))
        case .invalidLocation(let reason): .redirect(.invalidLocation(reason))
        case .downgrade(let url): .insecure(.downgrade(to: RedactedURL(url).description))
        }
    }

    private static func error(
        _ kind: NetworkError.Kind, _ request: HTTPRequest, _ head: HTTPResponseHead
    ) -> NetworkError {
        NetworkError(kind, phase: .middleware, request: request, response: head)
    }
}

/// What happens when a server answers with a redirect.
///
/// ```swift
/// $0.redirects = .decide { next, response in next.url.host == "example.com" ? next : nil }
/// ```
///
/// See ``Redirects`` for what changes with each hop.
public enum RedirectPolicy: Sendable, Nonisolated {
    /// Follows up to 20 redirects.
    case follow

    /// Follows up to this many redirects; one more throws `.redirect(.tooMany)`.
    case followUp(to: Int)

    /// Returns the redirect response itself.
    case block

    /// Calls a closure for each of up to 20 redirects, with the next request and the redirect response. It returns the
    /// request to send, changed or not, or `nil` to return the redirect response itself.
    case decide(@Sendable (_ proposed: HTTPRequest, _ response: HTTPResponseHead) -> HTTPRequest?)
}

extension RedirectPolicy: RequestOption {
    public static var defaultValue: RedirectPolicy { .follow }
}

extension RequestOptions {
    /// How redirects are handled. ``RedirectPolicy/follow`` by default.
    public var redirects: RedirectPolicy {
        @inline(__always) get { self[RedirectPolicy.self] }
        set { self[RedirectPolicy.self] = newValue }
    }
}
