import GodwitSupport

/// Splits bytes into lines across chunks of any size.
///
/// ```swift
/// var splitter = LineSplitter(limit: 65_536)
/// splitter.append(chunk)
/// while let line = try splitter.next() { … }       // then the next chunk
/// while let line = try splitter.finish() { … }     // at the end of the stream
/// ```
///
/// Lines are returned without their endings. A character split between chunks stays whole. A leading byte order mark is
/// removed. A line within one chunk is copied once; a line across chunks is buffered and never searched twice.
package struct LineSplitter: Sendable {
    private let limit: Int
    private let style: LineStyle

    private var chunk = Data()
    /// How much of the chunk was read.
    private var offset = 0

    /// The start of an incomplete line.
    private var partial = Data()
    /// Whether the last line ended in CR, so that a following LF belongs to it.
    private var isAfterCarriageReturn = false
    private var isAtStart = true
    /// How many bytes were searched for ends of lines.
    package private(set) var searchedCount = 0

    /// Creates a splitter that throws for lines over `limit` bytes.
    package init(limit: Int, style: LineStyle = .text) {
        self.limit = limit
        self.style = style
    }

    /// Adds the next chunk. Read all lines first: unread bytes are copied.
    package mutating func append(_ next: Data) {
        chunk = offset < chunk.count ? chunk.dropFirst(offset) + next : next
        offset = 0
    }

    /// The next complete line; `nil` if more bytes are needed. After ``LineTooLong``, the splitter can't be used.
    package mutating func next() throws(LineTooLong) -> Data? {
        while true {
            let piece = nextPiece()
            try checkLength(with: piece)
            if piece.next > offset { isAfterCarriageReturn = piece.ending == LinePiece.carriageReturn }
            searchedCount += piece.next - offset
            offset = piece.next
            guard piece.ending != nil else {
                partial.append(piece.content)
                return nil
            }
            let line = completed(with: piece.content)
            if !(style == .jsonLines && isBlank(line)) { return line }
        }
    }

    /// The remaining lines at the end of the stream: complete ones, then one without an ending, then `nil`.
    package mutating func finish() throws(LineTooLong) -> Data? {
        if let line = try next() { return line }
        let line = completed(with: Data())
        return line.isEmpty || style == .jsonLines && isBlank(line) ? nil : line
    }

    private func nextPiece() -> LinePiece {
        let (start, style, isAfterCarriageReturn) = (offset, style, isAfterCarriageReturn)
        return chunk.withUnsafeBytes { bytes in
            let isSecondHalf = isAfterCarriageReturn && start < bytes.count && bytes[start] == LinePiece.lineFeed
            return LinePiece(in: bytes, from: isSecondHalf ? start + 1 : start, style: style)
        }
    }

    /// Throws if the line is already too long. A CR at its end may turn out to belong to the ending.
    private func checkLength(with piece: LinePiece) throws(LineTooLong) {
        let length = partial.count + piece.content.count
        guard length > limit else { return }
        let last = piece.content.last ?? partial.last
        guard style == .jsonLines, last == LinePiece.carriageReturn, length == limit.saturatingAdding(1) else {
            throw LineTooLong(limit: limit)
        }
    }

    private func isBlank(_ line: Data) -> Bool {
        line.withUnsafeBytes { bytes in bytes.allSatisfy(\.isBlank) }
    }

    /// The line that ends with this content, without a leading byte order mark or trailing CR.
    private mutating func completed(with content: Data) -> Data {
        var line = content
        if !partial.isEmpty {
            partial.append(content)
            line = partial
            partial = Data()
        }
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = Data(line.dropFirst(3)) }
        }
        if style == .jsonLines, line.last == LinePiece.carriageReturn { line.removeLast() }
        return line
    }
}

/// The bytes of a chunk up to the next line ending, or to its end.
struct LinePiece {
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D

    /// A copy of the bytes before the ending.
    let content: Data
    /// LF or CR; `nil` if the line continues in the next chunk.
    let ending: UInt8?
    /// The offset after the ending.
    let next: Int

    init(in bytes: UnsafeRawBufferPointer, from start: Int, style: LineStyle) {
        let other = style == .text ? Self.carriageReturn : Self.lineFeed
        let found = ByteSearch.first(of: Self.lineFeed, or: other, in: bytes, from: start)
        let end = found ?? bytes.count
        content = Data(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        ending = found.map { bytes[$0] }
        next = found.map { $0 + 1 } ?? end
    }
}

/// Which bytes end a line.
package enum LineStyle: Sendable, Hashable {
    /// LF, CRLF and CR each end a line; empty lines count. For plain text and event streams.
    case text

    /// LF ends a line, with an optional CR before it; blank lines are skipped. For NDJSON.
    case jsonLines
}

/// A line is longer than the limit for one line.
package struct LineTooLong: Error, Sendable, Hashable {
    /// Maximum bytes of a line, without its ending.
    package let limit: Int

    package init(limit: Int) {
        self.limit = limit
    }
}

/// Finds control characters in memory, eight bytes at a time.
enum ByteSearch {
    /// The offset of the first byte from `start` that equals one of two bytes, both below 0x7F.
    static func first(
        of one: UInt8, or other: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int
    ) -> Int? {
        let ones = UInt64(one) &* lowBits
        let others = UInt64(other) &* lowBits
        // Control characters are rare in text: one test skips words without a byte as small as the two.
        let bounds = (UInt64(max(one, other)) + 1) &* lowBits
        var offset = start
        while offset + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            if (word &- bounds) & ~word & highBits != 0 {
                let found = zeroBytes(in: word ^ ones) | zeroBytes(in: word ^ others)
                if found != 0 { return offset + found.trailingZeroBitCount / 8 }
            }
            offset += 8
        }
        while offset < bytes.count {
            if bytes[offset] == one || bytes[offset] == other { return offset }
            offset += 1
        }
        return nil
    }

    private static let lowBits: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Sets the high bit of each zero byte. A borrow may set wrong bits above the first zero byte, never below.
    private static func zeroBytes(in word: UInt64) -> UInt64 {
        (word &- lowBits) & ~word & highBits
    }
}
