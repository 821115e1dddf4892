/// Reads the field lines of HTTP/1 heads and trailers (RFC 9112 section 5): the one grammar of them.
///
/// It refuses whatever could let two readers of the same bytes disagree about where a message ends.
package enum FieldLines {
    /// Adds a line without its ending to the fields; not one that continues another. Returns what is wrong with it, or `nil`.
    package static func read(_ line: UnsafeRawBufferPointer, into fields: inout HTTPFields) -> String? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
            return "a header line has no field name"
        }
        guard let name = name(UnsafeRawBufferPointer(rebasing: line[..<colon])) else {
            return "a field name is not a token"
        }
        let value = trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
        guard isValid(value) else { return "a field value holds NUL or CR" }
        fields.append(HTTPField(unchecked: name, value: FieldText.decode(value, for: name)))
        return nil
    }

    /// The next line with its ending, taken from the front of the bytes; `nil` if it is incomplete.
    package static func next(of bytes: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let end = endOfLine(in: bytes, from: 0) else { return nil }
        defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...]) }
        return UnsafeRawBufferPointer(rebasing: bytes[...end])
    }

    /// A line without LF or CR LF at its end.
    package static func withoutEnding(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = line.count
        if end > 0, line[end - 1] == 0x0A { end -= 1 }
        if end > 0, line[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: line[..<end])
    }

    /// The position of the first LF at or after a position.
    package static func endOfLine(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if bytes[index] == 0x0A { return index }
            index += 1
        }
        return nil
    }

    /// The name of these bytes. That of a common field is not made again.
    private static func name(_ bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
        // A name of up to 15 bytes needs no memory.
        if bytes.count > 15, let common = common(bytes) { return common }
        for byte in bytes where !Token.isTokenByte(byte) { return nil }
        return HTTPField.Name(unchecked: String(decoding: bytes, as: UTF8.self))
    }

    private static func common(_ bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
        longNames.first { name in
            name.rawName.withBytes { $0.count == bytes.count && $0.elementsEqual(bytes) }
        }
    }

    static let noLineEnd = "a line does not end with CR LF"

    private static let longNames: [HTTPField.Name] = [
        .contentEncoding, .strictTransportSecurity, .transferEncoding, .wwwAuthenticate, "Content-Security-Policy",
        "X-Content-Type-Options", "Access-Control-Allow-Origin", "content-encoding", "strict-transport-security",
        "x-content-type-options", "access-control-allow-origin", "content-security-policy",
    ]

    fileprivate static func isValid(_ value: UnsafeRawBufferPointer) -> Bool {
        for byte in value where byte == 0 || byte == 0x0D { return false }
        return true
    }

    fileprivate static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var start = 0
        var end = bytes.count
        while start < end, bytes[start].isBlank { start += 1 }
        while end > start, bytes[end - 1].isBlank { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }
}

/// The fields of a head or of trailers, line by line.
struct FieldCollector {
    private var fields = HTTPFields()
    /// The last field, while folded lines continue it. They are copied once: a head may have 100,000 of them.
    private var folded: (name: HTTPField.Name, value: String)?
    /// Whether each line has to end with CR LF, and none continues another.
    private let isStrict: Bool

    init(capacity: Int, isStrict: Bool = false) {
        self.isStrict = isStrict
        fields.reserveCapacity(capacity)
    }

    /// Adds all lines but blank ones. Returns what is wrong with one, or `nil`.
    mutating func read(linesOf bytes: UnsafeRawBufferPointer) -> String? {
        var rest = bytes
        while let line = FieldLines.next(of: &rest) {
            let text = FieldLines.withoutEnding(line)
            if isStrict, text.count + 2 > line.count { return FieldLines.noLineEnd }
            if !text.isEmpty, let fault = read(text) { return fault }
        }
        return nil
    }

    mutating func append(_ field: HTTPField) {
        unfold()
        fields.append(field)
    }

    /// Adds a line without its ending. Returns what is wrong with it, or `nil`.
    mutating func read(_ line: UnsafeRawBufferPointer) -> String? {
        if line[0].isBlank { return isStrict ? "a header line is folded" : readContinuation(line) }
        unfold()
        return FieldLines.read(line, into: &fields)
    }

    /// A folded line is joined to the one before with a space (RFC 9112 section 5.2).
    private mutating func readContinuation(_ line: UnsafeRawBufferPointer) -> String? {
        if folded == nil { folded = fields.removeLast().map { ($0.name, $0.value) } }
        guard let name = folded?.name else { return "the header starts with a folded line" }
        let more = FieldLines.trimmed(line)
        guard FieldLines.isValid(more) else { return "a field value holds NUL or CR" }
        guard !more.isEmpty else { return nil }
        folded?.value += " "
        folded?.value += FieldText.decode(more, for: name)
        return nil
    }

    private mutating func unfold() {
        guard let (name, value) = folded.take() else { return }
        fields.append(HTTPField(unchecked: name, value: value))
    }

    mutating func finish() -> HTTPFields {
        unfold()
        return fields
    }
}
