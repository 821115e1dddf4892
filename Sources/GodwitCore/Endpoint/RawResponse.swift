/// A type made from an unparsed response body instead of JSON.
///
/// `Data`, `String` and ``EmptyResponse`` conform. Conform a type to use it as the response of an ``Endpoint``: an
/// image, a protobuf message, a CSV table.
///
/// ```swift
/// struct Picture: RawResponse {
///     let data: Data
///
///     static var accept: String { "image/png" }
///     init(body: Data, head: HTTPResponseHead) throws(NetworkError) { data = body }
/// }
/// ```
public protocol RawResponse: Decodable, Sendable {
    /// The value of `Accept`, unless the endpoint has one: `*/*` by default.
    static var accept: String { get }

    /// Creates the value from an accepted response.
    ///
    /// Throw `.decoding` if the body isn't valid.
    init(body: Data, head: HTTPResponseHead) throws(NetworkError)
}

extension RawResponse {
    /// Accepts any type: `*/*`.
    public static var accept: String { "*/*" }
}

extension Data: RawResponse {
    /// The unparsed body.
    public init(body: Data, head: HTTPResponseHead) throws(NetworkError) {
        self = body
    }
}

extension String: RawResponse {
    /// The body as UTF-8 text, or as ISO 8859-1 if `Content-Type` says so. Throws `.decoding` for other bytes.
    public init(body: Data, head: HTTPResponseHead) throws(NetworkError) {
        let charset = head.fields[.contentType].flatMap(MediaType.init(_:))?.charset
        if charset == "iso-8859-1" || charset == "latin1" {
            self = String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) }))
            return
        }
        guard let text = String(validating: body, as: UTF8.self) else {
            throw NetworkError(
                .decoding(.init(path: "", reason: "expected text in UTF-8, found other bytes")), phase: .decoding)
        }
        self = text
    }
}

/// A response without a body, or with a body to be ignored: 204, 205, an empty 200.
///
/// Equivalent to `Void` for an ``Endpoint``, for contexts that need protocol conformances.
///
/// ```swift
/// let receipt: EmptyResponse = try await api.send(Endpoint<EmptyResponse>.post("ping"))
/// ```
public struct EmptyResponse: RawResponse, Hashable {
    /// Creates an empty response.
    public init() {}

    /// Ignores the body.
    public init(body: Data, head: HTTPResponseHead) throws(NetworkError) {}

    /// Ignores the JSON.
    public init(from decoder: any Decoder) throws {}
}

/// How a response type is requested and decoded.
struct ResponseReading<Response: Sendable>: Sendable {
    let accept: String
    let decode: Endpoint<Response>.Decode
}

extension ResponseReading where Response: Decodable {
    /// The unparsed body for a ``RawResponse``; JSON for other types.
    ///
    /// Decided by the type at run time, so that generic code over `Decodable` handles `Data` correctly.
    static var standard: Self {
        guard let raw = Response.self as? any RawResponse.Type else { return json }
        return Self(accept: raw.accept) { (data, head, _) throws(NetworkError) in
            guard let value = try raw.init(body: data, head: head) as? Response else { return try unreadable() }
            return value
        }
    }

    private static var json: Self {
        Self(accept: "application/json") { (data, head, coding) throws(NetworkError) in
            guard !data.isEmpty, head.status != .resetContent else {
                throw NetworkError(.decoding(.emptyBody), phase: .decoding)
            }
            return try coding.decode(Response.self, from: data)
        }
    }

    private static func unreadable() throws(NetworkError) -> Response {
        throw NetworkError(
            .decoding(.init(path: "", reason: "\(Response.self) cannot be made from a body")), phase: .decoding)
    }
}

extension ResponseReading where Response == Void {
    static var ignoring: Self {
        Self(accept: "*/*") { (_, _, _) throws(NetworkError) in }
    }
}

extension Endpoint {
    init(
        _ reading: ResponseReading<Response>, _ method: HTTPMethod, _ path: EndpointPath, _ query: QueryItems,
        _ body: RequestBody?
    ) {
        self.init(
            method: method, path: path, query: query, body: body, accept: reading.accept, reading: reading.decode)
    }
}
