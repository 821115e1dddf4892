/// One exchange with an authorization server. Its errors contain neither the form nor the response body.
struct OAuthCall: Sendable {
    private static let responseLimit = 1 << 20

    let transport: any HTTPTransport

    /// Sends a form, and returns the body of a successful response.
    func post(_ form: QueryItems, to url: HTTPURL, as client: OAuthClient) async throws(NetworkError) -> Data {
        var form = form
        var fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .accept: "application/json"]
        client.authenticate(&form, &fields)
        let body = HTTPBody.bytes(Data(FormURLEncoded.encode(form).utf8))
        return try await send(HTTPRequest(method: .post, url: url, fields: fields, body: body))
    }

    /// Reads a public document.
    func get(_ url: HTTPURL) async throws(NetworkError) -> Data {
        try await send(HTTPRequest(url: url, fields: [.accept: "application/json"]))
    }

    /// Decodes a response. An error names the wrong member, without its value.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws(NetworkError) -> Value {
        do throws(NetworkError) {
            return try JSONCoding().decode(type, from: data)
        } catch {
            guard case .decoding(let failure) = error.kind else { throw error }
            let reason =
                failure.path.isEmpty
                ? "the response is not the JSON that OAuth 2 requires" : "it is missing, or not what OAuth 2 requires"
            throw NetworkError(.decoding(.init(path: failure.path, reason: reason)), phase: .decoding)
        }
    }

    private func send(_ request: HTTPRequest) async throws(NetworkError) -> Data {
        let origin = request.url.origin
        guard transport.isConfidential(origin) else {
            throw NetworkError(.insecure(.plaintext(host: origin.host)), phase: .building, request: request.concealed)
        }
        var request = request
        request.delivery = .buffered(limit: Self.responseLimit)
        request.options.authentication = .none
        request.options.cookies = .off
        request.options.cachePolicy = .reloadIgnoringCache
        request.note(former: request)
        // A form with secrets must not follow a redirect.
        request.options.redirects = .block
        do throws(NetworkError) {
            let response = try await transport.send(request)
            let data = try await response.body.collect(upTo: Self.responseLimit)
            guard response.head.status.isSuccessful else { throw Self.error(response, data, to: request) }
            return data
        } catch {
            var error = error
            error.request = error.request?.concealed
            error.body = nil
            throw error
        }
    }

    /// - Parameter request: With the form, as some servers repeat its secrets in their error texts.
    private static func error(_ response: HTTPResponse, _ data: Data, to request: HTTPRequest) -> NetworkError {
        var error = NetworkError(response, body: data, readers: [.type(OAuthError.self)], coding: JSONCoding())
        error.request = request
        error.hideSecretsInWords(isLine: true)
        let status = response.head.status.code
        if let reason = error.underlying as? OAuthError, reason.refusesSignIn, (400..<500).contains(status) {
            error.kind = .unauthorized
        }
        return error
    }
}

extension HTTPRequest {
    /// The request as errors show it: without the form and the client's secret.
    fileprivate var concealed: HTTPRequest {
        var request = self
        request.body = nil
        if request.fields.contains(.authorization) { request.fields[.authorization] = "redacted" }
        return request
    }
}

/// An error response of an authorization server (RFC 6749 sections 4.1.2.1 and 5.2).
///
/// ``OAuth2`` throws it as ``NetworkError/underlying``.
///
/// ```swift
/// if (error.underlying as? OAuthError)?.code == "invalid_scope" { … }
/// ```
public struct OAuthError: Error, Sendable, Hashable {
    /// The error code, such as `access_denied`, `invalid_grant` or `invalid_client`.
    public let code: String

    /// The server's explanation for developers, if any.
    public let detail: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The error code, such as `invalid_grant`.
    ///   - detail: The explanation for developers. `nil` by default.
    public init(code: String, detail: String? = nil) {
        self.code = code
        self.detail = detail
    }

    /// Whether the server refuses the grant, so that a refresh token becomes invalid (RFC 6749 section 5.2).
    var refusesGrant: Bool { code == "invalid_grant" }

    /// Whether the server refuses the program or its request, for any user (RFC 6749 section 5.2).
    var refusesClient: Bool {
        ["invalid_client", "invalid_request", "invalid_scope", "unauthorized_client", "unsupported_grant_type"]
            .contains(code)
    }

    /// Whether the caller gets `.unauthorized`.
    var refusesSignIn: Bool {
        ["access_denied", "expired_token", "invalid_client", "invalid_grant", "unauthorized_client"].contains(code)
    }
}

extension OAuthError: Decodable {
    private enum CodingKeys: String, CodingKey {
        case code = "error"
        case detail = "error_description"
    }
}

extension OAuthError {
    /// Reads the body of an error response; `nil` if it isn't one of OAuth 2.
    init?(json body: Data) {
        guard let error = try? JSONModelDecoder().decode(OAuthError.self, from: body) else { return nil }
        self = error
    }
}

extension OAuthError: CustomStringConvertible, LocalizedError {
    /// The code, with the explanation if there is one.
    public var description: String {
        detail.map { "\(code): \($0)" } ?? code
    }

    /// What `localizedDescription` says: ``description``.
    public var errorDescription: String? { description }
}

/// The tokens that an authorization server grants (RFC 6749 section 5.1). The description leaves them out.
///
/// ```swift
/// let response = try await oauth.signIn(scopes: ["articles"]) { page in print("Open", page) }
/// try await tokens.signIn(response.token)
/// ```
public struct OAuthTokenResponse: Sendable, Hashable {
    /// The token, with its expiry and refresh token.
    public let token: AccessToken

    /// The granted scopes. `nil` means the requested scopes.
    public let scopes: [String]?

    /// The ID token of an OpenID Connect server. Its signature isn't verified.
    public let idToken: String?
}

extension OAuthTokenResponse {
    /// 100 years, in seconds.
    private static let maximumLifetime = 3_155_760_000.0

    init(_ grant: Grant, at now: Date) {
        let lifetime = grant.expires_in?.value.flatMap { $0 >= 0 ? min($0, Self.maximumLifetime) : nil }
        token = AccessToken(
            access: grant.access_token, refresh: grant.refresh_token, expiry: lifetime.map(now.addingTimeInterval),
            type: grant.token_type ?? "Bearer")
        scopes = grant.scope.map { $0.split(separator: " ").map(String.init) }
        idToken = grant.id_token
    }

    /// The names are those of RFC 6749 section 5.1 and OpenID Connect Core section 3.1.3.3.
    struct Grant: Decodable {
        let access_token: String
        let token_type: String?
        let expires_in: Seconds?
        let refresh_token: String?
        let scope: String?
        let id_token: String?
    }

    /// A number of seconds, which some servers send as a string.
    struct Seconds: Decodable {
        let value: Double?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let number =
                if let number = try? container.decode(Double.self) { number as Double? } else {
                    Double(try container.decode(String.self))
                }
            value = number.flatMap { $0.isFinite ? $0 : nil }
        }
    }
}

extension OAuthTokenResponse: CustomStringConvertible, CustomReflectable {
    /// The scopes, without the tokens.
    public var description: String {
        "OAuthTokenResponse(\(token), scopes: \(scopes?.joined(separator: " ") ?? "as requested"))"
    }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OAuthError: LibraryError {
    package func quoting(_ shown: (String?) -> String?) -> any Error {
        OAuthError(code: code, detail: shown(detail))
    }
}
