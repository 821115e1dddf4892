public import GodwitCore
import Synchronization

/// Proves with each request that the sender has the key that its token is bound to (RFC 9449): a stolen token is useless.
///
/// ```swift
/// let dpop = DPoP(try await DPoPKey.stored(in: FileTokenStore(at: keyFile)))
/// let server = try await OAuthServer.discover(issuer: "https://auth.example.com", over: transport)
/// let oauth = OAuth2(server, client: OAuthClient(id: "reader"), over: transport, dpop: dpop)
/// let tokens = oauth.refresher(store: FileTokenStore(at: file))
/// let api = APIClient(baseURL: "https://api.example.com/v1") {
///     $0.authentication = .credential(.tokens(tokens))
///     $0.attemptMiddleware.append(dpop)
/// }
/// ```
///
/// Give the same object to ``OAuth2``, whose tokens are then bound to the key, and to
/// `ClientConfiguration.attemptMiddleware`. Only requests with `Authorization: DPoP …` get a proof; others pass unchanged.
///
/// A server's nonce (`DPoP-Nonce`) is kept for its origin. If a server asks for one (`use_dpop_nonce`), the request is sent
/// again once, if its body can be sent again.
public final class DPoP: Middleware {
    /// Who gave a nonce. A server can be both.
    private struct Giver: Hashable {
        let origin: Origin
        let isAuthorizationServer: Bool
    }

    /// More than a program talks to.
    private static let limit = 64

    /// The key that tokens are bound to.
    public let key: DPoPKey

    private let now: @Sendable () -> Date
    private let nonces = Mutex<[Giver: String]>([:])

    /// Creates proofs with a key.
    ///
    /// - Parameters:
    ///   - key: The key that tokens are bound to.
    ///   - now: The time of a proof. Servers accept proofs of the last minutes.
    public init(_ key: DPoPKey, now: @escaping @Sendable () -> Date = { Date() }) {
        self.key = key
        self.now = now
    }

    /// Adds a proof to a request with a bound token, and passes the call on.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard let token = call.request.boundToken else { return try await next(call) }
        // A refused response is released in `outcome`: its body has to end before the request is sent again.
        switch try await outcome(of: call, token, next) {
        case .final(let response): return response
        case .again(let again): return try await send(again, token, next)
        }
    }

    private enum Outcome {
        case final(HTTPResponse)
        case again(Call)
    }

    private func outcome(of call: Call, _ token: String, _ next: Next) async throws(NetworkError) -> Outcome {
        let response = try await send(call, token, next)
        guard response.head.asksForNonce, response.metrics.source == .network,
            keepNonce(of: response.head, from: call.request, isTokenRequest: false),
            call.request.body?.isReplayable ?? true
        else { return .final(response) }
        var again = call
        again.startAttempt(after: response)
        return .again(again)
    }

    private func send(_ call: Call, _ token: String, _ next: Next) async throws(NetworkError) -> HTTPResponse {
        var call = call
        call.request = try proven(call.request, token: token)
        call.originBoundFields.insert(.dpop)
        let response = try await next(call)
        if response.metrics.source == .network {
            keepNonce(of: response.head, from: call.request, isTokenRequest: false)
        }
        return response
    }
}

extension DPoP {
    /// A request with a proof.
    ///
    /// - Parameter token: Its access token. `nil` for a request to an authorization server.
    func proven(_ request: HTTPRequest, token: String?) throws(NetworkError) -> HTTPRequest {
        let giver = Giver(origin: request.url.origin, isAuthorizationServer: token == nil)
        let proof = try DPoPProof(
            for: request, key, token: token, nonce: nonces.withLock { $0[giver] }, at: now())
        var request = request
        request.fields[.dpop] = proof.text
        request.note(.value(proof.text))
        return request
    }

    /// Keeps the nonce of a response for the next request. Returns whether there is one.
    @discardableResult
    func keepNonce(of head: HTTPResponseHead, from request: HTTPRequest, isTokenRequest: Bool) -> Bool {
        guard let nonce = head.fields.agreedValue(of: .dpopNonce), Self.isNonce(nonce) else { return false }
        let giver = Giver(origin: request.url.origin, isAuthorizationServer: isTokenRequest)
        nonces.withLock { nonces in
            if nonces[giver] == nil, nonces.count >= Self.limit { nonces = [:] }
            nonces[giver] = nonce
        }
        return true
    }

    /// Characters of RFC 9449 section 8.1, and not longer than what a proof can carry back.
    private static func isNonce(_ text: String) -> Bool {
        (1...1024).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
    }
}

extension HTTPRequest {
    /// The access token that the request carries with the scheme DPoP.
    fileprivate var boundToken: String? {
        guard let value = fields[.authorization] else { return nil }
        let scheme = value.prefix { $0 != " " }
        guard scheme.lowercased() == "dpop" else { return nil }
        let token = String(value.dropFirst(scheme.count)).trimmingBlanks
        return token.isEmpty ? nil : token
    }
}

extension HTTPResponseHead {
    /// Whether a resource server refused a request only because its proof has no nonce, or an old one (RFC 9449 section 9).
    fileprivate var asksForNonce: Bool {
        guard status == .unauthorized, fields.contains(.dpopNonce) else { return false }
        return AuthenticationChallenge.parse(fields.values(of: .wwwAuthenticate)).contains {
            $0.scheme == "dpop" && $0.parameters["error"] == "use_dpop_nonce"
        }
    }
}

extension HTTPField.Name {
    static let dpop = Self(unchecked: "DPoP")
    static let dpopNonce = Self(unchecked: "DPoP-Nonce")
}
