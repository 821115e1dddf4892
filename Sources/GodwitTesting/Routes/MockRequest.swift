@_spi(Engines) public import GodwitCore

/// A request that a ``MockServer`` or ``MockTransport`` received.
///
/// ```swift
/// let request = try #require(server.requests.first)
/// #expect(request.method == .post && request.path == "/articles")
/// #expect(try request.decoded(as: Draft.self) == draft)
/// ```
public struct MockRequest: Sendable, Nonisolated {
    /// Whether the body was received.
    public enum Arrival: Sendable, Hashable {
        /// The body is still being read.
        case underway
        /// The body is complete.
        case complete
        /// The client disconnected, or sent an invalid body.
        case aborted
    }

    /// The method of the request.
    public let method: HTTPMethod

    /// The request target as sent, with the query.
    public let target: String

    /// The header fields in order. A ``MockTransport`` has no `Host` and no framing fields.
    public let fields: HTTPFields

    /// The number of the connection, from 1; 0 in a ``MockTransport``.
    ///
    /// Requests with the same number used the same connection.
    public let connection: Int

    /// The TLS handshake of the connection; `nil` over plain http and in a ``MockTransport``.
    public let tls: TLS?

    /// The version of HTTP; `nil` in a ``MockTransport``.
    ///
    /// A request over HTTP/2 has a `Host` field with its authority.
    public let version: HTTPVersion?

    /// The decoded values of the route's `:name` parameters. The rest that `*` matched is under `"*"`, as sent.
    public internal(set) var parameters: [String: String] = [:]

    /// The body, up to the body limit of the server or transport; 8 MiB by default.
    public internal(set) var body = Data()

    /// The number of received body bytes, including bytes over the limit.
    public internal(set) var bodyByteCount: Int64 = 0

    /// The trailer fields that followed the body (RFC 9110 section 6.5).
    public internal(set) var trailers: HTTPFields = [:]

    /// Whether the body was received. In a handler it is complete, unless the route answers early.
    public internal(set) var arrival = Arrival.underway

    /// Takes the body instead of ``body``.
    var intake: (any BodyIntake)?

    /// The JSON coding of the routes, or of the client that sent the request.
    var coding = JSONCoding()

    /// The URL of a transport's request; a server receives only `Host` and target.
    private let sentURL: HTTPURL?

    init(
        method: HTTPMethod, target: String, fields: HTTPFields, connection: Int, tls: TLS?, version: HTTPVersion
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.connection = connection
        self.tls = tls
        self.version = version
        sentURL = nil
    }

    init(_ request: HTTPRequest) {
        method = request.method
        target = String(request.url.target)
        fields = request.fields
        connection = 0
        tls = nil
        version = nil
        sentURL = request.url
        coding = request.options.coding ?? coding
    }

    /// The URL; `nil` if `Host` and target form no valid URL.
    public var url: HTTPURL? {
        if let sentURL { return sentURL }
        return try? HTTPURL(
            target.hasPrefix("/") ? "\(tls == nil ? "http" : "https")://\(fields[.host] ?? "")\(target)" : target)
    }

    /// The path of the target, percent-encoded as sent.
    public var path: String {
        String(origin.prefix { $0 != "?" })
    }

    /// The query of the target without `?`, percent-encoded as sent; `nil` without a query.
    public var query: String? {
        guard let mark = origin.firstIndex(of: "?") else { return nil }
        return String(origin[origin.index(after: mark)...])
    }

    /// The decoded query items in order. `+` is a space; an item without `=` has an empty value.
    ///
    /// ```swift
    /// #expect(server.requests[0].queryItems.map(\.name) == ["page", "tag", "tag"])
    /// ```
    public var queryItems: [(name: String, value: String)] {
        (query ?? "").split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
    }

    /// Returns the decoded value of the first query item with a name; `nil` without such an item.
    ///
    /// ```swift
    /// route.get("/search").reply { request in .text(request.queryValue("q") ?? "nothing") }
    /// ```
    ///
    /// - Parameter name: The decoded name, case-sensitive.
    public func queryValue(_ name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }

    /// The `Last-Event-ID` after which a client of server-sent events continues; `nil` if it starts from the beginning.
    ///
    /// ```swift
    /// route.get("/live").reply { request in .events(news.after(request.lastEventID)) }
    /// ```
    public var lastEventID: String? {
        fields[.lastEventID]
    }

    /// The body as text. Invalid UTF-8 becomes U+FFFD.
    public var text: String {
        String(decoding: body, as: UTF8.self)
    }

    /// Decodes the body from JSON, with the keys and dates of the API.
    ///
    /// ```swift
    /// #expect(try mock.requests[0].decoded(as: Draft.self) == draft)
    /// ```
    ///
    /// The coding is the first of: `coding`, ``MockRoutes/json``, the coding of the client that sent the request (known only
    /// to a ``MockTransport``), `JSONCoding()`.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - coding: The decoding. `nil` (the default) means the API's.
    /// - Throws: `.decoding` with the path, the expected and the actual type.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, coding: JSONCoding? = nil
    ) throws(NetworkError) -> Value {
        try (coding ?? self.coding).decode(type, from: body)
    }

    /// Decodes the body as a JSON literal, for comparisons. Throws a `DecodingError` if it is not JSON.
    ///
    /// ```swift
    /// #expect(try mock.requests.last?.json() == ["title": "Tides", "tags": ["sea"]])
    /// ```
    public func json() throws -> JSONValue {
        try JSONModelDecoder().decode(JSONValue.self, from: body)
    }

    /// The target without the scheme and authority that a request to a proxy has (RFC 9112 section 3.2.2).
    private var origin: Substring {
        guard !target.hasPrefix("/"), let authority = target.firstRange(of: "://") else { return target[...] }
        let rest = target[authority.upperBound...]
        return rest[(rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex)...]
    }

    private static func decoded(_ text: Substring) -> String {
        let spaced = String(text.map { $0 == "+" ? " " : $0 })
        return PercentEncoding.decode(spaced) ?? spaced
    }
}

extension MockRequest: CustomStringConvertible {
    /// The method and target.
    public var description: String { "\(method) \(target)" }
}

extension Sequence<MockRequest> {
    /// Returns the requests that match a method and a path pattern.
    ///
    /// ```swift
    /// #expect(mock.requests.matching(.delete, "/v1/articles/:id").count == 1)
    /// #expect(server.requests.matching(.get, "/v1/*").isEmpty)
    /// ```
    ///
    /// Each has the ``MockRequest/parameters`` of this path.
    ///
    /// - Parameters:
    ///   - method: The method, case-sensitive.
    ///   - path: A path as in a route, with `:name` for any one segment and `*` at its end for any rest; without a query.
    /// - Returns: The matching requests in order.
    public func matching(_ method: HTTPMethod, _ path: String) -> [MockRequest] {
        let pattern = RoutePattern(path)
        return compactMap { request in
            guard request.method == method, let parameters = pattern.match(request.path) else { return nil }
            var request = request
            request.parameters = parameters
            return request
        }
    }
}
