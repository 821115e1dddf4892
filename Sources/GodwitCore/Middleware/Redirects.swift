/// Follows redirects as ``RequestOptions/redirects`` says (RFC 9110 section 15.4).
///
/// - 301 and 302 turn POST into GET, 303 turns all but HEAD into GET, 307 and 308 send method and content again.
/// - From https to http is refused with `.insecure(.downgrade)`.
/// - Credentials stay behind when the origin changes.
/// - Content that can be sent only once and is asked for again throws `.redirect(.bodyNotReplayable)`.
public struct Redirects: Middleware {
    private static let defaultLimit = 20

    /// Makes the middleware.
    public init() {}

    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let first = try await next(call)
        guard first.head.status.kind == .redirection, let request = try Self.following(call, first) else {
            return first
        }
        return try await follow(call, to: request, next: next)
    }

    /// A response that is followed is let go of before the next request is sent, which ends what is left of it.
    private func follow(
        _ call: Call, to request: HTTPRequest, next: Next
    ) async throws(NetworkError) -> HTTPResponse {
        var (call, following) = (call, request)
        while true {
            call.request = following
            call.redirectCount += 1
            let response = try await next(call)
            guard let request = try Self.following(call, response) else { return response }
            following = request
        }
    }

    /// The request that a response asks for; nil where the response is the answer.
    private static func following(_ call: Call, _ response: HTTPResponse) throws(NetworkError) -> HTTPRequest? {
        if case .block = call.request.options.redirects { return nil }
        let decision = RedirectDecision(
            method: call.request.method, url: call.request.url, status: response.head.status,
            location: response.head.fields[.location])
        switch decision {
        case .stay: return nil
        case .refuse(let fault): throw error(kind(of: fault), call.request, response.head)
        case .follow(let step): return try allowed(step, call, response.head)
        }
    }

    private static func allowed(
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
        if !step.keepsBody { proposed.body = nil }
        if case .decide(let decide) = call.request.options.redirects {
            guard let decided = decide(proposed, head) else { return nil }
            proposed = withoutCarriedSecrets(decided, from: call.request)
        }
        guard proposed.body?.isReplayable ?? true else {
            throw error(.redirect(.bodyNotReplayable), call.request, head)
        }
        return proposed
    }

    /// Where a hook sends a request to another origin, what was secret to the first does not go along by accident.
    private static func withoutCarriedSecrets(_ request: HTTPRequest, from earlier: HTTPRequest) -> HTTPRequest {
        guard !request.url.isSameOrigin(as: earlier.url) else { return request }
        var request = request
        request.fields = HTTPFields(request.fields.filter { !$0.name.isSensitive || !earlier.fields.contains($0) })
        return request
    }

    private static func kind(of fault: RedirectFault) -> NetworkError.Kind {
        switch fault {
        case .missingLocation: .redirect(.invalidLocation("it is missing"))
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
