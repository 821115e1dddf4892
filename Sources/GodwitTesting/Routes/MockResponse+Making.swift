public import GodwitCore

extension MockResponse {
    /// A status without content.
    ///
    /// ```swift
    /// route.delete("/articles/:id").reply(.status(.noContent))
    /// ```
    public static func status(_ status: HTTPStatus) -> MockResponse {
        MockResponse(status: status)
    }

    /// A status without content. A code outside 100 to 999 makes a 500.
    public static func status(_ code: Int) -> MockResponse {
        MockResponse(status: HTTPStatus(code) ?? .internalServerError)
    }

    /// Bytes.
    ///
    /// `Content-Type` is `application/octet-stream` by default.
    public static func bytes(
        _ data: Data, contentType: String = "application/octet-stream", status: HTTPStatus = .ok
    ) -> MockResponse {
        MockResponse(status: status, fields: [.contentType: contentType], body: .bytes(data))
    }

    /// A text in UTF-8.
    ///
    /// `Content-Type` is `text/plain; charset=utf-8`.
    public static func text(_ text: String, status: HTTPStatus = .ok) -> MockResponse {
        .bytes(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status)
    }

    /// A JSON literal.
    ///
    /// Members are sorted by name, so that tests can compare bytes.
    ///
    /// ```swift
    /// route.get("/articles/1").reply(.json(["id": 1, "tags": ["sea", "moon"]]))
    /// ```
    public static func json(_ value: JSONValue, status: HTTPStatus = .ok) -> MockResponse {
        encoded(value, sortedEncoder, status)
    }

    /// A value as JSON, with sorted keys unless another encoder is given.
    ///
    /// A value that cannot be encoded makes a 500 that says why.
    public static func json(
        _ value: some Encodable, status: HTTPStatus = .ok, encoder: JSONEncoder? = nil
    ) -> MockResponse {
        encoded(value, encoder ?? sortedEncoder, status)
    }

    private static var sortedEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    private static func encoded(_ value: some Encodable, _ encoder: JSONEncoder, _ status: HTTPStatus) -> MockResponse {
        do {
            return .bytes(try encoder.encode(value), contentType: "application/json", status: status)
        } catch {
            return .text("the scripted JSON cannot be encoded: \(error)", status: .internalServerError)
        }
    }

    /// A redirect to a URL or path, sent as `Location` as it is.
    ///
    /// 302 by default.
    public static func redirect(to location: String, status: HTTPStatus = .found) -> MockResponse {
        MockResponse(status: status, fields: [.location: location])
    }

    /// Chunks, sent with the chunked coding; `interval` passes before each but the first.
    ///
    /// Empty chunks are left out. Intervals are measured by the clock of the server or transport.
    public static func chunks(
        _ chunks: [Data], every interval: Duration = .zero, contentType: String = "application/octet-stream"
    ) -> MockResponse {
        MockResponse(fields: [.contentType: contentType], content: .chunks(chunks, every: interval))
    }

    /// Chunks of filler without end, for a client that leaves or a ``Fault``.
    ///
    /// - Parameters:
    ///   - count: The bytes of one chunk, each a full stop; less than 1 counts as 1.
    ///   - interval: What passes before each chunk but the first.
    public static func chunks(of count: Int = 100, every interval: Duration) -> MockResponse {
        MockResponse(
            fields: [.contentType: "application/octet-stream"], content: .filler(count: max(1, count), every: interval))
    }

    /// Chunks as they come, in the chunked coding or, where `length` is given, under that `Content-Length`.
    ///
    /// Read once: for a reply that is given again use ``init(status:fields:body:)`` with a body that can be made anew.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int64? = nil, contentType: String = "application/octet-stream"
    ) -> MockResponse where Chunks.Element == Data {
        MockResponse(fields: [.contentType: contentType], body: .stream(once: chunks, length: length))
    }

    /// A file's content.
    ///
    /// Read each time the answer is given.
    public static func file(at url: URL, contentType: String = "application/octet-stream") -> MockResponse {
        MockResponse(fields: [.contentType: contentType], body: .file(at: url))
    }

    /// The part of a content that a request's `Range` asks for (RFC 9110 section 14), or the whole.
    ///
    /// One range is understood; `If-Range` is compared with `etag`; a range beyond the end makes a 416.
    ///
    /// ```swift
    /// route.get("/video").reply { request in .ranged(video, for: request, etag: "\"v1\"") }
    /// ```
    public static func ranged(_ data: Data, for request: MockRequest, etag: String? = nil) -> MockResponse {
        var response = RangedContent(data, etag: etag).answer(to: request.fields)
        if let etag { response.fields[.etag] = etag }
        return response
    }

    /// Bytes written to the socket as they are, after which the connection is closed: for answers that are not HTTP.
    ///
    /// A ``MockTransport`` throws `.unsupported`.
    public static func raw(_ data: Data) -> MockResponse {
        var response = MockResponse(body: .bytes(data))
        response.form = .raw
        response.closesConnection = true
        return response
    }

    /// A text written to the socket as it is, after which the connection is closed.
    public static func raw(_ text: String) -> MockResponse {
        .raw(Data(text.utf8))
    }

    /// No answer until the client leaves or the server stops.
    ///
    /// In a ``MockTransport`` only cancelling, or a shutdown that cancels, ends it.
    public static let hang = MockResponse(form: .hang)

    /// No answer: the connection is closed.
    ///
    /// Clients see a connection that was lost.
    public static let close = MockResponse(form: .noAnswer(.close))

    /// No answer: the connection is reset.
    ///
    /// Clients see a connection that was lost.
    public static let reset = MockResponse(form: .noAnswer(.reset))

    /// The error that a ``MockTransport`` throws; a ``MockServer`` can only close the connection.
    ///
    /// ```swift
    /// mock.get("/articles").fail(.offline(.noPath))
    /// ```
    public static func failure(
        _ kind: NetworkError.Kind, phase: NetworkError.Phase = .receiving
    ) -> MockResponse {
        MockResponse(form: .failure(NetworkError(kind, phase: phase)))
    }

    private init(form: Form) {
        self.init()
        self.form = form
    }
}
