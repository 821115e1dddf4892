import GodwitLibc

/// Reads the heads of HTTP/1 responses piece by piece (RFC 9112 sections 4 to 6). Used for all responses of a connection.
///
/// A head with the bytes of the last one is not parsed again, and a line at the same place with the same bytes isn't either.
package struct ResponseHeadReader: Sendable {
    /// What the bytes mean.
    package enum Step {
        /// The head continues; all bytes were taken.
        case incomplete
        /// An interim head; another one follows.
        case interim(HTTPStatus, HTTPFields)
        /// The head of the final response.
        case complete(HTTP1ResponseHead)
        /// The peer violates HTTP.
        case invalid(String)
        /// The heads are larger than ``limit``.
        case tooLarge
    }

    /// The most bytes that the heads of one response may have, those of interim responses included.
    package static let limit = 256 << 10

    private var pieces = HeadBytes()
    private var size = 0
    private var interims = InterimHeads()
    /// The last head, its bytes, and where its lines end.
    private var last: HTTP1ResponseHead?
    private var lastBytes: [UInt8] = []
    private var lastLineEnds: [Int] = []
    /// Whether the client asked to switch protocols, so that a 101 is a final response.
    package var acceptsSwitch = false

    package init() {}

    /// Whether no byte of a response has arrived.
    package var isEmpty: Bool { size == 0 && pieces.partial.isEmpty }

    /// Prepares for the next response.
    package mutating func reset() {
        size = 0
        interims = InterimHeads()
        acceptsSwitch = false
        pieces.removeAll()
    }

    /// Takes bytes from the front, up to the end of one head.
    package mutating func read(_ bytes: inout UnsafeRawBufferPointer) -> Step {
        guard pieces.partial.isEmpty else { return readPiece(&bytes) }
        if let last = repeated(&bytes) { return last }
        guard let end = HeadBytes.end(of: bytes) else { return readPiece(&bytes) }
        let head = UnsafeRawBufferPointer(rebasing: bytes[..<end])
        bytes = UnsafeRawBufferPointer(rebasing: bytes[end...])
        return parse(head)
    }

    /// Takes a head that has the bytes of the last one.
    private mutating func repeated(_ bytes: inout UnsafeRawBufferPointer) -> Step? {
        guard let last, lastBytes.count <= bytes.count, let start = bytes.baseAddress,
            lastBytes.withUnsafeBytes({ $0.baseAddress.map { memcmp($0, start, lastBytes.count) == 0 } ?? false })
        else { return nil }
        size += lastBytes.count
        guard size <= Self.limit else { return .tooLarge }
        bytes = UnsafeRawBufferPointer(rebasing: bytes[lastBytes.count...])
        return .complete(last)
    }

    private mutating func readPiece(_ bytes: inout UnsafeRawBufferPointer) -> Step {
        if let head = pieces.take(&bytes) { return head.withUnsafeBytes { parse($0) } }
        // What isn't HTTP may never have a blank line.
        guard Self.mayBegin(pieces.partial) else { return .invalid(Self.invalidStatusLine) }
        return size + pieces.partial.count > Self.limit ? .tooLarge : .incomplete
    }

    private static let beginning = Array("HTTP/1.".utf8)
    private static let invalidStatusLine = "Invalid status line: the server may not speak HTTP/1"

    private static func mayBegin(_ bytes: some Sequence<UInt8>) -> Bool {
        zip(bytes, beginning).allSatisfy { $0 == $1 }
    }

    // MARK: A whole head

    private mutating func parse(_ head: UnsafeRawBufferPointer) -> Step {
        size += head.count
        // As in pieces, where the beginning is seen before the size.
        guard size <= Self.limit || Self.mayBegin(head) else { return .invalid(Self.invalidStatusLine) }
        guard size <= Self.limit else { return .tooLarge }
        var rest = head
        guard let first = FieldLines.next(of: &rest), let line = Self.statusLine(FieldLines.withoutEnding(first)) else {
            return .invalid(Self.invalidStatusLine)
        }
        var ends = [first.count]
        var collector = FieldCollector(capacity: 12)
        var canReuse = last != nil && !lastLineEnds.isEmpty
        while let line = FieldLines.next(of: &rest) {
            let text = FieldLines.withoutEnding(line)
            if text.isEmpty { break }
            if canReuse, let field = lastField(at: ends.count, with: line) {
                collector.append(field)
            } else if let fault = collector.read(text) {
                return .invalid(fault)
            }
            // The fields of a folded head are not where its lines are.
            if text[0].isBlank { canReuse = false }
            ends.append(head.count - rest.count)
        }
        let fields = collector.finish()
        if fields.count != ends.count - 1 { ends = [] }
        return finish(head, ends, line.status, fields, line.minorVersion)
    }

    /// The field of the last head that was made of the same line.
    private func lastField(at index: Int, with line: UnsafeRawBufferPointer) -> HTTPField? {
        guard index < lastLineEnds.count, let last, index - 1 < last.fields.count else { return nil }
        let start = lastLineEnds[index - 1]
        guard lastLineEnds[index] - start == line.count, let bytes = line.baseAddress else { return nil }
        let isSame = lastBytes.withUnsafeBytes { lines in
            lines.baseAddress.map { memcmp($0 + start, bytes, line.count) == 0 } ?? false
        }
        return isSame ? last.fields[index - 1] : nil
    }

    private mutating func finish(
        _ bytes: UnsafeRawBufferPointer, _ ends: [Int], _ status: HTTPStatus, _ fields: HTTPFields, _ version: UInt8
    ) -> Step {
        if status.kind == .informational, status.code != 101 || !acceptsSwitch {
            return interims.add(status).map { .invalid($0) } ?? .interim(status, fields)
        }
        let head = HTTP1ResponseHead(status: status, fields: fields, minorVersion: version)
        if let fault = head.fault { return .invalid(fault) }
        // A large head isn't worth its memory. A 101 may be valid once only.
        guard bytes.count <= Self.mostKept, status.code != 101 else { return .complete(head) }
        last = head
        lastLineEnds = ends
        lastBytes.removeAll(keepingCapacity: true)
        lastBytes.append(contentsOf: bytes)
        return .complete(head)
    }

    private static let mostKept = 4 << 10

    /// Reads `HTTP/1.x NNN[ reason]`.
    private static func statusLine(
        _ line: UnsafeRawBufferPointer
    ) -> (status: HTTPStatus, minorVersion: UInt8)? {
        guard line.count >= 12, line.prefix(7).elementsEqual("HTTP/1.".utf8), line[7].isDigit, line[8] == 0x20,
            line.count == 12 || line[12] == 0x20
        else { return nil }
        var code = 0
        for byte in line[9..<12] {
            guard byte.isDigit else { return nil }
            code = code * 10 + Int(byte - 0x30)
        }
        return HTTPStatus(code).map { ($0, line[7] - 0x30) }
    }
}
