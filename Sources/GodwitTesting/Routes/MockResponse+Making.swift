public import GodwitCore

extension MockResponse {
    /// A status without content.
    ///
    /// ```swift
    /// route.delete("/articles/:id").reply(.status(.noContent))
    /// ```
    ///
    /// - Parameter status: Any status; 204 and 304 never have content.
    public static func status(_ status: HTTPStatus) -> MockResponse {
        MockResponse(status: status)
    }

    /// A status without content. A code outside 100 to 999 makes a 500.
    ///
    /// - Parameter code: The status code.
    public static func status(_ code: Int) -> MockResponse {
        MockResponse(status: HTTPStatus(code) ?? .internalServerError)
    }

    /// Bytes.
    ///
    /// `Content-Type` is `application/octet-stream` by default.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - contentType: The value of `Content-Type`, not checked.
    ///   - status: The status; 200 by default.
    public static func bytes(
        _ data: Data, contentType: String = "application/octet-stream", status: HTTPStatus = .ok
    ) -> MockResponse {
        MockResponse(status: status, fields: [.contentType: contentType], body: .bytes(data))
    }

    /// A text in UTF-8.
    ///
    /// `Content-Type` is `text/plain; charset=utf-8`.
    ///
    /// - Parameters:
    ///   - text: The content.
    ///   - status: The status; 200 by default.
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
    ///
    /// - Parameters:
    ///   - value: The content, as a literal.
    ///   - status: The status; 200 by default.
    public static func json(_ value: JSONValue, status: HTTPStatus = .ok) -> MockResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return .bytes(try encoder.encode(value), contentType: "application/json", status: status)
        } catch {
            return .text("the scripted JSON cannot be encoded: \(error)", status: .internalServerError)
        }
    }

    /// A value as JSON, with the API's keys and dates.
    ///
    /// ```swift
    /// route.get("/articles").reply { request in .json([article]) }
    /// ```
    ///
    /// The coding is the first of: `coding`, ``MockRoutes/json``, that of the client which sent the request (a
    /// ``MockTransport`` knows it), `JSONCoding()`. Keys are sorted, so that tests can compare bytes. A value that cannot be
    /// encoded makes a 500 that says why.
    ///
    /// - Parameters:
    ///   - value: The content; encoded each time the answer is given.
    ///   - status: The status; 200 by default.
    ///   - coding: How it is encoded. `nil` (the default) means as the API does.
    public static func json(
        _ value: some Encodable & Sendable, status: HTTPStatus = .ok, coding: JSONCoding? = nil
    ) -> MockResponse {
        MockResponse(
            status: status, fields: [.contentType: "application/json"],
            content: .coded { api throws(NetworkError) in
                .body(.bytes(try (coding ?? api).encode(value)))
            })
    }

    /// Values as JSON lines, each sent by itself, with the API's keys and dates.
    ///
    /// ```swift
    /// route.get("/export").reply(.jsonLines([article, article]))
    /// ```
    ///
    /// - Parameters:
    ///   - values: The values, in order.
    ///   - interval: The pause before each line but the first; zero by default.
    public static func jsonLines(
        _ values: [some Encodable & Sendable], every interval: Duration = .zero
    ) -> MockResponse {
        MockResponse(
            fields: [.contentType: "application/x-ndjson"],
            content: .coded { coding throws(NetworkError) in
                var lines: [Data] = []
                for value in values { lines.append(try coding.encode(value) + Data("\n".utf8)) }
                return .chunks(lines, every: interval)
            })
    }

    /// A redirect to a URL or path, sent as `Location` as it is.
    ///
    /// 302 by default.
    ///
    /// - Parameters:
    ///   - location: A URL, or a reference that the client resolves against its own.
    ///   - status: 301, 302, 303, 307 or 308, or whatever is to be tested.
    public static func redirect(to location: String, status: HTTPStatus = .found) -> MockResponse {
        MockResponse(status: status, fields: [.location: location])
    }

    /// Chunks, sent with the chunked coding; `interval` passes before each but the first.
    ///
    /// Empty chunks are left out. Intervals are measured by the clock of the server or transport.
    ///
    /// - Parameters:
    ///   - chunks: The pieces of the content. What a client reads in one piece is up to the network.
    ///   - interval: The pause before each chunk but the first; zero by default.
    ///   - contentType: The value of `Content-Type`.
    public static func chunks(
        _ chunks: [Data], every interval: Duration = .zero, contentType: String = "application/octet-stream"
    ) -> MockResponse {
        MockResponse(fields: [.contentType: contentType], content: .chunks(chunks, every: interval))
    }

    /// Equal chunks of filler, sent with the chunked coding.
    ///
    /// ```swift
    /// route.get("/export").reply(.chunks(of: 1000, count: 20, every: .milliseconds(50)))       // 20,000 bytes in a second
    /// ```
    ///
    /// - Parameters:
    ///   - size: The bytes of one chunk, each a full stop; less than 1 counts as 1.
    ///   - count: The number of chunks; less than 1 sends none.
    ///   - interval: The pause before each chunk but the first; zero by default.
    public static func chunks(of size: Int, count: Int, every interval: Duration = .zero) -> MockResponse {
        MockResponse(
            fields: [.contentType: "application/octet-stream"],
            content: .filler(size: max(1, size), count: max(0, count), every: interval))
    }

    /// Chunks of filler that never end, for a client that leaves or a ``Fault``.
    ///
    /// ```swift
    /// route.get("/endless").reply(.endlessChunks(every: .milliseconds(50)).dropped(after: .bytes(1000)))
    /// ```
    ///
    /// A client that reads to the end waits until its time limit. ``chunks(of:count:every:)`` ends.
    ///
    /// - Parameters:
    ///   - size: The bytes of one chunk, each a full stop; less than 1 counts as 1.
    ///   - interval: The pause before each chunk but the first.
    public static func endlessChunks(of size: Int = 100, every interval: Duration) -> MockResponse {
        MockResponse(
            fields: [.contentType: "application/octet-stream"],
            content: .filler(size: max(1, size), count: nil, every: interval))
    }

    /// Chunks as they come, for one request: in the chunked coding or, if `length` is given, under that `Content-Length`.
    ///
    /// A second request finds the stream read, and its connection breaks. For a reply that is given again use
    /// ``init(status:fields:body:)`` with an `HTTPBody.stream { … }`.
    ///
    /// - Parameters:
    ///   - chunks: The content; an error that it throws breaks the connection.
    ///   - length: How many bytes it is, where that is to be told beforehand; nil sends chunks.
    ///   - contentType: The value of `Content-Type`.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        once chunks: Chunks, length: Int64? = nil, contentType: String = "application/octet-stream"
    ) -> MockResponse where Chunks.Element == Data {
        MockResponse(fields: [.contentType: contentType], body: .stream(once: chunks, length: length))
    }

    /// A file's content.
    ///
    /// Read each time the answer is given.
    ///
    /// - Parameters:
    ///   - url: The file. One that cannot be read when the answer is given breaks the connection.
    ///   - contentType: The value of `Content-Type`.
    public static func file(at url: URL, contentType: String = "application/octet-stream") -> MockResponse {
        MockResponse(fields: [.contentType: contentType], body: .file(at: url))
    }

    /// The part of a content that a request's `Range` asks for (RFC 9110 section 14), or the whole.
    ///
    /// One range is understood; `If-Range` is compared with `etag`; a range beyond the end makes a 416.
    ///
    /// ```swift
    /// route.get("/video").reply { request in .ranged(data, for: request, etag: "\"v1\"") }
    /// ```
    ///
    /// - Parameters:
    ///   - data: The whole content.
    ///   - request: The request whose `Range` and `If-Range` count.
    ///   - etag: The value of `ETag`, quotes included; nil sends none, and then `If-Range` never holds.
    /// - Returns: A 206 with `Content-Range`, a 416, or a 200 with the whole.
    public static func ranged(_ data: Data, for request: MockRequest, etag: String? = nil) -> MockResponse {
        var response = RangedContent(data, etag: etag).answer(to: request.fields)
        if let etag { response.fields[.etag] = etag }
        return response
    }

    /// Bytes written to the socket as they are, after which the connection is closed: for answers that are not HTTP.
    ///
    /// A ``MockTransport`` throws `.unsupported`.
    ///
    /// - Parameter data: What is written, from the status line on.
    public static func raw(_ data: Data) -> MockResponse {
        var response = MockResponse(body: .bytes(data))
        response.form = .raw
        response.closesConnection = true
        return response
    }

    /// A text written to the socket as it is, after which the connection is closed.
    ///
    /// - Parameter text: What is written, in UTF-8, from the status line on. Write `\r\n`.
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
    /// route.get("/articles").fail(.offline(.noPath))
    /// ```
    ///
    /// - Parameters:
    ///   - kind: What went wrong.
    ///   - phase: Where it went wrong.
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
