/// A type that is made of a response body as it is, not read from JSON.
///
/// `Data`, `String` and ``EmptyResponse`` are such types; conform your own to let it stand as an ``Endpoint``'s
/// response: an image, a protobuf message, a CSV table.
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
    /// What `Accept` says, unless the endpoint does: `*/*` by default.
    static var accept: String { get }

    /// Makes the value of an accepted answer.
    ///
    /// Throw `.decoding` to say that the body is not what was promised.
    init(body: Data, head: HTTPResponseHead) throws(NetworkError)
}

extension RawResponse {
    /// `*/*`: anything.
    public static var accept: String { "*/*" }
}

extension Data: RawResponse {
    /// The body as it is.
    public init(body: Data, head: HTTPResponseHead) throws(NetworkError) {
        self = body
    }
}

extension String: RawResponse {
    /// The body as text in UTF-8, or in ISO 8859-1 where `Content-Type` says so. Throws `.decoding` for text that
    /// is neither.
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

/// A response without content, or with content that does not matter: 204, 205, an empty 200.
///
/// The same as `Void` for an ``Endpoint``, and usable where a type has to conform to protocols.
///
/// ```swift
/// let receipt: EmptyResponse = try await api.send(Endpoint<EmptyResponse>.post("ping"))
/// ```
public struct EmptyResponse: RawResponse, Hashable {
    /// Makes the value.
    public init() {}

    /// Reads nothing: any body will do.
    public init(body: Data, head: HTTPResponseHead) throws(NetworkError) {}

    /// Reads nothing: any JSON will do.
    public init(from decoder: any Decoder) throws {}
}

/// How a type of response is read: what to ask for, and how to make the value.
struct ResponseReading<Response: Sendable>: Sendable {
    let accept: String
    let decode: Endpoint<Response>.Decode
}

extension ResponseReading where Response: Decodable {
    /// The body itself for a ``RawResponse``; JSON for every other type.
    ///
    /// Decided on the type the endpoint has when it runs, so that generic code over `Decodable` treats `Data` alike.
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
            .decoding(.init(path: "", reason: "\(Response.self) cannot be made of a body")), phase: .decoding)
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
