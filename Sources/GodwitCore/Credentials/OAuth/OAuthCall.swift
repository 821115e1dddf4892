/// One exchange with an authorization server. What it throws shows neither the form that was sent nor the answer.
struct OAuthCall: Sendable {
    /// A token is some kilobytes; what is much larger is none.
    private static let answerLimit = 1 << 20

    let transport: any HTTPTransport

    /// Sends a form, and returns the content of a successful answer.
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

    /// Reads an answer; an error names the member that is wrong, and quotes nothing.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws(NetworkError) -> Value {
        do throws(NetworkError) {
            return try JSONCoding().decode(type, from: data)
        } catch {
            guard case .decoding(let failure) = error.kind else { throw error }
            let reason =
                failure.path.isEmpty ? "the authorization server's answer is not the JSON" : "it is missing, or not"
            throw NetworkError(
                .decoding(.init(path: failure.path, reason: "\(reason) that OAuth 2 asks for")), phase: .decoding)
        }
    }

    private func send(_ request: HTTPRequest) async throws(NetworkError) -> Data {
        let origin = request.url.origin
        guard origin.scheme == .https || origin.isLoopback else {
            throw NetworkError(.insecure(.plaintext(host: origin.host)), phase: .building, request: request.concealed)
        }
        var request = request
        request.delivery = .buffered(limit: Self.answerLimit)
        request.options.authentication = .none
        request.options.cookies = .off
        request.options.cachePolicy = .reloadIgnoringCache
        // A form with secrets goes where it was addressed to, or nowhere.
        request.options.redirects = .block
        do throws(NetworkError) {
            let response = try await transport.send(request)
            let data = try await response.body.collect(upTo: Self.answerLimit)
            guard response.head.status.isSuccessful else { throw Self.error(response, data, to: request) }
            return data
        } catch {
            var error = error
            error.request = error.request?.concealed
            error.body = nil
            throw error
        }
    }

    /// - Parameter request: With the form, whose secrets some servers repeat in what they say.
    private static func error(_ response: HTTPResponse, _ data: Data, to request: HTTPRequest) -> NetworkError {
        var error = NetworkError(response, body: data, readers: [.type(OAuthError.self)], coding: JSONCoding())
        error.request = request
        error.hideSecretsInWords()
        let status = response.head.status.code
        if let reason = error.underlying as? OAuthError, reason.refusesSignIn, (400..<500).contains(status) {
            error.kind = .unauthorized
        }
        return error
    }
}

extension HTTPRequest {
    /// The request as errors show it: without its form, and without the client's secret.
    fileprivate var concealed: HTTPRequest {
        var request = self
        request.body = nil
        if request.fields.contains(.authorization) { request.fields[.authorization] = "redacted" }
        return request
    }
}

/// Why an authorization server gave no token, in its own words (RFC 6749 sections 4.1.2.1 and 5.2).
///
/// It is the ``NetworkError/underlying`` error of what ``OAuth2`` throws.
///
/// ```swift
/// if (error.underlying as? OAuthError)?.code == "invalid_scope" { … }
/// ```
public struct OAuthError: Error, Sendable, Hashable {
    /// The server's word: `access_denied`, `invalid_grant`, `invalid_client` and the like.
    public let code: String

    /// What the server says to developers; nil where it says nothing.
    public let detail: String?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The code of RFC 6749, such as `invalid_grant`.
    ///   - detail: The server's words for a developer.
    public init(code: String, detail: String? = nil) {
        self.code = code
        self.detail = detail
    }

    /// Whether the grant itself is refused (RFC 6749 section 5.2): a refresh token that got this is of no more use.
    var refusesGrant: Bool { code == "invalid_grant" }

    /// Whether the program or its request is refused, whoever the user is (RFC 6749 section 5.2).
    var refusesClient: Bool {
        ["invalid_client", "invalid_request", "invalid_scope", "unauthorized_client", "unsupported_grant_type"]
            .contains(code)
    }

    /// Whether nobody is let in this way: `.unauthorized` for the caller.
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
    /// What the body of an error response says; `nil` if it is not one of OAuth 2.
    init?(json body: Data) {
        guard let error = try? JSONDecoder().decode(OAuthError.self, from: body) else { return nil }
        self = error
    }
}

extension OAuthError: CustomStringConvertible, LocalizedError {
    /// The word, and the text where there is one.
    public var description: String {
        detail.map { "\(code): \($0)" } ?? code
    }

    /// What `localizedDescription` says: ``description``.
    public var errorDescription: String? { description }
}

/// What an authorization server grants (RFC 6749 section 5.1). It describes itself without its secrets.
///
/// ```swift
/// let response = try await oauth.signIn(scopes: ["articles"]) { page in print("Open", page) }
/// try await tokens.signIn(response.token)
/// ```
public struct OAuthTokenResponse: Sendable, Hashable {
    /// The token, with its expiry and what it is refreshed with.
    public let token: AccessToken

    /// What the token is good for; nil where the server does not say, which means: for what was asked.
    public let scopes: [String]?

    /// The signed statement about who signed in, of an OpenID Connect server. Its signature is not checked.
    public let idToken: String?
}

extension OAuthTokenResponse {
    /// The most seconds that a lifetime is taken for: 100 years.
    private static let longest = 3_155_760_000.0

    init(_ grant: Grant, at now: Date) {
        let lifetime = grant.expires_in?.value.flatMap { $0 >= 0 ? min($0, Self.longest) : nil }
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

    /// A number of seconds, which some servers write as a text.
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

extension OAuthTokenResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What was granted, without the tokens.
    public var description: String {
        "OAuthTokenResponse(\(token), scopes: \(scopes?.joined(separator: " ") ?? "as asked"))"
    }

    public var debugDescription: String { description }

    /// Nothing: what prints values by reflection sees no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OAuthError: LibraryError {
    func quoting(_ shown: (String?) -> String?) -> any Error {
        OAuthError(code: code, detail: shown(detail))
    }
}
