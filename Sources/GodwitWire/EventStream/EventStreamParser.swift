/// Parses a `text/event-stream` in chunks of any size (WHATWG HTML, section 9.2.6).
///
/// ```swift
/// var parser = EventStreamParser()
/// parser.append(chunk)
/// while let event = try parser.next() { show(event.data) }        // then the next chunk
/// ```
///
/// - Lines end in LF, CR or CRLF. A leading byte order mark is skipped.
/// - `data` lines are joined by LF. An event without data, or without its closing empty line, isn't returned.
/// - An `id` with NUL and a `retry` with anything but digits are ignored, like comments and unknown fields.
/// - Bytes that aren't UTF-8 become U+FFFD.
///
/// Keeps only the incomplete event, up to the limit. ``APIClient`` parses streams for you with `api.events(…)`; use a
/// parser directly for bytes from another source.
public struct EventStreamParser: Sendable {
    /// The default limit of one event: 16 MiB.
    public static let defaultLimit = 16 << 20

    /// A larger buffer is freed after use, so that one large event doesn't stay in memory.
    private static let keptCapacity = 1 << 20

    private var buffer: [UInt8] = []
    private var assembly: EventAssembly

    /// Creates a parser for one stream.
    ///
    /// - Parameters:
    ///   - lastEventID: The last event ID of an earlier connection.
    ///   - limit: Maximum bytes of an event's data and the line being read. More throws ``EventTooLarge``.
    public init(lastEventID: String = "", limit: Int = defaultLimit) {
        assembly = EventAssembly(lastEventID: lastEventID, limit: limit)
    }

    /// Adds the next bytes. Fastest after ``next()`` has returned `nil`.
    ///
    /// - Parameter bytes: The next chunk. It may end inside a character or a line ending.
    public mutating func append(_ bytes: Data) {
        let used = assembly.dropConsumed()
        if used == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptCapacity)
        } else {
            buffer.removeFirst(used)
        }
        bytes.withUnsafeBytes { buffer.append(contentsOf: $0.octets) }
    }

    /// The next event; `nil` if more bytes are needed.
    ///
    /// Throws ``EventTooLarge``; the parser can't be used after that.
    public mutating func next() throws(EventTooLarge) -> ServerSentEvent? {
        switch buffer.withUnsafeBytes({ assembly.advance(in: $0) }) {
        case .needsMore: return nil
        case .tooLarge: throw EventTooLarge(limit: assembly.limit)
        case .event(let event): return event
        }
    }

    /// How many bytes were searched for ends of lines.
    package var searchedCount: Int { assembly.searchedCount }

    /// The ID of the last event with one, which a client sends as `Last-Event-ID`; empty if no event had one.
    ///
    /// Changes with the empty line that ends an event, even if the event has no data.
    public var lastEventID: String { assembly.lastEventID }

    /// The last reconnection delay that the server requested with `retry`; `nil` if it never did. At most a year.
    public var reconnectionTime: Duration? { assembly.reconnectionTime }
}

/// An event is longer than the limit for one event.
public struct EventTooLarge: Error, Sendable, Hashable {
    /// Maximum bytes of an event.
    public let limit: Int

    package init(limit: Int) {
        self.limit = limit
    }
}

extension UnsafeRawBufferPointer {
    /// The same bytes as octets, which collections and strings can copy in one step.
    var octets: UnsafeBufferPointer<UInt8> { assumingMemoryBound(to: UInt8.self) }

    /// The bytes as a string; invalid UTF-8 becomes U+FFFD.
    var text: String { String(decoding: octets, as: UTF8.self) }

    /// A part of the bytes.
    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }

    /// A number of milliseconds in ASCII digits, at most a year; `nil` for any other text, including an empty one.
    var milliseconds: Duration? {
        guard !isEmpty else { return nil }
        var number: Int64 = 0
        for byte in self {
            guard byte.isDigit else { return nil }
            number = Swift.min(number * 10 + Int64(byte - UInt8(ascii: "0")), 365 * 86_400_000)
        }
        return .milliseconds(number)
    }
}
