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
    private var status = HTTPStatus.ok
    private var fields = HTTPFields()
    private var hasFolds = false
    private var memory = HeadMemory()
    /// How many lines were the same as last time; nil once one was not.
    private var repeated: Int? = 0
    /// Whether the client asked to switch protocols, so that a 101 is an answer.
    var acceptsSwitch = false
    /// What was read, once it is complete.
    private(set) var head: ResponseHead?

    /// Gets ready for another response.
    mutating func reset() {
        state = .statusLine
        size = 0
        hasFolds = false
        head = nil
        repeated = 0
    }

    /// Takes one line, with or without its line ending.
    mutating func read(_ line: UnsafeRawBufferPointer) -> Step {
        size += line.count
        guard size <= Self.limit else { return .tooLarge }
        // Trailers may be ignored (RFC 9110 section 6.5.1), and are.
        guard state != .complete else { return .more }
        if let count = repeated {
            if memory.holds(line, at: count) { return repeatLine(count + 1) }
            recall(count)
        }
        memory.append(line)
        return readNew(Self.withoutLineEnding(line))
    }

    private mutating func repeatLine(_ count: Int) -> Step {
        repeated = count
        guard memory.isWhole(count) else { return .more }
        head = memory.head
        state = .complete
        return .complete
    }

    /// From this line on the head differs from the last one: goes on from what they have in common.
    private mutating func recall(_ count: Int) {
        repeated = nil
        if count > 0, let known = memory.head {
            status = known.status
            // The first line is the status line, and each other one is a field.
            fields = HTTPFields(known.fields.prefix(count - 1))
            state = .fields
        }
        memory.keep(count)
    }

    private mutating func readNew(_ line: UnsafeRawBufferPointer) -> Step {
        switch state {
        case .statusLine: readStatusLine(line)
        case .fields: line.isEmpty ? finish() : readField(line)
        case .complete: .more
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
        guard status.kind == .informational, status.code != 101 || !acceptsSwitch else {
            if let fault = ContentLength.fault(in: fields) ?? codingFault { return .invalid(fault) }
            state = .complete
            head = ResponseHead(status: status, fields: fields)
            // Folded lines are not fields of their own, so such a head cannot be recalled line by line.
            memory.head = hasFolds ? nil : head
            return .complete
        }
        // The next status line belongs to the final response.
        state = .statusLine
        memory.keep(0)
        return status.code == 101 ? .invalid("the server switched protocols without being asked to") : .more
    }

    /// libcurl undoes the chunked coding; what is behind any other, which nobody asked for, would pass as content.
    private var codingFault: String? {
        guard fields.contains(.transferEncoding) else { return nil }
        let codings = fields.values(of: .transferEncoding).joined(separator: ",").asciiLowercased
            .split { $0 == "," || $0 == " " || $0 == "\t" }
        return codings == ["chunked"] || codings == ["identity"]
            ? nil : "the transfer coding \"\(codings.joined(separator: ", ").prefix(40))\" is not known"
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
        fields.append(HTTPField(unchecked: name, value: Self.text(value)))
        return .more
    }

    /// A folded line is joined to the one before with a space (RFC 9112 section 5.2).
    private mutating func readContinuation(_ line: UnsafeRawBufferPointer) -> Step {
        guard let last = fields.last else { return .invalid("the header begins with a folded line") }
        let joined = HTTPField(unchecked: last.name, value: last.value + " " + Self.text(Self.trimmed(line)))
        fields = HTTPFields(fields.dropLast() + [joined])
        hasFolds = true
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
