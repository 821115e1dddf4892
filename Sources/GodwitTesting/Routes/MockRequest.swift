public import GodwitCore

/// A request as a ``MockServer`` or ``MockTransport`` received it: what handlers answer and tests look at.
///
/// ```swift
/// let request = try #require(server.requests.first)
/// #expect(request.method == .post && request.path == "/articles")
/// #expect(try request.decoded(as: Draft.self) == draft)
/// ```
public struct MockRequest: Sendable, Nonisolated {
    /// Whether the content of a request is in.
    public enum Arrival: Sendable, Hashable {
        /// It is still being read.
        case underway
        /// It is in.
        case complete
        /// The client left, or broke the rules, before its end.
        case aborted
    }

    /// The method.
    public let method: HTTPMethod

    /// The request target as it was sent, query included.
    public let target: String

    /// The fields, in the order they were sent. A ``MockTransport`` sees no `Host` or framing fields.
    public let fields: HTTPFields

    /// The number of the connection the request came on, from 1 in the order they were accepted; 0 without a network.
    ///
    /// Two requests with the same number came on one connection: the way to test that connections are reused.
    public let connection: Int

    /// The TLS handshake of the connection; nil over plain http and in a ``MockTransport``.
    public let tls: TLS?

    /// The values of the route's `:name` parameters, decoded.
    ///
    /// What `*` stood for is under `"*"`, as it was sent.
    public internal(set) var parameters: [String: String] = [:]

    /// The content, up to the body limit of the server or transport.
    ///
    /// Empty where there was none. The limit is 8 MiB unless the server or transport was made with another.
    public internal(set) var body = Data()

    /// The number of bytes of content received, those beyond the limit included.
    public internal(set) var bodyByteCount: Int64 = 0

    /// The fields after a chunked content (RFC 9112 section 7.1.2).
    ///
    /// Always empty in a ``MockTransport``.
    public internal(set) var trailers: HTTPFields = [:]

    /// Whether the content is in.
    ///
    /// In a handler it is complete, unless the route answers early.
    public internal(set) var arrival = Arrival.underway

    /// How the API writes values as JSON: of the routes, or of the client that sent the request.
    var coding = JSONCoding()

    /// The URL a transport was given; a server knows only `Host` and target.
    private let sentURL: HTTPURL?

    init(method: HTTPMethod, target: String, fields: HTTPFields, connection: Int, tls: TLS?) {
        self.method = method
        self.target = target
        self.fields = fields
        self.connection = connection
        self.tls = tls
        sentURL = nil
    }

    init(_ request: HTTPRequest) {
        method = request.method
        target = String(request.url.target)
        fields = request.fields
        connection = 0
        tls = nil
        sentURL = request.url
        coding = request.options.coding ?? coding
    }

    /// The URL that was asked for; nil where `Host` and target make none.
    public var url: HTTPURL? {
        if let sentURL { return sentURL }
        return try? HTTPURL(
            target.hasPrefix("/") ? "\(tls == nil ? "http" : "https")://\(fields[.host] ?? "")\(target)" : target)
    }

    /// The path of the target, percent-encoded as it was sent.
    public var path: String {
        String(origin.prefix { $0 != "?" })
    }

    /// The query of the target, percent-encoded as it was sent, without `?`; nil where there is none.
    public var query: String? {
        guard let mark = origin.firstIndex(of: "?") else { return nil }
        return String(origin[origin.index(after: mark)...])
    }

    /// The items of the query, decoded (`+` is a space), in order; an item without `=` has an empty value.
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

    /// The value of the first query item of this name, decoded; nil where there is none.
    ///
    /// Names are compared with case.
    ///
    /// ```swift
    /// route.get("/search").reply { request in .text(request.queryValue("q") ?? "nothing") }
    /// ```
    ///
    /// - Parameter name: The name, decoded.
    public func queryValue(_ name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }

    /// The id behind which a client of server-sent events wants to go on; nil where it starts anew.
    ///
    /// ```swift
    /// route.get("/live").reply { request in .events(news.after(request.lastEventID)) }
    /// ```
    public var lastEventID: String? {
        fields[.lastEventID]
    }

    /// The content as text; bytes that are not UTF-8 become U+FFFD.
    public var text: String {
        String(decoding: body, as: UTF8.self)
    }

    /// The content, decoded from JSON with the API's keys and dates.
    ///
    /// ```swift
    /// #expect(try mock.requests[0].decoded(as: Draft.self) == draft)
    /// ```
    ///
    /// The coding is the first of: `coding`, ``MockRoutes/json``, that of the client which sent the request (a
    /// ``MockTransport`` knows it), `JSONCoding()`.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - coding: How it is decoded. `nil` (the default) means as the API does.
    /// - Throws: `.decoding` with the place, what was expected and what was found.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, coding: JSONCoding? = nil
    ) throws(NetworkError) -> Value {
        try (coding ?? self.coding).decode(type, from: body)
    }

    /// The content as a JSON literal to compare with. Throws a `DecodingError` where it is none.
    ///
    /// ```swift
    /// #expect(try mock.requests.last?.json() == ["title": "Tides", "tags": ["sea"]])
    /// ```
    public func json() throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: body)
    }

    /// The target without scheme and authority, which a request to a proxy carries (RFC 9112 section 3.2.2).
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
    /// The requests of a method to a path, written as routes write it.
    ///
    /// ```swift
    /// #expect(mock.requests.matching(.delete, "/v1/articles/:id").count == 1)
    /// #expect(server.requests.matching(.get, "/v1/*").isEmpty)
    /// ```
    ///
    /// Each has the ``MockRequest/parameters`` of this path.
    ///
    /// - Parameters:
    ///   - method: The method, compared with case.
    ///   - path: A path as routes write it: exact, with `:name` for any one segment, or with `*` at its end; without a
    ///     query.
    /// - Returns: The requests in the order they came; empty where none fits.
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
