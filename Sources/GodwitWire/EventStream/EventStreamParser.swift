/// Reads the bytes of a `text/event-stream` as events, wherever its chunks break (WHATWG HTML, section 9.2.6).
///
/// ```swift
/// var parser = EventStreamParser()
/// parser.append(chunk)
/// while let event = try parser.next() { show(event.data) }        // then the next chunk
/// ```
///
/// - Lines end in LF, CR or CRLF; a byte order mark at the very beginning is passed over.
/// - `data` lines are joined by LF. An event without any is not given out, nor is one whose empty line never comes.
/// - An `id` with NUL in it and a `retry` that is not all digits are passed over, as are comments and unknown fields.
/// - Bytes that are not UTF-8 become U+FFFD.
///
/// Nothing is kept but what is not yet an event, at most the limit for one. An ``APIClient`` does all this for
/// `api.events(…)`; use a parser by itself for bytes that come another way.
public struct EventStreamParser: Sendable {
    /// The most bytes of one event, unless the caller says otherwise: 16 MiB.
    public static let defaultLimit = 16 << 20

    /// A larger buffer is let go once its content was used, so that one large event does not stay in memory.
    private static let keptCapacity = 1 << 20

    private var buffer: [UInt8] = []
    private var assembly: EventAssembly

    /// Makes a parser for one stream.
    ///
    /// - Parameters:
    ///   - lastEventID: The id that an earlier connection ended with.
    ///   - limit: The most bytes of an event's data and the line being read; more throws ``EventTooLarge``.
    public init(lastEventID: String = "", limit: Int = defaultLimit) {
        assembly = EventAssembly(lastEventID: lastEventID, limit: limit)
    }

    /// Gives the parser the next bytes; best once ``next()`` has returned nil.
    ///
    /// - Parameter bytes: What came next, cut anywhere: inside a character or a line ending too.
    public mutating func append(_ bytes: Data) {
        let used = assembly.forgetUsed()
        if used == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptCapacity)
        } else {
            buffer.removeFirst(used)
        }
        bytes.withUnsafeBytes { buffer.append(contentsOf: $0.octets) }
    }

    /// The next event; nil where it takes more bytes.
    ///
    /// Throws ``EventTooLarge``; the parser is then of no more use.
    public mutating func next() throws(EventTooLarge) -> ServerSentEvent? {
        switch buffer.withUnsafeBytes({ assembly.advance(in: $0) }) {
        case .needsMore: return nil
        case .tooLarge: throw EventTooLarge(limit: assembly.limit)
        case .event(let event): return event
        }
    }

    /// The id of the last event that had one; what a client sends as `Last-Event-ID`. Empty where none had.
    ///
    /// Changes with the empty line that ends an event, even if the event has no data.
    public var lastEventID: String { assembly.lastEventID }

    /// The pause before a reconnection that the server asked for last, by `retry`; nil where it never did.
    ///
    /// At most a year.
    public var reconnectionTime: Duration? { assembly.reconnectionTime }
}

/// An event is longer than the limit for one event.
public struct EventTooLarge: Error, Sendable, Hashable {
    /// The most bytes an event may have.
    public let limit: Int

    /// Makes the error.
    ///
    /// - Parameter limit: The limit that was passed, in bytes.
    package init(limit: Int) {
        self.limit = limit
    }
}

extension UnsafeRawBufferPointer {
    /// The same bytes as octets, which collections and strings take in one go.
    var octets: UnsafeBufferPointer<UInt8> { assumingMemoryBound(to: UInt8.self) }

    /// The bytes as a string; what is not UTF-8 becomes U+FFFD.
    var text: String { String(decoding: octets, as: UTF8.self) }

    /// A part of the bytes, counted from its own beginning.
    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }

    /// A number of milliseconds in ASCII digits alone, at most a year; nil for anything else, nothing included.
    var milliseconds: Duration? {
        guard !isEmpty else { return nil }
        var number: Int64 = 0
        for byte in self {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = Swift.min(number * 10 + Int64(byte - UInt8(ascii: "0")), 365 * 86_400_000)
        }
        return .milliseconds(number)
    }
}
