/// One operation of an API as a value: what to send, and what comes back.
///
/// The type of the response travels with the endpoint, so that a call needs neither a cast nor a type annotation.
/// Describe an API once, as static members:
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
/// `Response` is a `Decodable` type read from JSON; `Data` or `String` for the body as it is; `Void` or
/// ``EmptyResponse`` where no content matters. For another format give
/// ``init(method:path:query:fields:body:accept:decode:)`` a closure.
///
/// An endpoint holds no base URL and opens nothing: it can be kept, and sent by any ``APIClient`` any number of times.
/// Methods such as ``timeout(_:)`` return changed copies.
public struct Endpoint<Response: Sendable>: Sendable, Nonisolated {
    /// Reads the response out of the body of an accepted answer.
    public typealias Decode = @Sendable (Data, HTTPResponseHead, JSONCoding) throws(NetworkError) -> Response

    /// The method.
    public var method: HTTPMethod

    /// The path below the client's base URL.
    ///
    /// A fault in it makes the call throw `.invalidURL`.
    public var path: EndpointPath

    /// The query.
    ///
    /// Follows the query of the base URL, where that has one.
    public var query: QueryItems

    /// Fields of this endpoint; they win over the client's default fields.
    ///
    /// `Accept`, `Content-Type` and `Idempotency-Key` are added where they are not among them.
    public var fields: HTTPFields

    /// The content to send.
    ///
    /// Encoded when the endpoint is sent; nil sends none.
    public var body: RequestBody?

    let accept: String
    var decode: Decode
    private(set) var adjust: (@Sendable (inout RequestOptions) -> Void)?

    /// Makes an endpoint whose response is read by the caller's own closure.
    ///
    /// - Parameters:
    ///   - accept: What `Accept` says, unless `fields` do.
    ///   - decode: Called with the whole body once the status has been accepted. An error that is not a
    ///     ``NetworkError`` becomes `.decoding`, with it as `underlying`.
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

    /// Makes an endpoint whose reading throws the library's own error, which needs nothing around it.
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

    /// Changes what this endpoint wants otherwise than the client's defaults; later changes win.
    ///
    /// ```swift
    /// endpoint.options { $0.timeouts.inactivity = .seconds(5) }
    /// ```
    ///
    /// The named methods, such as ``timeout(_:)``, are short for this one.
    ///
    /// - Parameter change: Changes the client's own options, when the endpoint is sent.
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
    /// The method and path: fit for a log or a metric label, as no query is shown.
    public var description: String { "\(method) \(path)" }

    /// The method, the path and the fields, without values that may hold secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "path": "\(path)", "fields": fields])
    }
}
