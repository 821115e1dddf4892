#if os(Linux)
import GodwitCore
import GodwitSockets

/// Reads the start of the body of a response that refuses an upgrade (RFC 9112 section 6.3): 64 KiB, as an error shows no
/// more. The connection is not used again, so the rest stays unread.
struct RefusalReader {
    private enum Framing {
        /// The bytes still to come; nil means until the connection closes.
        case plain(remaining: Int64?)
        /// The size so far; nil if it is too large. `isComplete` after its digits.
        case chunkSize(Int?, isComplete: Bool)
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
            framing = .chunkSize(0, isComplete: false)
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
            // The framing counts too: a line of it may never end.
            room -= used
            if content > 0 {
                guard take(UnsafeRawBufferPointer(rebasing: rest[..<content])) else { return true }
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
        case .chunkSize(let size, let isComplete):
            framing = Self.chunkSize(size, isComplete, bytes[0])
            return (1, 0)
        case .chunk(let remaining):
            let count = min(bytes.count, room, remaining)
            framing = remaining > count ? .chunk(remaining: remaining - count) : .chunkEnd
            return (count, count)
        case .chunkEnd:
            if bytes[0] == 0x0A { framing = .chunkSize(0, isComplete: false) }
            return (1, 0)
        case .complete:
            return (bytes.count, 0)
        }
    }

    /// Takes one byte of the line before a chunk. An invalid size ends the body: what was read is enough for an error.
    private static func chunkSize(_ size: Int?, _ isComplete: Bool, _ byte: UInt8) -> Framing {
        if byte == 0x0A { return size.map { $0 > 0 ? .chunk(remaining: $0) : .complete } ?? .complete }
        guard !isComplete, let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
            return .chunkSize(size, isComplete: true)
        }
        let (high, overflows) = (size ?? 0).multipliedReportingOverflow(by: 16)
        return .chunkSize(size == nil || overflows ? nil : high | digit, isComplete: false)
    }
}
#endif
