public import GodwitCore

/// An answer that a ``MockServer`` or ``MockTransport`` gives, with whatever is to go wrong on its way.
///
/// ```swift
/// route.get("/articles/1").reply(.json(["id": 1, "title": "Tides"]))
/// route.get("/slow").reply(.text("late").delayed(by: .seconds(2)).throttled(bytesPerSecond: 100))
/// route.get("/broken").reply(.bytes(data).dropped(after: .bytes(1000)))
/// route.get("/odd").reply(.raw("HTTP/1.1 two hundred\r\n\r\n"))
/// ```
///
/// The server writes `Content-Length` or `Transfer-Encoding` as ``framing`` says, and no other field of its own but
/// `Connection: close` where it will close. Fields given here are sent as they are.
public struct MockResponse: Sendable, Nonisolated {
    /// The status; 200 by default.
    public var status: HTTPStatus

    /// The fields.
    ///
    /// Not checked: what cannot be sent by a client can be sent by this.
    public var fields: HTTPFields

    /// The fields sent after a chunked content.
    public var trailers: HTTPFields = [:]

    /// Heads with a status from 100 to 199 that go before the answer. A ``MockTransport`` leaves them out.
    public var interim: [HTTPResponseHead] = []

    /// How the end of the content is told to the client.
    ///
    /// ``Framing/automatic`` by default. A ``MockTransport`` only takes the
    /// length of the content from it.
    public var framing = Framing.automatic

    /// How long to wait before the first byte.
    ///
    /// Zero by default.
    public var delay = Duration.zero

    /// The pace of the content in bytes per second; nil for no limit.
    public var bytesPerSecond: Int?

    /// Whether the server closes the connection after this answer, and says so in its head.
    public var closesConnection = false

    /// What ends the answer before its time.
    public var fault: Fault?

    /// What is sent as content.
    package var content: Content

    /// What kind of answer it is.
    package var form = Form.message

    /// Makes an answer.
    ///
    /// ```swift
    /// MockResponse(status: .created, fields: [.location: "/articles/7"], body: "made")
    /// ```
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The fields, sent as they are.
    ///   - body: The content; one that can be read once answers one request.
    public init(status: HTTPStatus = .ok, fields: HTTPFields = [:], body: HTTPBody = .empty) {
        self.init(status: status, fields: fields, content: .body(body))
    }

    package init(status: HTTPStatus = .ok, fields: HTTPFields = [:], content: Content) {
        self.status = status
        self.fields = fields
        self.content = content
    }

    /// How the end of a content is told to the client (RFC 9112 section 6).
    public enum Framing: Sendable, Hashable {
        /// A content of known length by `Content-Length`, another in chunks.
        case automatic
        /// By this `Content-Length`, be it true or not; after an untrue one the connection is closed.
        case length(Int64)
        /// In chunks.
        case chunked
        /// By closing the connection.
        case untilClose
    }

    /// A place in a content.
    ///
    /// Counted before any chunked coding.
    public enum BodyOffset: Sendable, Hashable {
        /// After this many bytes of content; 0 is right after the head.
        case bytes(Int)
        /// After this many events of ``MockResponse/events(_:every:)`` and its like, or chunks of any other content.
        case events(Int)
    }

    /// What ends an answer before its time.
    public enum Fault: Sendable, Hashable {
        /// The connection is closed in the ordinary way (FIN).
        case drop(after: BodyOffset)
        /// The connection is reset (RST).
        case reset(after: BodyOffset)
        /// The connection is closed without the `close_notify` alert that ends TLS; over plain TCP the same as `drop`.
        case truncate(after: BodyOffset)

        package var offset: BodyOffset {
            switch self {
            case .drop(let offset), .reset(let offset), .truncate(let offset): offset
            }
        }
    }

    /// What is sent as content.
    package enum Content: Sendable {
        case body(HTTPBody)
        case chunks([Data], every: Duration)
        /// So many chunks of so many bytes; nil for no end.
        case filler(size: Int, count: Int?, every: Duration)
        /// Values that are encoded when the coding of the API is known; says what is wrong with one that cannot be.
        case coded(@Sendable (JSONCoding) throws(NetworkError) -> Content)

        package var length: Int64? {
            guard case .body(let body) = self else { return nil }
            return body.length
        }
    }

    /// The length that is announced, be it true or not; nil for none.
    var announcedLength: Int64? {
        switch framing {
        case .length(let length): length
        case .automatic: content.length
        case .chunked, .untilClose: nil
        }
    }

    /// The answer with its values encoded as an API does.
    func resolved(by coding: JSONCoding) -> MockResponse {
        guard case .coded(let encode) = content else { return self }
        do throws(NetworkError) {
            var response = self
            response.content = try encode(coding)
            return response
        } catch {
            return .text("the scripted JSON cannot be encoded: \(error)", status: .internalServerError)
        }
    }

    /// What kind of answer it is.
    package enum Form: Sendable {
        /// A head and a content.
        case message
        /// The content alone, written to the socket as it is.
        case raw
        /// None, ever.
        case hang
        /// None; the connection ends.
        case noAnswer(Ending)
        /// The error a transport throws.
        case failure(NetworkError)
    }

    /// How a connection ends.
    package enum Ending: Sendable {
        case close, reset
    }
}
