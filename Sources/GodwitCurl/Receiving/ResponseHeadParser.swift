#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitCore
import GodwitSockets

/// Reads a response head, more strictly than libcurl does (RFC 9112 sections 4 to 6).
///
/// libcurl hands over each line as it arrives, also of interim (1xx) responses and trailers. This refuses whatever could let two
/// readers of the same bytes disagree about where a message ends.
struct ResponseHeadParser {
    /// The meaning of the lines.
    enum Step: Equatable {
        /// An interim head; another one follows.
        case interim(HTTPResponseHead)
        /// The fields after the body.
        case trailers
        /// The head of the final response is complete.
        case complete
        /// The peer violates HTTP.
        case invalid(String)
        /// The head is larger than ``limit``.
        case tooLarge
    }

    /// The most bytes all lines of the head may have together, interim responses and trailers included.
    static let limit = 256 << 10

    /// The most interim responses before the final one.
    static let interimLimit = 100

    private var size = 0
    private var interimCount = 0
    private var status = HTTPStatus.ok
    private var fields = HTTPFields()
    /// The last head and its lines. A head with the same bytes is not parsed again (decision 017).
    private var lastLines: [UInt8] = []
    private var lastHead: ResponseHead?
    /// Whether the client asked to switch protocols, so that a 101 is a final response.
    var acceptsSwitch = false
    /// The head, once it is complete.
    private(set) var head: ResponseHead?
    /// The fields that came after the body.
    private(set) var trailers: HTTPFields = [:]

    /// Whether no line of a response has arrived.
    var isEmpty: Bool { size == 0 && head == nil }

    /// Prepares for another response.
    mutating func reset() {
        size = 0
        interimCount = 0
        head = nil
        trailers = [:]
    }

    /// Takes the lines of one head with their endings, the blank one last.
    mutating func read(_ lines: UnsafeRawBufferPointer) -> Step {
        size += lines.count
        guard size <= Self.limit else { return .tooLarge }
        guard head == nil else { return readTrailers(lines) }
        if isRepeated(lines) {
            head = lastHead
            return .complete
        }
        return readNew(lines)
    }

    private func isRepeated(_ lines: UnsafeRawBufferPointer) -> Bool {
        guard lastHead != nil, lines.count == lastLines.count, let bytes = lines.baseAddress else { return false }
        return lastLines.withUnsafeBytes { last in last.baseAddress.map { memcmp($0, bytes, lines.count) == 0 } ?? false
        }
    }

    private mutating func readNew(_ lines: UnsafeRawBufferPointer) -> Step {
        var rest = lines
        var isFirst = true
        while let line = Self.nextLine(of: &rest) {
            let text = Self.withoutLineEnding(line)
            if !isFirst && text.isEmpty { return finish(lines) }
            if let fault = isFirst ? readStatusLine(text) : readField(text) { return .invalid(fault) }
            isFirst = false
        }
        return .invalid("the header does not end")
    }

    /// What is wrong with the line, or nil.
    private mutating func readStatusLine(_ line: UnsafeRawBufferPointer) -> String? {
        // "HTTP/x[.y] NNN[ reason]"
        guard let space = line.firstIndex(of: UInt8(ascii: " ")), line.count >= space + 4,
            line.count == space + 4 || line[space + 4] == UInt8(ascii: " "),
            let status = Self.status(line[(space + 1)..<(space + 4)])
        else { return "the status line is not one of HTTP" }
        self.status = status
        fields = HTTPFields()
        fields.reserveCapacity(12)
        return nil
    }

    private mutating func finish(_ lines: UnsafeRawBufferPointer) -> Step {
        guard status.kind == .informational, status.code != 101 || !acceptsSwitch else {
            if let fault = ContentLength.fault(in: fields) ?? codingFault { return .invalid(fault) }
            head = ResponseHead(status: status, fields: fields)
            lastHead = head
            lastLines.removeAll(keepingCapacity: true)
            lastLines.append(contentsOf: lines)
            return .complete
        }
        guard status.code != 101 else { return .invalid("the server switched protocols without being asked to") }
        interimCount += 1
        guard interimCount <= Self.interimLimit else {
            return .invalid("the server sent more than \(Self.interimLimit) interim responses")
        }
        return .interim(HTTPResponseHead(status: status, fields: fields))
    }

    /// Reads fields after the body; each line may arrive separately.
    private mutating func readTrailers(_ lines: UnsafeRawBufferPointer) -> Step {
        fields = trailers
        var rest = lines
        while let line = Self.nextLine(of: &rest) {
            let text = Self.withoutLineEnding(line)
            if !text.isEmpty, let fault = readField(text) { return .invalid(fault) }
        }
        trailers = fields
        return .trailers
    }

    /// libcurl decodes the chunked coding. Any other, which was not requested, would pass as the body.
    private var codingFault: String? {
        guard fields.contains(.transferEncoding) else { return nil }
        let codings = fields.values(of: .transferEncoding).joined(separator: ",").asciiLowercased
            .split { $0 == "," || $0 == " " || $0 == "\t" }
        return codings == ["chunked"] || codings == ["identity"]
            ? nil : "the transfer coding \"\(codings.joined(separator: ", ").prefix(40))\" is not known"
    }

    /// What is wrong with the line, or nil.
    private mutating func readField(_ line: UnsafeRawBufferPointer) -> String? {
        if Self.isWhiteSpace(line[0]) { return readContinuation(line) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
            return "a header line has no field name"
        }
        guard let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)) else {
            return "a field name is not a token"
        }
        let value = Self.trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
        guard !value.contains(0), !value.contains(0x0D) else { return "a field value holds NUL or CR" }
        fields.append(HTTPField(unchecked: name, value: FieldText.decode(value, for: name)))
        return nil
    }

    /// A folded line is joined to the one before with a space (RFC 9112 section 5.2).
    private mutating func readContinuation(_ line: UnsafeRawBufferPointer) -> String? {
        guard let last = fields.last else { return "the header starts with a folded line" }
        let value = FieldText.decode(Self.trimmed(line), for: last.name)
        let joined = HTTPField(unchecked: last.name, value: last.value + " " + value)
        fields = HTTPFields(fields.dropLast() + [joined])
        return nil
    }

    private static func status(_ digits: Slice<UnsafeRawBufferPointer>) -> HTTPStatus? {
        var code = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            code = code * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return HTTPStatus(code)
    }

    private static func nextLine(of lines: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let end = lines.firstIndex(of: 0x0A) else { return nil }
        defer { lines = UnsafeRawBufferPointer(rebasing: lines[(end + 1)...]) }
        return UnsafeRawBufferPointer(rebasing: lines[...end])
    }

    private static func withoutLineEnding(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = line.count
        if end > 0, line[end - 1] == 0x0A { end -= 1 }
        if end > 0, line[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: line[..<end])
    }

    private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var start = 0
        var end = bytes.count
        while start < end, isWhiteSpace(bytes[start]) { start += 1 }
        while end > start, isWhiteSpace(bytes[end - 1]) { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }
}

/// A response head, and what it says about the body.
struct ResponseHead {
    let status: HTTPStatus
    let fields: HTTPFields
    /// The declared length of the body as it is sent; nil if none is declared, or a transfer coding is used.
    let contentLength: Int64?
    /// Whether the length is declared in two ways, which may differ (RFC 9112 section 6.3).
    let isFramedTwice: Bool
    /// Whether, over HTTP/1, the body ends with the connection (RFC 9112 section 6.3).
    let isDelimitedByEnd: Bool
    /// The value of `Content-Encoding`.
    let contentEncoding: String?

    init(status: HTTPStatus, fields: HTTPFields) {
        self.status = status
        self.fields = fields
        let isTransferCoded = fields.contains(.transferEncoding)
        let declared = ContentLength.value(in: fields)
        contentLength = isTransferCoded ? nil : declared
        isFramedTwice = isTransferCoded && declared != nil
        isDelimitedByEnd =
            declared == nil && fields[.transferEncoding].map { $0.asciiLowercased.contains("chunked") } != true
        contentEncoding = fields[.contentEncoding]
    }
}

/// The declared length of a body (RFC 9112 section 6.3).
enum ContentLength {
    /// Why the fields contradict themselves about the length, or nil.
    static func fault(in fields: HTTPFields) -> String? {
        var first: Substring?
        for field in fields where field.name == .contentLength {
            // One line with one number is nearly every response.
            if first == nil, isNumber(field.value[...]) {
                first = field.value[...]
                continue
            }
            for part in field.value.split(separator: ",", omittingEmptySubsequences: false) {
                let digits = trimmed(part)
                guard isNumber(digits) else { return "Content-Length \"\(field.value.prefix(40))\" is not a length" }
                if let first, first != digits { return "the response has two different lengths" }
                first = digits
            }
        }
        return nil
    }

    /// The length that the fields declare, if they do.
    static func value(in fields: HTTPFields) -> Int64? {
        guard let field = fields.first(where: { $0.name == .contentLength }) else { return nil }
        return Int64(field.value) ?? Int64(trimmed(field.value.split(separator: ",").first ?? ""))
    }

    private static func isNumber(_ digits: Substring) -> Bool {
        !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int64(digits) != nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
#endif
