public import GodwitCore

/// A response of a ``MockServer`` or ``MockTransport``, with optional faults.
///
/// ```swift
/// route.get("/articles/1").reply(.json(["id": 1, "title": "Tides"]))
/// route.get("/slow").reply(.text("late").delayed(by: .seconds(2)).throttled(bytesPerSecond: 100))
/// route.get("/broken").reply(.bytes(data).dropped(after: .bytes(1000)))
/// route.get("/odd").reply(.raw("HTTP/1.1 two hundred\r\n\r\n"))
/// ```
///
/// The server adds `Content-Length` or `Transfer-Encoding` (``framed(_:)``), and `Connection: close` if it will close the
/// connection. It sends the given fields unchanged.
public struct MockResponse: Sendable, Nonisolated {
    /// The status; 200 by default.
    public var status: HTTPStatus

    /// The header fields. They are not checked, so that a test can send an invalid response.
    public var fields: HTTPFields

    /// The trailer fields of a chunked body. A ``MockTransport`` omits them.
    public var trailers: HTTPFields = [:]

    /// Responses with a status from 100 to 199 that precede this one. A ``MockTransport`` omits them.
    public var interim: [HTTPResponseHead] = []

    package var framing = Framing.automatic
    package var delay = Duration.zero
    /// The rate of the body; `nil` means no limit.
    package var bytesPerSecond: Int?
    package var closesConnection = false
    package var fault: Fault?
    package var content: Content
    package var form = Form.message

    /// Creates a response from a status, header fields and a body.
    ///
    /// ```swift
    /// MockResponse(status: .created, fields: [.location: "/articles/7"], body: "made")
    /// ```
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The header fields, sent unchanged.
    ///   - body: A single-use body can answer only one request.
    public init(status: HTTPStatus = .ok, fields: HTTPFields = [:], body: HTTPBody = .empty) {
        self.init(status: status, fields: fields, content: .body(body))
    }

    package init(status: HTTPStatus = .ok, fields: HTTPFields = [:], content: Content) {
        self.status = status
        self.fields = fields
        self.content = content
    }

    /// How the client learns the end of the body (RFC 9112 section 6).
    public enum Framing: Sendable, Hashable {
        /// `Content-Length` if the length is known, otherwise chunks.
        case automatic
        /// This `Content-Length`. If it is wrong, the connection is closed after the response.
        case length(Int64)
        /// Chunked transfer coding, without a `Content-Length`.
        case chunked
        /// The end of the connection ends the body.
        case untilClose
    }

    /// An offset in a body, before any chunked coding.
    public enum BodyOffset: Sendable, Hashable {
        /// After this many bytes; 0 is right after the head.
        case bytes(Int)
        /// After this many events of ``MockResponse/events(_:every:)`` and its overloads, or chunks of any other body.
        case events(Int)
    }

    /// The early end of a response.
    package enum Fault: Sendable, Hashable {
        /// The connection is closed (FIN).
        case drop(after: BodyOffset)
        /// The connection is reset (RST).
        case reset(after: BodyOffset)
        /// The connection is closed without a `close_notify` alert.
        case truncate(after: BodyOffset)

        package var offset: BodyOffset {
            switch self {
            case .drop(let offset), .reset(let offset), .truncate(let offset): offset
            }
        }
    }

    /// The source of the body.
    package enum Content: Sendable {
        case body(HTTPBody)
        case chunks([Data], every: Duration)
        /// A number of equal chunks; a `count` of `nil` never ends.
        case filler(size: Int, count: Int?, every: Duration)
        /// Values that are encoded once the API's coding is known.
        case coded(@Sendable (JSONCoding) throws(NetworkError) -> Content)

        package var length: Int64? {
            guard case .body(let body) = self else { return nil }
            return body.length
        }
    }

    /// The announced length, which may be wrong; `nil` without one.
    var announcedLength: Int64? {
        switch framing {
        case .length(let length): length
        case .automatic: content.length
        case .chunked, .untilClose: nil
        }
    }

    /// Returns the response with its values encoded.
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

    package enum Form: Sendable {
        /// A head and a body.
        case message
        /// The body alone, written to the socket unchanged.
        case raw
        /// No response; the connection stays open.
        case hang
        /// No response; the connection ends.
        case noAnswer(Ending)
        /// An error that a transport throws.
        case failure(NetworkError)
        /// A connection to another server, after a response without a body.
        case tunnel(host: String, port: UInt16)
    }

    /// How a connection ends.
    package enum Ending: Sendable, Hashable {
        case close, reset
    }
}
