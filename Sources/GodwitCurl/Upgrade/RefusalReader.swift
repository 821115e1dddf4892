import GodwitCore

/// Reads the start of the body of a response that refuses an upgrade (RFC 9112 section 6.3): 64 KiB, as an error shows no
/// more. The connection is not used again, so the rest stays unread.
struct RefusalReader {
    private enum Framing {
        /// The bytes still to come; nil means until the connection closes.
        case plain(remaining: Int64?)
        case chunkSize([UInt8])
        case chunk(remaining: Int)
        /// The line break after a chunk.
        case chunkEnd
        case complete
    }

    private var framing: Framing
    private var room = 64 << 10

    init(_ head: ResponseHead) {
        if head.status.forbidsContent || head.contentLength == 0 {
            framing = .complete
        } else if head.fields.contains(.transferEncoding) {
            framing = .chunkSize([])
        } else {
            framing = .plain(remaining: head.contentLength)
        }
    }

    /// Takes what arrived, and passes on the body's bytes; true if nothing more has to be read.
    ///
    /// - Parameter take: Called with bytes of the body; false to stop.
    mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        var rest = bytes
        while room > 0 {
            if case .complete = framing { return true }
            guard !rest.isEmpty else { return false }
            let (used, content) = step(rest)
            if content > 0 {
                guard take(UnsafeRawBufferPointer(rebasing: rest[..<content])) else { return true }
                room -= content
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[used...])
        }
        return true
    }

    /// Reads one element of the framing: how many bytes it has, and how many of them are the body's.
    private mutating func step(_ bytes: UnsafeRawBufferPointer) -> (used: Int, content: Int) {
        switch framing {
        case .plain(let remaining):
            let count = Int(min(Int64(min(bytes.count, room)), remaining ?? .max))
            if let remaining { framing = remaining > count ? .plain(remaining: remaining - Int64(count)) : .complete }
            return (count, count)
        case .chunkSize(var line):
            line.append(bytes[0])
            framing = bytes[0] == 0x0A ? Self.chunk(line) : .chunkSize(line)
            return (1, 0)
        case .chunk(let remaining):
            let count = min(bytes.count, room, remaining)
            framing = remaining > count ? .chunk(remaining: remaining - count) : .chunkEnd
            return (count, count)
        case .chunkEnd:
            if bytes[0] == 0x0A { framing = .chunkSize([]) }
            return (1, 0)
        case .complete:
            return (bytes.count, 0)
        }
    }

    /// An invalid size ends the body: what was read is enough for an error.
    private static func chunk(_ line: [UInt8]) -> Framing {
        let digits = line.prefix { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x66 || $0 >= 0x30 && $0 <= 0x39 }
        guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size > 0 else { return .complete }
        return .chunk(remaining: size)
    }
}
