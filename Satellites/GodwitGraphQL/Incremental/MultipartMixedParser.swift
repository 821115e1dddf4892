import GodwitCore
import GodwitSupport

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
    /// The bytes before were read. They stay until there are as many as others, so that each byte is moved once or twice.
    private var start = 0
    /// Where the search for the next boundary, or the end of its line, continues. No byte is searched twice.
    private var searched = 0
    private var phase = Phase.preamble
    /// How many bytes were searched.
    private(set) var searchedCount = 0

    init(boundary: String, limit: Int) {
        delimiter = [0x0D, 0x0A] + Array("--\(boundary)".utf8)
        self.limit = limit
    }

    /// Whether the closing boundary has been read.
    var isFinished: Bool { phase == .finished }

    mutating func append(_ chunk: Data) {
        guard phase != .finished else { return }
        if start >= buffer.count - start {
            buffer.removeFirst(start)
            searched -= start
            start = 0
        }
        buffer += chunk
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
            guard let end = search(delimiter) else { break }
            // Between two boundaries, as before a closing one of strawberry, there isn't a part.
            let body = phase == .part && end > start ? Self.body(of: buffer[start..<end]) : nil
            skip(to: end + delimiter.count)
            phase = .boundary
            guard let body else { continue }
            guard body.count <= limit else { throw TooLarge(limit: limit) }
            return body
        }
        guard buffer.count - start <= limit.saturatingAdding(delimiter.count + Self.longestHead) else {
            throw TooLarge(limit: limit)
        }
        return nil
    }

    /// Reads the rest of a boundary's line. Returns `false` if more bytes are needed.
    private mutating func readsBoundary() -> Bool {
        guard buffer.count - start >= 2 else { return false }
        if buffer[start] == UInt8(ascii: "-"), buffer[start + 1] == UInt8(ascii: "-") {
            buffer = []
            start = 0
            searched = 0
            phase = .finished
            return true
        }
        // The line break starts the part's head.
        guard let end = search([0x0D, 0x0A]) else { return false }
        skip(to: end)
        phase = .part
        return true
    }

    /// Finds bytes that start with the only CR in them.
    private mutating func search(_ wanted: [UInt8]) -> Int? {
        let end = buffer.count - wanted.count + 1
        guard searched < end else { return nil }
        let found = buffer.withUnsafeBufferPointer { bytes in
            (searched..<end).first { bytes[$0] == 0x0D && bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
        }
        searchedCount += (found ?? end) - searched
        searched = found ?? end
        return found
    }

    private mutating func skip(to position: Int) {
        start = position
        searched = position
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
