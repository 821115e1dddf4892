import GodwitCore

/// Reads a response head line by line, more strictly than libcurl does (RFC 9112 sections 4 to 6).
///
/// libcurl hands over each line as it came, of interim (1xx) responses and trailers too. What would let two readers of
/// the same bytes disagree about where a message ends is refused here.
struct ResponseHeadParser {
    /// What a line meant.
    enum Step: Equatable {
        /// More lines belong to the head.
        case more
        /// The head is complete.
        case complete
        /// The peer does not speak HTTP as it should.
        case invalid(String)
        /// The head is larger than ``limit``.
        case tooLarge
    }

    /// The most bytes all lines of the head may have together, interim responses and trailers included.
    static let limit = 256 << 10

    private enum State {
        case statusLine, fields, complete
    }

    private var state = State.statusLine
    private var size = 0
    private(set) var status = HTTPStatus.ok
    private(set) var fields = HTTPFields()

    var isComplete: Bool { state == .complete }

    /// Takes one line, with or without its line ending.
    mutating func read(_ line: UnsafeRawBufferPointer) -> Step {
        size += line.count
        guard size <= Self.limit else { return .tooLarge }
        let content = Self.withoutLineEnding(line)
        switch state {
        case .statusLine: return readStatusLine(content)
        case .fields: return content.isEmpty ? finish() : readField(content)
        // Trailers may be ignored (RFC 9110 section 6.5.1), and are.
        case .complete: return .more
        }
    }

    private mutating func readStatusLine(_ line: UnsafeRawBufferPointer) -> Step {
        // "HTTP/x[.y] NNN[ reason]"
        guard let space = line.firstIndex(of: UInt8(ascii: " ")), line.count >= space + 4,
            line.count == space + 4 || line[space + 4] == UInt8(ascii: " "),
            let status = Self.status(line[(space + 1)..<(space + 4)])
        else { return .invalid("the status line is not one of HTTP") }
        self.status = status
        state = .fields
        fields = HTTPFields()
        fields.reserveCapacity(12)
        return .more
    }

    private mutating func finish() -> Step {
        guard status.kind == .informational else {
            if let fault = ContentLength.fault(in: fields) ?? codingFault { return .invalid(fault) }
            state = .complete
            return .complete
        }
        // The next status line belongs to the final response.
        state = .statusLine
        return status.code == 101 ? .invalid("the server switched protocols without being asked to") : .more
    }

    /// libcurl undoes the chunked coding; what is behind any other, which nobody asked for, would pass as content.
    private var codingFault: String? {
        guard fields.contains(.transferEncoding) else { return nil }
        let codings = fields.values(of: .transferEncoding).joined(separator: ",").asciiLowercased
            .split { $0 == "," || $0 == " " || $0 == "\t" }
        return codings == ["chunked"] || codings == ["identity"]
            ? nil : "the transfer coding \"\(codings.joined(separator: ", "))\" is not known"
    }

    private mutating func readField(_ line: UnsafeRawBufferPointer) -> Step {
        if Self.isWhiteSpace(line[0]) { return readContinuation(line) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
            return .invalid("a header line has no field name")
        }
        let name = Self.text(UnsafeRawBufferPointer(rebasing: line[..<colon]))
        guard let name = HTTPField.Name(name) else { return .invalid("a field name is not a token") }
        let value = Self.trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
        guard !value.contains(0), !value.contains(0x0D) else { return .invalid("a field value holds NUL or CR") }
        fields.append(Self.text(value), for: name)
        return .more
    }

    /// A folded line is joined to the one before with a space (RFC 9112 section 5.2).
    private mutating func readContinuation(_ line: UnsafeRawBufferPointer) -> Step {
        guard let last = fields.last else { return .invalid("the header begins with a folded line") }
        let joined = HTTPField(unchecked: last.name, value: last.value + " " + Self.text(Self.trimmed(line)))
        fields = HTTPFields(fields.dropLast() + [joined])
        return .more
    }

    private static func status(_ digits: Slice<UnsafeRawBufferPointer>) -> HTTPStatus? {
        var code = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            code = code * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return HTTPStatus(code)
    }

    /// UTF-8, or else Latin-1, which every byte sequence is (RFC 9110 section 5.5).
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        var highBits: UInt8 = 0
        for byte in bytes { highBits |= byte }
        if highBits < 0x80 { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
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
