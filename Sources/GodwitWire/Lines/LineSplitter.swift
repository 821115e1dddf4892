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
    /// The first unread index of the chunk.
    private var position: Data.Index

    /// The beginning of a line whose end is not here yet.
    private var partial = Data()
    /// Whether the last line ended in CR, so that an LF coming now belongs to it.
    private var isAfterCarriageReturn = false
    private var isAtStart = true

    /// Makes a splitter that refuses lines of more bytes than the limit.
    package init(limit: Int, style: LineStyle = .text) {
        self.limit = limit
        self.style = style
        position = chunk.startIndex
    }

    /// Adds what came next. Read all lines before the next chunk; what is unread is copied.
    package mutating func append(_ next: Data) {
        chunk = position < chunk.endIndex ? chunk[position...] + next : next
        position = chunk.startIndex
    }

    /// The next whole line; nil where more bytes are needed. After ``LineTooLong`` the stream cannot be read on.
    package mutating func next() throws(LineTooLong) -> Data? {
        while let line = try nextOfAnyKind() {
            if !isSkipped(line) { return line }
        }
        return nil
    }

    /// What is left when no more bytes come: lines not yet read, then the last one if it has no ending, then nil.
    package mutating func finish() throws(LineTooLong) -> Data? {
        if let line = try next() { return line }
        guard !partial.isEmpty else { return nil }
        let line = cleaned(partial)
        partial = Data()
        return line.isEmpty || isSkipped(line) ? nil : line
    }

    private func isSkipped(_ line: Data) -> Bool {
        style == .jsonLines && line.allSatisfy(\.isBlank)
    }

    private mutating func nextOfAnyKind() throws(LineTooLong) -> Data? {
        if isAfterCarriageReturn, position < chunk.endIndex {
            isAfterCarriageReturn = false
            if chunk[position] == 0x0A { position += 1 }
        }
        guard let end = endOfLine() else {
            try keepRest()
            return nil
        }
        return try cut(at: end)
    }

    private func endOfLine() -> Data.Index? {
        let start = position - chunk.startIndex
        let offset = chunk.withUnsafeBytes { bytes in
            switch style {
            case .text: ByteSearch.first(of: 0x0A, or: 0x0D, in: bytes, from: start)
            case .jsonLines: ByteSearch.first(of: 0x0A, or: 0x0A, in: bytes, from: start)
            }
        }
        return offset.map { chunk.startIndex + $0 }
    }

    private mutating func cut(at end: Data.Index) throws(LineTooLong) -> Data {
        try checkLength(upTo: end)
        let line: Data
        if partial.isEmpty {
            line = chunk.subdata(in: position..<end)
        } else {
            partial.append(chunk[position..<end])
            line = partial
            partial = Data()
        }
        isAfterCarriageReturn = chunk[end] == 0x0D
        position = end + 1
        return cleaned(line)
    }

    private mutating func keepRest() throws(LineTooLong) {
        guard position < chunk.endIndex else { return }
        try checkLength(upTo: chunk.endIndex)
        partial.append(chunk[position...])
        chunk = Data()
        position = chunk.startIndex
    }

    /// Refuses a line that is too long already; a CR at its end may yet turn out to belong to the ending.
    private func checkLength(upTo end: Data.Index) throws(LineTooLong) {
        var length = partial.count + (end - position)
        let last = end > position ? chunk[end - 1] : partial.last
        if style == .jsonLines, last == 0x0D { length -= 1 }
        guard length <= limit else { throw LineTooLong(limit: limit) }
    }

    /// The line without a byte order mark before it or a CR behind it.
    private mutating func cleaned(_ line: Data) -> Data {
        var line = line
        if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = Data(line.dropFirst(3)) }
        isAtStart = false
        if style == .jsonLines, line.last == 0x0D { line.removeLast() }
        return line
    }
}
