/// An API operation as a value: what to send, and the type of the response.
///
/// Calls need neither a cast nor a type annotation. Describe an API once, as static members:
///
/// ```swift
/// extension Endpoint {
///     static func article(id: Int) -> Endpoint<Article> { .get("articles/\(id)") }
///     static func create(_ draft: Draft) -> Endpoint<Article> { .post("articles", body: .json(draft)) }
///     static func delete(id: Int) -> Endpoint<Void> { .delete("articles/\(id)") }
/// }
/// let article = try await api.send(.article(id: 42))
/// ```
///
/// `Response` is a `Decodable` type parsed from JSON; `Data` or `String` for the unparsed body; `Void` or
/// ``EmptyResponse`` to ignore it. For other formats, pass a closure to
/// ``init(method:path:query:fields:body:accept:decode:)``.
///
/// An endpoint has no base URL and no state: keep it, and send it with any ``APIClient`` any number of times. Methods
/// such as ``timeout(_:)`` return changed copies.
public struct Endpoint<Response: Sendable>: Sendable, Nonisolated {
    /// Decodes the response from the body of an accepted response.
    public typealias Decode = @Sendable (Data, HTTPResponseHead, JSONCoding) throws(NetworkError) -> Response

    /// The method of the request.
    public var method: HTTPMethod

    /// The path below the client's base URL. If it has a fault, the call throws `.invalidURL`.
    public var path: EndpointPath

    /// The query, appended to the base URL's.
    public var query: QueryItems

    /// The header fields of this endpoint; they override the client's default fields.
    ///
    /// `Accept`, `Content-Type` and `Idempotency-Key` are added if missing.
    public var fields: HTTPFields

    /// The body, encoded when the endpoint is sent; `nil` sends none.
    public var body: RequestBody?

    let accept: String
    var decode: Decode
    private(set) var adjust: (@Sendable (inout RequestOptions) -> Void)?

    /// Creates an endpoint with a custom decoding closure.
    ///
    /// - Parameters:
    ///   - accept: The value of `Accept`, unless `fields` has one.
    ///   - decode: Called with the whole body of an accepted response. An error that isn't a ``NetworkError`` becomes
    ///     `.decoding`, with it as `underlying`.
    ///
    /// ```swift
    /// let rows = Endpoint<[Row]>(method: .get, path: "export", accept: "text/csv") { data, _, _ in
    ///     try Row.parse(data)
    /// }
    /// ```
    public init<Failure: Error>(
        method: HTTPMethod, path: EndpointPath, query: QueryItems = [:], fields: HTTPFields = [:],
        body: RequestBody? = nil, accept: String,
        decode: @escaping @Sendable (Data, HTTPResponseHead, JSONCoding) throws(Failure) -> Response
    ) {
        self.init(method: method, path: path, query: query, fields: fields, body: body, accept: accept) {
            (data, head, coding) throws(NetworkError) in
            do throws(Failure) {
                return try decode(data, head, coding)
            } catch {
                throw NetworkError(thrown: error, reading: data, as: coding)
            }
        }
    }

    /// Creates an endpoint whose closure throws ``NetworkError``, which needs no conversion.
    init(
        method: HTTPMethod, path: EndpointPath, query: QueryItems = [:], fields: HTTPFields = [:],
        body: RequestBody? = nil, accept: String, reading decode: @escaping Decode
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
        self.accept = accept
        self.decode = decode
    }

    /// Changes the options of this endpoint's requests. Later changes override earlier ones.
    ///
    /// ```swift
    /// endpoint.options { $0.timeouts.inactivity = .seconds(5) }
    /// ```
    ///
    /// Methods such as ``timeout(_:)`` are shorthands for this one.
    ///
    /// - Parameter change: Changes the client's options when the endpoint is sent.
    public func options(_ change: @escaping @Sendable (inout RequestOptions) -> Void) -> Self {
        var copy = self
        guard let earlier = adjust else {
            copy.adjust = change
            return copy
        }
        copy.adjust = { options in
            earlier(&options)
            change(&options)
        }
        return copy
    }
}

extension Endpoint: CustomStringConvertible, CustomReflectable {
    /// The method and path without the query, for a log or a metric label.
    public var description: String { "\(method) \(shownPath)" }

    /// The method, the path and the fields, with secrets redacted.
    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "path": shownPath, "fields": fields])
    }

    /// A query that was written into the path isn't shown.
    private var shownPath: String { path.withoutQuery }
}
