/// Reads the heads of HTTP/1 requests piece by piece (RFC 9112 sections 2 to 6), as strictly as a server may.
package struct RequestHeadReader: Sendable {
    /// What the bytes mean.
    package enum Step {
        /// The head continues; all bytes were taken.
        case incomplete
        case complete(HTTP1RequestHead)
        case refused(RequestFault)
    }

    private let limit: Int
    private var pieces = HeadBytes()

    /// How many bytes of heads in pieces were searched for their ends.
    package var searchedCount: Int { pieces.searchedCount }

    /// - Parameter limit: The most bytes of a head.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Takes bytes from the front, up to the end of one head.
    package mutating func read(_ bytes: inout UnsafeRawBufferPointer) -> Step {
        while let head = pieces.take(&bytes) {
            if let fault = fault(in: head) { return .refused(fault) }
            // Blank lines before a request are ignored (RFC 9112 section 2.2).
            var start = 0
            while head[start...].starts(with: [0x0D, 0x0A]) { start += 2 }
            guard start < head.count else { continue }
            return head.withUnsafeBytes { bytes in
                do throws(RequestFault) {
                    return .complete(try HTTP1RequestHead(lines: UnsafeRawBufferPointer(rebasing: bytes[start...])))
                } catch {
                    return .refused(error)
                }
            }
        }
        return fault(in: pieces.partial).map { .refused($0) } ?? .incomplete
    }

    private func fault(in head: [UInt8]) -> RequestFault? {
        // What isn't HTTP may never have a blank line: a client that speaks TLS waits for an answer.
        if let first = head.first(where: { $0 != 0x0D && $0 != 0x0A }), !Token.isTokenByte(first) {
            return .noRequestLine
        }
        return head.count > limit ? .tooLarge : nil
    }
}

/// The head of a request, and what it says about its body and its connection.
package struct HTTP1RequestHead: Sendable {
    package let method: HTTPMethod
    package let target: String
    package let fields: HTTPFields
    /// Never until the connection closes.
    package let framing: BodyFraming
    /// Whether the client uses HTTP/1.0, which has neither chunks nor interim responses.
    package let isHTTP10: Bool

    package init(
        method: HTTPMethod, target: String, fields: HTTPFields, framing: BodyFraming, isHTTP10: Bool = false
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.framing = framing
        self.isHTTP10 = isHTTP10
    }

    /// Whether the client waits for a 100 before it sends the body (RFC 9110 section 10.1.1).
    package var expectsContinue: Bool {
        framing != .none && !isHTTP10 && fields[.expect]?.equalsIgnoringASCIICase("100-continue") == true
    }

    /// Whether the connection may serve another request (RFC 9112 section 9.3).
    package var keepsAlive: Bool { fields.keepsConnection(isHTTP10: isHTTP10) }
}

/// Why a request is invalid, with the status of the response.
package struct RequestFault: Error, Sendable, Hashable {
    package let status: HTTPStatus
    package let reason: String

    package init(_ reason: String, status: HTTPStatus = .badRequest) {
        self.reason = reason
        self.status = status
    }

    static let noRequestLine = RequestFault("the request line has no method, target and version")
    package static let tooLarge = RequestFault("the head is too large", status: HTTPStatus(431) ?? .badRequest)
}

extension HTTP1RequestHead {
    /// Reads a whole head without blank lines before it.
    fileprivate init(lines: UnsafeRawBufferPointer) throws(RequestFault) {
        var rest = lines
        let first = FieldLines.next(of: &rest) ?? lines
        let line = FieldLines.withoutEnding(first)
        guard line.count + 2 == first.count else { throw RequestFault(FieldLines.noLineEnd) }
        (method, target, isHTTP10) = try Self.requestLine(line)
        var collector = FieldCollector(capacity: 12, isStrict: true)
        if let fault = collector.read(linesOf: rest) { throw RequestFault(fault) }
        fields = collector.finish()
        guard isHTTP10 || fields.values(of: .host).count == 1 else {
            throw RequestFault("exactly one Host field is required")
        }
        framing = try Self.framing(fields, isHTTP10)
    }

    private static func requestLine(
        _ line: UnsafeRawBufferPointer
    ) throws(RequestFault) -> (method: HTTPMethod, target: String, isHTTP10: Bool) {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        let words = parts.map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 3, let method = HTTPMethod(words[0]) else {
            throw .noRequestLine
        }
        guard parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F }), isTarget(words[1], method) else {
            throw RequestFault("\"\(words[1])\" is not a request target")
        }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
            throw RequestFault("the version must be HTTP/1.1 or HTTP/1.0")
        }
        return (method, words[1], words[2] == "HTTP/1.0")
    }

    /// Whether the target has one of the four forms of RFC 9112 section 3.2.
    private static func isTarget(_ target: String, _ method: HTTPMethod) -> Bool {
        if method == .connect { return !target.hasPrefix("/") && target.contains(":") }
        if target == "*" { return method == .options }
        return (target.hasPrefix("/") || target.hasPrefix("http://") || target.hasPrefix("https://"))
            && !target.contains("#")
    }

    private static func framing(_ fields: HTTPFields, _ isHTTP10: Bool) throws(RequestFault) -> BodyFraming {
        if let fault = ContentLength.fault(in: fields) { throw RequestFault(fault) }
        let length = ContentLength.value(in: fields)
        guard fields.contains(.transferEncoding) else { return length.map { $0 == 0 ? .none : .length($0) } ?? .none }
        guard length == nil else { throw RequestFault("Content-Length is combined with Transfer-Encoding") }
        guard !isHTTP10 else { throw RequestFault("HTTP/1.0 has no Transfer-Encoding") }
        let codings = fields.words(of: .transferEncoding)
        guard codings == ["chunked"] else {
            throw RequestFault("the transfer coding \(codings) is not supported", status: .notImplemented)
        }
        return .chunked
    }
}
