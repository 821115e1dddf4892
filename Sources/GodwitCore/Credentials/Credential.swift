/// Authenticates requests: a token, a password or a key.
///
/// ```swift
/// Credential.bearer(token)
/// Credential.apiKey(key, field: "X-API-Key")
/// Credential.tokens(tokens)                       // refreshed when they expire or are refused
/// ```
///
/// Its description leaves out the secret.
public struct Credential: Sendable, Nonisolated {
    enum Kind: Sendable {
        case fixed(Attachment)
        case tokens(TokenRefresher)
        case provided(@Sendable () async throws -> Credential)
    }

    /// The part of a request that carries the credential.
    enum Attachment: Sendable, Hashable {
        case field(HTTPField.Name, value: String)
        case queryItem(name: String, value: String)
        case unusable(reason: String)
    }

    let kind: Kind

    /// A fixed token (RFC 6750 section 2.1).
    ///
    /// - Parameter token: The token, without `Bearer`.
    public static func bearer(_ token: String) -> Credential {
        fixed(.field(.authorization, value: "Bearer \(token)"))
    }

    /// A name and password (RFC 7617), in UTF-8.
    ///
    /// Requests throw `.invalidRequest` if the name contains a colon, or either contains control characters.
    ///
    /// - Parameters:
    ///   - user: The name.
    ///   - password: The password.
    public static func basic(user: String, password: String) -> Credential {
        fixed(basicAttachment(user: user, password: password))
    }

    static func basicAttachment(user: String, password: String) -> Attachment {
        guard !user.utf8.contains(UInt8(ascii: ":")) else {
            return .unusable(reason: "a user name for basic authentication can't contain a colon")
        }
        let pair = "\(user):\(password)"
        guard !pair.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return .unusable(reason: "basic authentication can't carry control characters")
        }
        return .field(.authorization, value: "Basic \(Data(pair.utf8).base64EncodedString())")
    }

    /// A key in a header field.
    ///
    /// ```swift
    /// $0.authentication = .credential(.apiKey(key, field: "X-API-Key"))
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key, sent as is.
    ///   - field: The field. Logs, errors and archives show `redacted` instead of its value.
    public static func apiKey(_ key: String, field: HTTPField.Name) -> Credential {
        fixed(.field(field, value: key))
    }

    /// A key in the query. Servers and proxies log URLs: prefer a header field if the server accepts one.
    ///
    /// - Parameters:
    ///   - key: The key; it is percent-encoded when sent.
    ///   - name: The query item. Logs, errors and archives show `redacted` instead of its value.
    public static func apiKey(_ key: String, queryItem name: String) -> Credential {
        fixed(.queryItem(name: name, value: key))
    }

    /// The current token of a refresher, which replaces it when it expires or the server refuses it.
    ///
    /// - Parameter tokens: The refresher; clients can share it.
    public static func tokens(_ tokens: TokenRefresher) -> Credential {
        Credential(kind: .tokens(tokens))
    }

    /// The result of a closure, which is called for each request that needs the credential, and again after a 401.
    ///
    /// ```swift
    /// Credential.provided { .apiKey(try await vault.key(), field: "X-API-Key") }
    /// ```
    ///
    /// If the closure throws, nothing is sent. The caller gets a ``NetworkError`` unchanged, `CancellationError` as
    /// `.cancelled`, and any other error as the ``NetworkError/underlying`` error of `.unauthorized`.
    ///
    /// - Parameter provide: Returns the credential. Cache it there if it is expensive to get.
    public static func provided(by provide: @escaping @Sendable () async throws -> Credential) -> Credential {
        Credential(kind: .provided(provide))
    }

    /// A token that is never refreshed.
    static func token(_ token: AccessToken) -> Credential {
        fixed(Attachment(token))
    }

    private static func fixed(_ attachment: Attachment) -> Credential {
        Credential(kind: .fixed(attachment))
    }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    public var description: String { "Credential(<redacted>)" }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Credential.Attachment {
    private static let mark = "redacted"

    init(_ token: AccessToken) {
        self = .field(.authorization, value: token.authorization)
    }

    /// Whether the request already has such a field or item, which takes precedence.
    func isPreempted(in request: HTTPRequest) -> Bool {
        switch self {
        case .field(let name, _): request.fields.contains(name)
        case .queryItem(let name, _):
            Self.items(of: request.url).contains { $0.prefix { $0 != "=" } == Self.encoded(name, "").dropLast() }
        case .unusable: false
        }
    }

    /// Adds the credential to a call. Inlined, it would grow the frame of the function that awaits the response.
    @inline(never)
    func attached(to call: Call) throws(NetworkError) -> Call {
        var call = call
        try attach(to: &call)
        return call
    }

    func attach(to call: inout Call) throws(NetworkError) {
        switch self {
        case .field(let name, let value):
            call.request.fields[name] = value
            call.request.note(name == .authorization ? .credentials(value) : .value(value))
            // Whatever its name. A redirect drops `Authorization` anyway.
            if name != .authorization { call.originBoundFields.insert(name) }
        case .queryItem(let name, let value):
            call.request.note(.value(value))
            call.request.url = call.request.url.appending([name: value])
            call.secretQueryItems.insert(name)
        case .unusable(let reason):
            throw NetworkError(.invalidRequest(reason: reason), phase: .building, request: call.request)
        }
    }

    /// Whether a request carries the credential. After a redirect to another origin, it doesn't.
    func isCarried(by request: HTTPRequest) -> Bool {
        switch self {
        case .field(let name, let value): request.fields[name] == value
        case .queryItem(let name, let value): Self.items(of: request.url).contains { $0 == Self.encoded(name, value) }
        case .unusable: false
        }
    }

    /// Makes the request what responses and errors show: with `redacted` instead of the credential.
    func conceal(in request: inout HTTPRequest) {
        guard isCarried(by: request) else { return }
        switch self {
        case .field(let name, _): request.fields[name] = Self.mark
        case .queryItem(let name, let value):
            let secret = Self.encoded(name, value)
            let items = Self.items(of: request.url).map { $0 == secret ? Self.encoded(name, Self.mark) : String($0) }
            request.url = request.url.replacing(path: request.url.path, query: items.joined(separator: "&"))
        case .unusable: break
        }
    }

    /// The outcome with its request as responses and errors show it.
    func concealed(in outcome: consuming CallOutcome) -> CallOutcome {
        switch consume outcome {
        case .success(var response):
            conceal(in: &response.request)
            return .success(response)
        case .failure(let error):
            return .failure(concealed(in: error))
        }
    }

    /// The error with its request as errors show it.
    @inline(never)
    func concealed(in error: NetworkError) -> NetworkError {
        guard var request = error.request else { return error }
        conceal(in: &request)
        var error = error
        error.request = request
        return error
    }

    private static func items(of url: HTTPURL) -> [Substring] {
        url.query?.split(separator: "&", omittingEmptySubsequences: false) ?? []
    }

    private static func encoded(_ name: String, _ value: String) -> String {
        let items: QueryItems = [name: value]
        return items.encoded ?? ""
    }
}
