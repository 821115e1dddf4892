import GodwitCore

/// The bytes of a response head, and the framing of the body.
struct ResponseHead: Sendable {
    /// How the body is written.
    enum Writing: Sendable, Hashable {
        case nothing
        case plain
        case chunked
    }

    let bytes: Data
    let writing: Writing
    /// The announced `Content-Length`, which may be wrong.
    let length: Int64?
    /// Whether the connection ends after the response.
    let closes: Bool

    init(_ response: MockResponse, to request: HTTP1RequestHead, closing: Bool) {
        let fields = Self.framed(response, isHTTP10: request.isHTTP10)
        let hasContent = request.method != .head && !response.status.forbidsContent
        let isChunked = fields.contains(.transferEncoding)
        length = fields[.contentLength].flatMap { Int64($0) }
        closes = closing || response.closesConnection || (hasContent && !isChunked && length == nil)
        writing = !hasContent ? .nothing : isChunked ? .chunked : .plain
        let connection = closes ? "close" : request.isHTTP10 ? "keep-alive" : nil
        var writer = HeadWriter()
        if !request.isHTTP10 { for head in response.interim { writer.response(head.status, head.fields) } }
        writer.response(response.status, Self.adding(connection, to: fields))
        bytes = Data(writer.bytes)
    }

    /// The bytes of a head without a body.
    static func head(_ status: HTTPStatus, _ fields: HTTPFields) -> Data {
        var writer = HeadWriter()
        writer.response(status, fields)
        return Data(writer.bytes)
    }

    /// Adds the framing fields, unless the response has its own.
    private static func framed(_ response: MockResponse, isHTTP10: Bool) -> HTTPFields {
        var fields = response.fields
        guard !fields.contains(.contentLength), !fields.contains(.transferEncoding), response.status != .noContent,
            response.status != .notModified
        else { return fields }
        switch framing(response, isHTTP10: isHTTP10) {
        case .length(let length): fields[.contentLength] = "\(length)"
        case .chunked: fields[.transferEncoding] = "chunked"
        case .automatic, .untilClose: break
        }
        return fields
    }

    private static func adding(_ connection: String?, to fields: HTTPFields) -> HTTPFields {
        guard let connection, !fields.contains(.connection) else { return fields }
        var fields = fields
        fields[.connection] = connection
        return fields
    }

    private static func framing(_ response: MockResponse, isHTTP10: Bool) -> MockResponse.Framing {
        switch response.framing {
        case .automatic:
            if let length = response.content.length { return .length(length) }
            return isHTTP10 ? .untilClose : .chunked
        case .chunked: return isHTTP10 ? .untilClose : .chunked
        case let framing: return framing
        }
    }

    /// A chunk (RFC 9112 section 7.1).
    static func chunk(_ piece: Data) -> Data {
        Data("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Data("\r\n".utf8)
    }

    /// The end of a chunked body.
    static func lastChunk(_ trailers: HTTPFields) -> Data {
        var writer = HeadWriter()
        writer.endChunks(trailers)
        return Data(writer.bytes)
    }
}
