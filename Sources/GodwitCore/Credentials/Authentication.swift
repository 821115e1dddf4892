/// Attaches credentials to the requests that need them, and to no others.
///
/// ```swift
/// let origins = [try HTTPURL("https://api.example.com").origin]
/// $0.middleware.append(Authentication(.tokens(tokens), for: origins))
/// ```
///
/// - A request carries them where its ``RequestOptions/authentication`` is `.required`, its origin is one of those
///   named here, and it has no such field or item of its own. Any other request passes as it is.
/// - They go over https, and over http to this machine; plain http to another host throws `.insecure(.plaintext)`.
/// - A redirect to another origin leaves them behind.
/// - A 401 to a token has it refreshed, and the request is sent once more with the new one, if its body can be sent
///   again and its account is still the same. A second 401 ends the session: the tokens are cleared, and the response is
///   returned, which a client reports as `.unauthorized`. A 401 that a cache gave says nothing of a token.
/// - A 401 to a credential of a closure has the closure called again, and the request is sent once more if it returns
///   another one.
/// - In responses and errors that pass, ``HTTPRequest`` shows `redacted` in place of the credential.
///
/// Without a token, and where none can be had, `.unauthorized` is thrown; nothing is sent then.
public struct Authentication: Middleware {
    private let credential: Credential
    private let origins: Set<Origin>

    /// Makes the middleware for a credential and the origins it is meant for.
    ///
    /// - Parameters:
    ///   - credential: What is attached.
    ///   - origins: The only origins that get it. Requests to others pass as they are.
    public init(_ credential: Credential, for origins: some Sequence<Origin>) {
        self.credential = credential
        self.origins = Set(origins)
    }

    /// Attaches the credential where the request wants one and its origin may have it, and passes the call on.
    ///
    /// - Parameters:
    ///   - call: The call so far.
    ///   - next: The rest of the chain.
    ///
    /// With tokens, a 401 is followed by one more request with a new one. Throws `.unauthorized` where none can be had.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let origin = call.request.url.origin
        guard call.request.options.authentication == .required, origins.contains(origin) else {
            return try await next(call)
        }
        guard origin.scheme == .https || origin.isLoopback else {
            throw NetworkError(.insecure(.plaintext(host: origin.host)), phase: .middleware, request: call.request)
        }
        switch credential.kind {
        case .fixed(let attachment):
            guard !attachment.isPreempted(in: call.request) else { return try await next(call) }
            return try await Self.send(call, with: attachment, next).response
        case .tokens(let tokens):
            guard !call.request.fields.contains(.authorization) else { return try await next(call) }
            return try await Self.send(call, with: tokens, next)
        case .provided(let provide):
            return try await Self.send(call, providedBy: provide, next)
        }
    }

    /// A response, and whether it refuses the credential that the request carried.
    private struct Answer {
        let response: HTTPResponse
        let isRefusal: Bool
    }

    private enum FirstAnswer {
        case final(HTTPResponse)
        case refused(HTTPResponseHead)
    }

    private static func send(
        _ call: Call, with tokens: TokenRefresher, _ next: Next
    ) async throws(NetworkError) -> HTTPResponse {
        let stamp = tokens.shared.session.stamp(of: call)
        let first = try await token(for: call, nil) { () async throws(NetworkError) in
            try await tokens.current(for: stamp)
        }
        let head: HTTPResponseHead
        // A refused response lives no longer than this: what is left of it ends before the request is sent again.
        switch try await firstAnswer(to: call, with: first, tokens, next) {
        case .final(let response): return response
        case .refused(let refusal): head = refusal
        }
        return try await sendAgain(call, after: head, first, stamp, tokens, next)
    }

    /// Sends the call once more with a new token. Apart, as it is rarely needed.
    @inline(never)
    private static func sendAgain(
        _ call: Call, after head: HTTPResponseHead, _ first: TokenRefresher.Issue, _ stamp: AccountStamp,
        _ tokens: TokenRefresher, _ next: Next
    ) async throws(NetworkError) -> HTTPResponse {
        let second = try await token(for: call, head) { () async throws(NetworkError) in
            try await tokens.replacement(for: first, stamp)
        }
        var again = call
        again.startAttempt(after: call.attempt)
        let answer = try await send(again, with: Credential.Attachment(second.value), next)
        if answer.isRefusal { await tokens.giveUp(second, answer.response.head) }
        return answer.response
    }

    private static func firstAnswer(
        to call: Call, with issue: TokenRefresher.Issue, _ tokens: TokenRefresher, _ next: Next
    ) async throws(NetworkError) -> FirstAnswer {
        let answer = try await send(call, with: Credential.Attachment(issue.value), next)
        guard answer.isRefusal else { return .final(answer.response) }
        guard call.request.body?.isReplayable ?? true else {
            tokens.startReplacing(issue)
            return .final(answer.response)
        }
        return .refused(answer.response.head)
    }

    /// Gets a token; an error then tells which request is not sent, and what the server said to it before.
    private static func token(
        for call: Call, _ head: HTTPResponseHead?,
        _ get: () async throws(NetworkError) -> TokenRefresher.Issue
    ) async throws(NetworkError) -> TokenRefresher.Issue {
        do throws(NetworkError) {
            return try await get()
        } catch {
            var error = error
            error.request = call.request
            error.response = head
            error.attempt = call.attempt
            throw error
        }
    }

    private static func send(
        _ call: Call, with attachment: Credential.Attachment, _ next: Next
    ) async throws(NetworkError) -> Answer {
        do throws(NetworkError) {
            return answer(try await next(try attachment.attached(to: call)), to: attachment)
        } catch {
            throw concealing(attachment, in: error)
        }
    }

    // What is done without waiting stays out of the frame that waits.

    @inline(never)
    private static func answer(_ response: HTTPResponse, to attachment: Credential.Attachment) -> Answer {
        let isRefusal =
            response.head.status == .unauthorized && response.metrics.source == .network
            && attachment.isCarried(by: response.request)
        var response = response
        response.request = attachment.concealed(in: response.request)
        return Answer(response: response, isRefusal: isRefusal)
    }

    @inline(never)
    private static func concealing(_ attachment: Credential.Attachment, in error: NetworkError) -> NetworkError {
        guard let request = error.request else { return error }
        var error = error
        error.request = attachment.concealed(in: request)
        return error
    }
}

// Credentials of a closure.
extension Authentication {
    @inline(never)
    private static func send(
        _ call: Call, providedBy provide: @Sendable () async throws -> Credential, _ next: Next
    ) async throws(NetworkError) -> HTTPResponse {
        let first: Credential.Attachment
        switch try await provided(by: provide, for: call, after: nil) {
        case .tokens(let tokens): return try await send(call, with: tokens, next)
        case .fixed(let attachment): first = attachment
        case .provided: throw nested(call)
        }
        guard !first.isPreempted(in: call.request) else { return try await next(call) }
        let answer = try await send(call, with: first, next)
        guard answer.isRefusal, call.request.body?.isReplayable ?? true else { return answer.response }
        let kind = try await provided(by: provide, for: call, after: answer.response.head)
        // What was refused would be refused again.
        guard case .fixed(let second) = kind, second != first else { return answer.response }
        var again = call
        again.startAttempt(after: answer.response)
        return try await send(again, with: second, next).response
    }

    private static func provided(
        by provide: @Sendable () async throws -> Credential, for call: Call, after head: HTTPResponseHead?
    ) async throws(NetworkError) -> Credential.Kind {
        do {
            return try await provide().kind
        } catch {
            var failure =
                switch error {
                case let error as NetworkError: error
                case is CancellationError: NetworkError(.cancelled, phase: .middleware)
                default: NetworkError(.unauthorized, phase: .middleware, underlying: error)
                }
            failure.request = call.request
            failure.response = head
            failure.attempt = call.attempt
            throw failure
        }
    }

    private static func nested(_ call: Call) -> NetworkError {
        let reason = "a credential closure returned another closure; return the credential itself"
        return NetworkError(.invalidRequest(reason: reason), phase: .building, request: call.request)
    }
}
