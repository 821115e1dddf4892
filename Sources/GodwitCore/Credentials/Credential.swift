/// What proves to a server who is asking.
///
/// ```swift
/// Credential.bearer(token)
/// Credential.apiKey(key, field: "X-API-Key")
/// Credential.tokens(tokens)                       // refreshed when they expire or are refused
/// ```
///
/// It describes itself without its secret.
public struct Credential: Sendable, Nonisolated {
    enum Kind: Sendable {
        case fixed(Attachment)
        case tokens(TokenRefresher)
        case provided(@Sendable () async throws -> Credential)
    }

    /// What is put into a request.
    enum Attachment: Sendable, Hashable {
        case field(HTTPField.Name, value: String)
        case queryItem(name: String, value: String)
        case unusable(reason: String)
    }

    let kind: Kind

    /// A token that does not change (RFC 6750 section 2.1).
    ///
    /// - Parameter token: The token alone, without `Bearer`.
    public static func bearer(_ token: String) -> Credential {
        fixed(.field(.authorization, value: "Bearer \(token)"))
    }

    /// A name and password (RFC 7617), in UTF-8.
    ///
    /// A name with a colon, or control characters in either, cannot be sent: requests throw `.invalidRequest`.
    ///
    /// - Parameters:
    ///   - user: The name.
    ///   - password: The password.
    public static func basic(user: String, password: String) -> Credential {
        fixed(basicAttachment(user: user, password: password))
    }

    static func basicAttachment(user: String, password: String) -> Attachment {
        guard !user.utf8.contains(UInt8(ascii: ":")) else {
            return .unusable(reason: "a user name for basic authentication cannot hold a colon")
        }
        let pair = "\(user):\(password)"
        guard !pair.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return .unusable(reason: "basic authentication cannot carry control characters")
        }
        return .field(.authorization, value: "Basic \(Data(pair.utf8).base64EncodedString())")
    }

    /// A key in a field of its own.
    ///
    /// ```swift
    /// $0.authentication = .credential(.apiKey(key, field: "X-API-Key"))
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key, sent as it is.
    ///   - field: The field, whose value is left out of logs, errors and archives, whatever its name.
    public static func apiKey(_ key: String, field: HTTPField.Name) -> Credential {
        fixed(.field(field, value: key))
    }

    /// A key in the query. Servers and proxies log URLs: prefer a field where the server takes one.
    ///
    /// - Parameters:
    ///   - key: The key, percent-encoded when it is sent.
    ///   - name: The query item, whose value is left out of logs, errors and archives, whatever its name.
    public static func apiKey(_ key: String, queryItem name: String) -> Credential {
        fixed(.queryItem(name: name, value: key))
    }

    /// The current token of a refresher, replaced when it expires or is refused.
    ///
    /// - Parameter tokens: The refresher; any number of clients may share it.
    public static func tokens(_ tokens: TokenRefresher) -> Credential {
        Credential(kind: .tokens(tokens))
    }

    /// What a closure returns: it is called for each request that needs the credential, and once more after a 401.
    ///
    /// ```swift
    /// Credential.provided { .apiKey(try await vault.key(), field: "X-API-Key") }
    /// ```
    ///
    /// What it throws reaches the caller: a ``NetworkError`` as it is, `CancellationError` as `.cancelled`, anything else
    /// as `.unauthorized` with the error underneath. Nothing is sent then.
    ///
    /// - Parameter provide: Returns the credential; keep it there if it is costly to get.
    public static func provided(by provide: @escaping @Sendable () async throws -> Credential) -> Credential {
        Credential(kind: .provided(provide))
    }

    /// A token as it is, without a refresh.
    static func token(_ token: AccessToken) -> Credential {
        fixed(Attachment(token))
    }

    private static func fixed(_ attachment: Attachment) -> Credential {
        Credential(kind: .fixed(attachment))
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "Credential(<redacted>)" }
    public var debugDescription: String { description }

    /// Nothing: what prints values by reflection sees no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Credential.Attachment {
    private static let mark = "redacted"

    init(_ token: AccessToken) {
        // Servers announce "bearer" and expect "Bearer".
        let type = token.type.asciiLowercased == "bearer" ? "Bearer" : token.type
        self = .field(.authorization, value: "\(type) \(token.access)")
    }

    /// Whether the request has a field or item of its own in this place; then the caller's counts.
    func isPreempted(in request: HTTPRequest) -> Bool {
        switch self {
        case .field(let name, _): request.fields.contains(name)
        case .queryItem(let name, _):
            Self.items(of: request.url).contains { $0.prefix { $0 != "=" } == Self.encoded(name, "").dropLast() }
        case .unusable: false
        }
    }

    /// Puts the credential into a call. Not inlined, as it would grow the frame of whoever waits for the answer.
    @inline(never)
    func attached(to call: Call) throws(NetworkError) -> Call {
        var call = call
        switch self {
        case .field(let name, let value):
            call.request.fields[name] = value
            if !name.isSensitive { call.originBoundFields.insert(name) }
        case .queryItem(let name, let value):
            call.request.url = call.request.url.appending([name: value])
            call.secretQueryItems.insert(name)
        case .unusable(let reason):
            throw NetworkError(.invalidRequest(reason: reason), phase: .building, request: call.request)
        }
        return call
    }

    /// Whether a request carries the credential: after a redirect to another origin it does not.
    func isCarried(by request: HTTPRequest) -> Bool {
        switch self {
        case .field(let name, let value): request.fields[name] == value
        case .queryItem(let name, let value): Self.items(of: request.url).contains { $0 == Self.encoded(name, value) }
        case .unusable: false
        }
    }

    /// The request as responses and errors show it: that there was a credential, and not which.
    func concealed(in request: HTTPRequest) -> HTTPRequest {
        guard isCarried(by: request) else { return request }
        var request = request
        switch self {
        case .field(let name, _): request.fields[name] = Self.mark
        case .queryItem(let name, let value):
            let secret = Self.encoded(name, value)
            let items = Self.items(of: request.url).map { $0 == secret ? Self.encoded(name, Self.mark) : String($0) }
            request.url = request.url.replacing(path: request.url.path, query: items.joined(separator: "&"))
        case .unusable: break
        }
        return request
    }

    private static func items(of url: HTTPURL) -> [Substring] {
        url.query?.split(separator: "&", omittingEmptySubsequences: false) ?? []
    }

    private static func encoded(_ name: String, _ value: String) -> String {
        let items: QueryItems = [name: value]
        return items.encoded ?? ""
    }
}
