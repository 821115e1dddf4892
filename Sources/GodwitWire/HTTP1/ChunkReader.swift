import GodwitSupport

/// Reads a body in chunks piece by piece (RFC 9112 section 7.1).
package struct ChunkReader: Sendable {
    /// What the bytes mean.
    package enum Step {
        /// All bytes were taken, and more are needed.
        case incomplete
        /// Bytes of the body.
        case content(UnsafeRawBufferPointer)
        /// The body is complete. Its trailer fields follow the last chunk.
        case end(HTTPFields)
        /// The peer violates HTTP.
        case invalid(String)
        /// The extensions or the trailer fields are larger than this limit.
        case tooLarge(limit: Int)
    }

    private enum State {
        /// The digits of a size; how many there were.
        case size(Int64, digits: Int)
        /// The rest of the line, which is ignored.
        case sizeEnd(Int64, Rest)
        case content(Int64)
        /// The line break after a chunk. Whether its CR was read.
        case contentEnd(hasCR: Bool)
        case trailers
        case end
    }

    /// What was read of a line after its size.
    private enum Rest {
        case blanks, extensions, cr
    }

    /// The most bytes of extensions beyond those of content.
    package static let extensionLimit = 16 << 10
    private var state = State.size(0, digits: 0)
    /// What arrived of the trailer fields.
    private var lines: [UInt8] = []
    private var lineStart = 0
    /// The bytes of extensions, less those of content. Each chunk of one byte could have a large one.
    private var extensions = 0

    /// The most bytes of trailer fields.
    private let trailerLimit: Int
    private let isStrict: Bool

    private var mostDigits: Int { isStrict ? 15 : 16 }

    /// - Parameter isStrict: Whether each line has to end with CR LF, and none continues another.
    package init(trailerLimit: Int = ResponseHeadReader.limit, isStrict: Bool = false) {
        self.trailerLimit = trailerLimit
        self.isStrict = isStrict
    }

    /// Takes bytes from the front. Call it again until it returns `.incomplete` or an end.
    package mutating func next(_ bytes: inout UnsafeRawBufferPointer) -> Step {
        while true {
            guard !bytes.isEmpty else { return .incomplete }
            switch state {
            case .content(let remaining): return takeContent(&bytes, remaining)
            case .trailers: if let step = readTrailers(&bytes) { return step }
            case .end: return .end([:])
            case .size, .sizeEnd, .contentEnd:
                let byte = bytes[0]
                bytes = UnsafeRawBufferPointer(rebasing: bytes[1...])
                if let step = read(byte) { return step }
            }
        }
    }

    private mutating func takeContent(_ bytes: inout UnsafeRawBufferPointer, _ remaining: Int64) -> Step {
        let count = Int(min(Int64(bytes.count), remaining))
        extensions = max(0, extensions - count)
        defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[count...]) }
        state = remaining > count ? .content(remaining - Int64(count)) : .contentEnd(hasCR: false)
        return .content(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }

    /// Reads a byte outside of content and trailer fields.
    private mutating func read(_ byte: UInt8) -> Step? {
        switch state {
        case .size(let size, let digits):
            if let digit = Self.value(ofHexDigit: byte) {
                guard digits < mostDigits, size >> 59 == 0 else { return .invalid("the size of a chunk is too large") }
                state = .size(size << 4 | Int64(digit), digits: digits + 1)
                return nil
            }
            guard digits > 0 else { return .invalid("a chunk has no size") }
            return readSizeEnd(byte, size, after: .blanks)
        case .sizeEnd(let size, let rest): return readSizeEnd(byte, size, after: rest)
        case .contentEnd(let hasCR):
            if byte == 0x0A, hasCR || !isStrict {
                state = .size(0, digits: 0)
                return nil
            }
            guard byte == 0x0D, !hasCR else { return .invalid("a chunk is longer than its size says") }
            state = .contentEnd(hasCR: true)
            return nil
        case .content, .trailers, .end: return nil
        }
    }

    private mutating func readSizeEnd(_ byte: UInt8, _ size: Int64, after rest: Rest) -> Step? {
        if byte == 0x0A, rest == .cr || !isStrict {
            state = size > 0 ? .content(size) : .trailers
            return nil
        }
        guard rest != .cr else { return .invalid("a line with the size of a chunk has a lone CR") }
        if byte == 0x0D {
            state = .sizeEnd(size, .cr)
            return nil
        }
        extensions += 1
        guard extensions <= Self.extensionLimit else { return .tooLarge(limit: Self.extensionLimit) }
        switch byte {
        case UInt8(ascii: ";"): state = .sizeEnd(size, .extensions)
        case _ where rest == .extensions || byte.isBlank: state = .sizeEnd(size, rest)
        default: return .invalid("the size of a chunk is not a number")
        }
        return nil
    }

    private mutating func readTrailers(_ bytes: inout UnsafeRawBufferPointer) -> Step? {
        while let line = FieldLines.next(of: &bytes) {
            lines.append(contentsOf: line)
            guard lines.count <= trailerLimit else { return .tooLarge(limit: trailerLimit) }
            let isBlank = lines[lineStart...].allSatisfy { $0 == 0x0A || $0 == 0x0D }
            if isBlank, lines.count - lineStart <= 2 { return finish() }
            lineStart = lines.count
        }
        lines.append(contentsOf: bytes)
        bytes = UnsafeRawBufferPointer(rebasing: bytes[bytes.count...])
        return lines.count > trailerLimit ? .tooLarge(limit: trailerLimit) : .incomplete
    }

    private mutating func finish() -> Step {
        state = .end
        var fields = FieldCollector(capacity: 0, isStrict: isStrict)
        let fault = lines.withUnsafeBytes { fields.read(linesOf: $0) }
        lines = []
        return fault.map { .invalid($0) } ?? .end(fields.finish())
    }

    private static func value(ofHexDigit byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
