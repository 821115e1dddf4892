import GodwitCore

/// Splits a `multipart/mixed` body into the bodies of its parts while it arrives (RFC 2046 section 5.1).
struct MixedParts {
    /// A part, or the buffer before the first boundary, is larger than the limit.
    struct TooLarge: Error {
        let limit: Int
    }

    private enum Phase {
        case preamble, part, finished
    }

    /// Bytes of header fields that a part may have.
    private static let longestHead = 16 << 10

    private let delimiter: [UInt8]
    private let limit: Int
    // The first boundary may start the body.
    private var buffer: [UInt8] = [0x0D, 0x0A]
    /// Where the search for the next boundary continues.
    private var searched = 0
    private var phase = Phase.preamble

    init(boundary: String, limit: Int) {
        delimiter = [0x0D, 0x0A] + Array("--\(boundary)".utf8)
        self.limit = limit
    }

    /// Whether the closing boundary has been read.
    var isFinished: Bool { phase == .finished }

    mutating func append(_ chunk: Data) {
        if phase != .finished { buffer += chunk }
    }

    /// The body of the next complete part; `nil` if more bytes are needed.
    mutating func next() throws(TooLarge) -> Data? {
        while phase != .finished, let start = delimiterStart() {
            let rest = start + delimiter.count
            // The bytes after a boundary decide what it is.
            guard buffer.count >= rest + 2 else { break }
            let isLast = buffer[rest] == UInt8(ascii: "-") && buffer[rest + 1] == UInt8(ascii: "-")
            let lineEnd = isLast ? rest + 2 : lineEnd(from: rest)
            guard let lineEnd else { break }
            let body = phase == .part ? Self.body(of: buffer[..<start]) : nil
            buffer.removeFirst(lineEnd)
            searched = 0
            phase = isLast ? .finished : .part
            if let body { return body }
        }
        guard buffer.count <= limit + delimiter.count + Self.longestHead else { throw TooLarge(limit: limit) }
        return nil
    }

    private mutating func delimiterStart() -> Int? {
        var position = searched
        while position + delimiter.count <= buffer.count {
            if buffer[position] == 0x0D, buffer[position..<position + delimiter.count].elementsEqual(delimiter) {
                searched = position
                return position
            }
            position += 1
        }
        searched = position
        return nil
    }

    /// The position of the line break after a boundary, which starts the part's head.
    private func lineEnd(from start: Int) -> Int? {
        var position = start
        while position + 1 < buffer.count {
            if buffer[position] == 0x0D, buffer[position + 1] == 0x0A { return position }
            position += 1
        }
        return nil
    }

    /// What follows the empty line after the header fields. The head starts with the boundary's line break.
    private static func body(of part: ArraySlice<UInt8>) -> Data {
        let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        var position = part.startIndex
        while position + end.count <= part.endIndex, position - part.startIndex < longestHead {
            if part[position..<position + end.count].elementsEqual(end) { return Data(part[(position + end.count)...]) }
            position += 1
        }
        return Data()
    }
}
