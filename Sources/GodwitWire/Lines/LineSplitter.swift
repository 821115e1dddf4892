/// Cuts chunks of bytes into lines, wherever the chunks break.
///
/// ```swift
/// var splitter = LineSplitter(limit: 65_536)
/// splitter.append(chunk)
/// while let line = try splitter.next() { … }       // then the next chunk
/// while let line = try splitter.finish() { … }     // at the end of the stream
/// ```
///
/// A line is handed out without its ending. It is decoded as a whole, so a character whose bytes came in two chunks is
/// never broken. A byte order mark at the very beginning is taken off. A line inside one chunk is copied once; one that
/// spans chunks is gathered, never searched twice.
package struct LineSplitter: Sendable {
    private let limit: Int
    private let style: LineStyle

    private var chunk = Data()
    /// How much of the chunk has been read.
    private var offset = 0

    /// The beginning of a line whose end is not here yet.
    private var partial = Data()
    /// Whether the last line ended in CR, so that an LF coming now belongs to it.
    private var isAfterCarriageReturn = false
    private var isAtStart = true

    /// Makes a splitter that refuses lines of more bytes than the limit.
    package init(limit: Int, style: LineStyle = .text) {
        self.limit = limit
        self.style = style
    }

    /// Adds what came next. Read all lines before the next chunk; what is unread is copied.
    package mutating func append(_ next: Data) {
        chunk = offset < chunk.count ? chunk.dropFirst(offset) + next : next
        offset = 0
    }

    /// The next whole line; nil where more bytes are needed. After ``LineTooLong`` the stream cannot be read on.
    package mutating func next() throws(LineTooLong) -> Data? {
        while true {
            let piece = nextPiece()
            try checkLength(with: piece)
            if piece.next > offset { isAfterCarriageReturn = piece.ending == LinePiece.carriageReturn }
            offset = piece.next
            guard piece.ending != nil else {
                partial.append(piece.content)
                return nil
            }
            let line = completed(with: piece.content)
            if !(style == .jsonLines && isBlank(line)) { return line }
        }
    }

    /// What is left when no more bytes come: lines not yet read, then the last one if it has no ending, then nil.
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

    /// Refuses a line that is too long already; a CR at its end may yet turn out to belong to the ending.
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

    /// The line that ends with this content, without a byte order mark before it or a CR behind it.
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
