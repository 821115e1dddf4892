import GodwitCore

/// Splits a `multipart/mixed` body into the bodies of its parts while it arrives (RFC 2046 section 5.1).
struct MultipartMixedParser {
    /// A part, or the buffer before the first boundary, is larger than the limit.
    struct TooLarge: Error {
        let limit: Int
    }

    private enum Phase {
        case preamble, part
        /// After a boundary: what follows decides whether it is the last one.
        case boundary
        case finished
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
    ///
    /// A part is complete with the boundary after it, also if the line isn't: servers send the rest with the next part.
    mutating func next() throws(TooLarge) -> Data? {
        while phase != .finished {
            if phase == .boundary {
                guard readsBoundary() else { break }
                continue
            }
            guard let start = delimiterStart() else { break }
            // Between two boundaries, as before a closing one of strawberry, there isn't a part.
            let body = phase == .part && start > 0 ? Self.body(of: buffer[..<start]) : nil
            buffer.removeFirst(start + delimiter.count)
            searched = 0
            phase = .boundary
            guard let body else { continue }
            guard body.count <= limit else { throw TooLarge(limit: limit) }
            return body
        }
        guard buffer.count <= limit + delimiter.count + Self.longestHead else { throw TooLarge(limit: limit) }
        return nil
    }

    /// Reads the rest of a boundary's line. Returns `false` if more bytes are needed.
    private mutating func readsBoundary() -> Bool {
        guard buffer.count >= 2 else { return false }
        if buffer[0] == UInt8(ascii: "-"), buffer[1] == UInt8(ascii: "-") {
            (buffer, phase) = ([], .finished)
            return true
        }
        guard let end = lineEnd(from: 0) else { return false }
        buffer.removeFirst(end)
        phase = .part
        return true
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
