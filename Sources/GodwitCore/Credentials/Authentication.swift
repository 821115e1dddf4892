/// Attaches credentials to the requests that need them, and to no others.
///
/// ```swift
/// let origins = [try HTTPURL("https://api.example.com").origin]
/// $0.middleware.append(Authentication(.tokens(tokens), for: origins))
/// ```
///
/// - A request gets credentials if its ``RequestOptions/authentication`` is `.required`, its origin is listed here, and
///   it doesn't already have such a field or query item. Any other request passes unchanged.
/// - Credentials are sent over https, and over http to this machine, but not through a proxy; other plain http throws
///   `.insecure(.plaintext)`.
/// - A redirect to another origin drops them.
/// - After a 401 to a token, the token is refreshed, and the request is sent again if its body is replayable and the
///   account is still the same. A second 401 ends the session: the tokens are cleared, and the response is returned,
///   which a client reports as `.unauthorized`. A cached 401 has no effect on a token.
/// - After a 401 to a closure's credential, the closure is called again, and the request is sent again if it returns
///   another credential.
/// - ``HTTPRequest`` in responses and errors shows `redacted` instead of the credential.
///
/// If no token is available, `.unauthorized` is thrown and nothing is sent.
public struct Authentication: Middleware {
    private let credential: Credential
    private let origins: Set<Origin>

    /// Creates a middleware that attaches a credential to the requests for some origins.
    ///
    /// - Parameters:
    ///   - credential: The credential to attach.
    ///   - origins: The only origins that get it. Requests to others pass unchanged.
    public init(_ credential: Credential, for origins: some Sequence<Origin>) {
        self.credential = credential
        self.origins = Set(origins)
    }

    /// Whether the request needs the credential.
    public func handles(_ call: Call) -> Bool { call.needsCredential(for: origins) }

    /// Attaches the credential, and passes the call on.
    ///
    /// - Throws: `.unauthorized` if no credential is available, and the errors of the chain.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        switch credential.kind {
        case .fixed(let attachment):
            return try await next.following(FixedCredential(attachment: attachment, origins: origins))(call)
        case .tokens(let tokens):
            try call.requireConfidentiality()
            return try await Self.send(call, with: tokens, next)
        case .provided(let provide):
            try call.requireConfidentiality()
            return try await Self.send(call, providedBy: provide, next)
        }
    }

    /// A credential that never changes needs no waiting middleware.
    public func link(before next: ChainLink?) -> ChainLink {
        guard case .fixed(let attachment) = credential.kind else { return ChainLink(self, next) }
        return FixedCredential(attachment: attachment, origins: origins).link(before: next)
    }
}

/// Attaches a credential that never changes.
private struct FixedCredential: AdmittingMiddleware {
    let attachment: Credential.Attachment
    let origins: Set<Origin>

    func handles(_ call: Call) -> Bool { call.needsCredential(for: origins) }

    func admit(_ call: inout Call, next: Next) throws(NetworkError) -> Admission? {
        try call.requireConfidentiality()
        guard !attachment.isPreempted(in: call.request) else { return Admission() }
        try attachment.attach(to: &call)
        return Admission { [attachment] outcome in attachment.concealed(in: outcome) }
    }
}

extension Call {
    fileprivate func needsCredential(for origins: Set<Origin>) -> Bool {
        request.options.authentication == .required && origins.contains(request.url.origin)
    }

    fileprivate func requireConfidentiality() throws(NetworkError) {
        guard !isConfidential else { return }
        throw NetworkError(.insecure(.plaintext(host: request.url.origin.host)), phase: .middleware, request: request)
    }
}

/// Decides what follows from each response to a request that carried a credential.
enum AuthenticationPhase: Sendable, Hashable {
    case first
    /// After a 401, another process was found to have replaced the credential. It may have been long ago.
    case found
    /// The credential was replaced after a 401.
    case replaced

    enum Action: Sendable, Hashable {
        case finish
        /// Finish, and replace the credential for later requests.
        case replaceAndFinish
        case replaceAndResend
        /// Finish, and end the session: a new credential was refused as well.
        case giveUp
    }

    mutating func handle(isRefusal: Bool, isReplayable: Bool) -> Action {
        guard isRefusal else { return .finish }
        switch self {
        case .first where isReplayable:
            self = .replaced
            return .replaceAndResend
        case .found where isReplayable:
            self = .replaced
            return .replaceAndResend
        case .first, .found: return .replaceAndFinish
        case .replaced: return .giveUp
        }
    }
}

extension Authentication {
    private enum Outcome {
        case final(HTTPResponse)
        case refused(HTTPResponseHead)
    }

    private static func send(
        _ call: Call, with tokens: TokenRefresher, _ next: Next
    ) async throws(NetworkError) -> HTTPResponse {
        guard !call.request.fields.contains(.authorization) else { return try await next(call) }
        let stamp = tokens.shared.session.stamp(of: call)
        var issue = try await token(for: call, after: nil) { () async throws(NetworkError) in
            try await tokens.current(for: stamp)
        }
        var call = call
        var phase = AuthenticationPhase.first
        while true {
            note(issue.value, in: &call)
            let formerPhase = phase
            // A refused response is released in `outcome`: its body has to end before the request is sent again.
            switch try await outcome(of: call, with: issue, tokens, &phase, next) {
            case .final(let response): return response
            case .refused(let head):
                let refused = issue
                issue = try await token(for: call, after: head) { () async throws(NetworkError) in
                    try await tokens.replacement(for: refused, stamp)
                }
                if formerPhase == .first, issue.isFound { phase = .found }
                call.startAttempt(after: call.attempt)
            }
        }
    }

    /// Notes the token before it is attached, so that a second request knows the first one's.
    @inline(never)
    private static func note(_ token: AccessToken, in call: inout Call) {
        call.request.note(.value(token.access))
        if let refresh = token.refresh { call.request.note(.value(refresh)) }
    }

    private static func outcome(
        of call: Call, with issue: TokenRefresher.Issue, _ tokens: TokenRefresher, _ phase: inout AuthenticationPhase,
        _ next: Next
    ) async throws(NetworkError) -> Outcome {
        let (response, isRefusal) = try await send(call, with: Credential.Attachment(issue.value), next)
        switch phase.handle(isRefusal: isRefusal, isReplayable: call.request.body?.isReplayable ?? true) {
        case .finish: break
        case .replaceAndFinish: tokens.startReplacing(issue)
        case .replaceAndResend: return .refused(response.head)
        case .giveUp: await tokens.giveUp(issue, response.head)
        }
        return .final(response)
    }

    /// Gets a token. An error contains the request that is not sent, and the response to its first attempt.
    private static func token(
        for call: Call, after head: HTTPResponseHead?,
        _ get: () async throws(NetworkError) -> TokenRefresher.Issue
    ) async throws(NetworkError) -> TokenRefresher.Issue {
        do throws(NetworkError) {
            return try await get()
        } catch {
            throw adding(call, head, to: error)
        }
    }

    private static func adding(_ call: Call, _ head: HTTPResponseHead?, to error: NetworkError) -> NetworkError {
        var error = error
        error.request = call.request
        error.response = head
        error.attempt = call.attempt
        return error
    }

    private static func send(
        _ call: Call, with attachment: Credential.Attachment, _ next: Next
    ) async throws(NetworkError) -> (response: HTTPResponse, isRefusal: Bool) {
        do throws(NetworkError) {
            return concealing(attachment, in: try await next(try attachment.attached(to: call)))
        } catch {
            throw attachment.concealed(in: error)
        }
    }

    // Synchronous work stays out of the frame that awaits.

    @inline(never)
    private static func concealing(
        _ attachment: Credential.Attachment, in response: consuming HTTPResponse
    ) -> (response: HTTPResponse, isRefusal: Bool) {
        let isRefusal =
            response.head.status == .unauthorized && response.metrics.source == .network
            && attachment.isCarried(by: response.request)
        attachment.conceal(in: &response.request)
        return (response, isRefusal)
    }
}

// Credentials from a closure.
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
        let (response, isRefusal) = try await send(call, with: first, next)
        var phase = AuthenticationPhase.first
        let action = phase.handle(isRefusal: isRefusal, isReplayable: call.request.body?.isReplayable ?? true)
        // The server would refuse the same credential again.
        guard action == .replaceAndResend,
            case .fixed(let second) = try await provided(by: provide, for: call, after: response.head), second != first
        else { return response }
        var again = call
        again.startAttempt(after: response)
        again.request.adoptSecrets(of: response.request)
        return try await send(again, with: second, next).response
    }

    private static func provided(
        by provide: @Sendable () async throws -> Credential, for call: Call, after head: HTTPResponseHead?
    ) async throws(NetworkError) -> Credential.Kind {
        do {
            return try await provide().kind
        } catch let error as NetworkError {
            throw adding(call, head, to: error)
        } catch is CancellationError {
            throw adding(call, head, to: NetworkError(.cancelled, phase: .middleware))
        } catch {
            throw adding(call, head, to: NetworkError(.unauthorized, phase: .middleware, underlying: error))
        }
    }

    private static func nested(_ call: Call) -> NetworkError {
        let reason = "a credential closure returned another closure; return the credential itself"
        return NetworkError(.invalidRequest(reason: reason), phase: .building, request: call.request)
    }
}
