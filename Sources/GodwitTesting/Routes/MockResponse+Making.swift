public import GodwitCore

extension MockResponse {
    /// A response without a body.
    ///
    /// ```swift
    /// route.delete("/articles/:id").reply(.status(.noContent))
    /// ```
    public static func status(_ status: HTTPStatus) -> MockResponse {
        MockResponse(status: status)
    }

    /// A response without a body. A code outside 100 to 999 becomes 500.
    public static func status(_ code: Int) -> MockResponse {
        MockResponse(status: HTTPStatus(code) ?? .internalServerError)
    }

    /// A response with bytes as its body.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - contentType: The `Content-Type`, not checked; `application/octet-stream` by default.
    ///   - status: The status; 200 by default.
    public static func bytes(
        _ data: Data, contentType: String = "application/octet-stream", status: HTTPStatus = .ok
    ) -> MockResponse {
        MockResponse(status: status, fields: [.contentType: contentType], body: .bytes(data))
    }

    /// A response with UTF-8 text and the `Content-Type` `text/plain; charset=utf-8`.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - status: The status; 200 by default.
    public static func text(_ text: String, status: HTTPStatus = .ok) -> MockResponse {
        .bytes(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status)
    }

    /// A JSON literal. Members are sorted by name, so that tests can compare bytes.
    ///
    /// ```swift
    /// route.get("/articles/1").reply(.json(["id": 1, "tags": ["sea", "moon"]]))
    /// ```
    ///
    /// - Parameters:
    ///   - value: The body, as a literal.
    ///   - status: The status; 200 by default.
    public static func json(_ value: JSONValue, status: HTTPStatus = .ok) -> MockResponse {
        var encoder = JSONModelEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return .bytes(try encoder.encode(value), contentType: "application/json", status: status)
        } catch {
            return .text("the scripted JSON cannot be encoded: \(error)", status: .internalServerError)
        }
    }

    /// A value as JSON, with the keys and dates of the API.
    ///
    /// ```swift
    /// route.get("/articles").reply { request in .json([article]) }
    /// ```
    ///
    /// The coding is the first of: `coding`, ``MockRoutes/json``, the coding of the client that sent the request (known only to a
    /// ``MockTransport``), `JSONCoding()`. Keys are sorted, so that tests can compare bytes. A value that can't be encoded becomes
    /// a 500 with the reason.
    ///
    /// - Parameters:
    ///   - value: The body, encoded for each response.
    ///   - status: The status; 200 by default.
    ///   - coding: The encoding. `nil` (the default) means the API's.
    public static func json(
        _ value: some Encodable & Sendable, status: HTTPStatus = .ok, coding: JSONCoding? = nil
    ) -> MockResponse {
        MockResponse(
            status: status, fields: [.contentType: "application/json"],
            content: .coded { api throws(NetworkError) in
                .body(.bytes(try (coding ?? api).encode(value)))
            })
    }

    /// Values as JSON lines, each sent separately, with the keys and dates of the API.
    ///
    /// ```swift
    /// route.get("/export").reply(.jsonLines([article, article]))
    /// ```
    ///
    /// - Parameters:
    ///   - values: The values in order.
    ///   - interval: The pause before each line except the first; zero by default.
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

    /// A response that redirects to another URL.
    ///
    /// - Parameters:
    ///   - location: The `Location`, sent unchanged: a URL, or a reference that the client resolves.
    ///   - status: Usually 301, 302, 303, 307 or 308; 302 by default.
    public static func redirect(to location: String, status: HTTPStatus = .found) -> MockResponse {
        MockResponse(status: status, fields: [.location: location])
    }

    /// A chunked body. Empty chunks are omitted.
    ///
    /// - Parameters:
    ///   - chunks: The pieces of the body. The network decides what a client reads in one piece.
    ///   - interval: The pause before each chunk except the first, by the clock of the server or transport; zero by default.
    ///   - contentType: The `Content-Type`.
    public static func chunks(
        _ chunks: [Data], every interval: Duration = .zero, contentType: String = "application/octet-stream"
    ) -> MockResponse {
        MockResponse(fields: [.contentType: contentType], content: .chunks(chunks, every: interval))
    }

    /// A chunk of filler is in memory at once.
    private static let fillerLimit = 16 << 20

    /// A chunked body of equal chunks.
    ///
    /// ```swift
    /// route.get("/export").reply(.chunks(of: 1000, count: 20, every: .milliseconds(50)))       // 20,000 bytes in a second
    /// ```
    ///
    /// - Parameters:
    ///   - size: The bytes of each chunk, filled with periods; at least 1, at most 16 MiB.
    ///   - count: The number of chunks.
    ///   - interval: The pause before each chunk except the first; zero by default.
    public static func chunks(of size: Int, count: Int, every interval: Duration = .zero) -> MockResponse {
        MockResponse(
            fields: [.contentType: "application/octet-stream"],
            content: .filler(size: min(max(1, size), Self.fillerLimit), count: max(0, count), every: interval))
    }

    /// An endless chunked body, for a client that disconnects or for a fault.
    ///
    /// ```swift
    /// route.get("/endless").reply(.endlessChunks(every: .milliseconds(50)).dropped(after: .bytes(1000)))
    /// ```
    ///
    /// A client that reads to the end waits until its time limit. ``chunks(of:count:every:)`` ends.
    ///
    /// - Parameters:
    ///   - size: The bytes of each chunk, filled with periods; at least 1, at most 16 MiB.
    ///   - interval: The pause before each chunk except the first.
    public static func endlessChunks(of size: Int = 100, every interval: Duration) -> MockResponse {
        MockResponse(
            fields: [.contentType: "application/octet-stream"],
            content: .filler(size: min(max(1, size), Self.fillerLimit), count: nil, every: interval))
    }

    /// A stream, for one request: chunked or, with a `length`, with that `Content-Length`.
    ///
    /// A second request finds the stream consumed, and its connection breaks. To answer several requests, use
    /// ``init(status:fields:body:)`` with an `HTTPBody.stream { … }`.
    ///
    /// - Parameters:
    ///   - chunks: The body. An error that it throws breaks the connection.
    ///   - length: The number of bytes; `nil` sends chunks.
    ///   - contentType: The `Content-Type`.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        once chunks: Chunks, length: Int64? = nil, contentType: String = "application/octet-stream"
    ) -> MockResponse where Chunks.Element == Data {
        MockResponse(fields: [.contentType: contentType], body: .stream(once: chunks, length: length))
    }

    /// A file, read for each response.
    ///
    /// - Parameters:
    ///   - url: The file. An unreadable file breaks the connection.
    ///   - contentType: The `Content-Type`.
    public static func file(at url: URL, contentType: String = "application/octet-stream") -> MockResponse {
        MockResponse(fields: [.contentType: contentType], body: .file(at: url))
    }

    /// The part of a body that a request's `Range` asks for (RFC 9110 section 14), or all of it.
    ///
    /// Supports one range. `If-Range` is compared with `etag`. A range after the end becomes a 416.
    ///
    /// ```swift
    /// route.get("/video").reply { request in .ranged(data, for: request, etag: "\"v1\"") }
    /// ```
    ///
    /// - Parameters:
    ///   - data: The whole body.
    ///   - request: The request with `Range` and `If-Range`.
    ///   - etag: The `ETag` with its quotes; `nil` sends none, and `If-Range` then never matches.
    /// - Returns: A 206 with `Content-Range`, a 416, or a 200 with the whole body.
    public static func ranged(_ data: Data, for request: MockRequest, etag: String? = nil) -> MockResponse {
        var response = RangedContent(data, etag: etag).answer(to: request.fields)
        if let etag { response.fields[.etag] = etag }
        return response
    }

    /// Bytes written to the socket unchanged, after which the connection is closed: for responses that are not HTTP.
    ///
    /// A ``MockTransport`` throws `.unsupported`.
    ///
    /// - Parameter data: The bytes, starting with the status line.
    public static func raw(_ data: Data) -> MockResponse {
        var response = MockResponse(body: .bytes(data))
        response.form = .raw
        response.closesConnection = true
        return response
    }

    /// Text written to the socket unchanged, after which the connection is closed.
    ///
    /// - Parameter text: The text in UTF-8, starting with the status line. Write `\r\n`.
    public static func raw(_ text: String) -> MockResponse {
        .raw(Data(text.utf8))
    }

    /// No response until the client disconnects or the server stops.
    ///
    /// With a ``MockTransport``, only cancellation or a shutdown ends it.
    public static let hang = MockResponse(form: .hang)

    /// Closes the connection without a response. Clients see a lost connection.
    public static let close = MockResponse(form: .noAnswer(.close))

    /// Resets the connection without a response. Clients see a lost connection.
    public static let reset = MockResponse(form: .noAnswer(.reset))

    /// An error that a ``MockTransport`` throws. A ``MockServer`` can only close the connection.
    ///
    /// ```swift
    /// route.get("/articles").fail(.offline(.noPath))
    /// ```
    ///
    /// - Parameters:
    ///   - kind: The kind of the error.
    ///   - phase: The phase of the error.
    public static func failure(
        _ kind: NetworkError.Kind, phase: NetworkError.Phase = .receiving
    ) -> MockResponse {
        MockResponse(form: .failure(NetworkError(kind, phase: phase)))
    }

    /// Connects to a host and passes bytes both ways unseen, as a proxy answers `CONNECT` (RFC 9110 section 9.3.6).
    ///
    /// ```swift
    /// route.when(.connect, "*").reply(.tunnel(to: "127.0.0.1", port: 8443))
    /// ```
    ///
    /// The client receives a 200, or a 502 if no address of the host accepts within 10 seconds. A ``MockTransport`` throws
    /// `.unsupported`.
    public static func tunnel(to host: String, port: UInt16) -> MockResponse {
        MockResponse(form: .tunnel(host: host, port: port))
    }

    private init(form: Form) {
        self.init()
        self.form = form
    }
}
