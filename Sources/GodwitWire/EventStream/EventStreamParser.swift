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

    /// The id of the last event that had one; what a client sends as `Last-Event-ID`. Empty where none had.
    ///
    /// Changes with the empty line that ends an event, even if the event has no data.
    public internal(set) var lastEventID: String

    /// The pause before a reconnection that the server asked for last, by `retry`; nil where it never did.
    ///
    /// At most a year.
    public internal(set) var reconnectionTime: Duration?

    let limit: Int
    var pending = PendingEvent()
    /// A line that came in more than one chunk; kept behind its end, as pending data may lie in it.
    var brokenLine: [UInt8] = []
    var isAtStart = true
    private var isLineOpen = false
    /// The last chunk ended in CR: an LF would belong to it.
    private var skipsLineFeed = false
    private var chunk = Data()
    private var position = 0

    /// Makes a parser for one stream.
    ///
    /// - Parameters:
    ///   - lastEventID: The id that an earlier connection ended with.
    ///   - limit: The most bytes of an event's data and the line being read; more throws ``EventTooLarge``.
    public init(lastEventID: String = "", limit: Int = defaultLimit) {
        self.lastEventID = lastEventID
        self.limit = limit
    }

    /// Gives the parser the next bytes; best once ``next()`` has returned nil.
    public mutating func append(_ bytes: Data) {
        chunk = position < chunk.count ? chunk.dropFirst(position) + bytes : bytes
        position = 0
    }

    /// The next event; nil where it takes more bytes.
    ///
    /// Throws ``EventTooLarge``; the parser is then of no more use.
    public mutating func next() throws(EventTooLarge) -> ServerSentEvent? {
        guard position < chunk.count else { return nil }
        let chunk = chunk
        return try chunk.withUnsafeBytes { bytes in
            Result { () throws(EventTooLarge) in try next(in: bytes) }
        }.get()
    }

    private mutating func next(in bytes: UnsafeRawBufferPointer) throws(EventTooLarge) -> ServerSentEvent? {
        while position < bytes.count {
            let start = position
            if skipsLineFeed {
                skipsLineFeed = false
                if bytes[start] == LinePiece.lineFeed { position += 1 }
            } else if let end = endLine(in: bytes) {
                let isEmpty = try takeLine(start..<end, of: bytes)
                if isEmpty, let event = dispatch(from: bytes) { return event }
            } else {
                try keepRest(of: bytes)
            }
        }
        return nil
    }

    /// Finds the line's end and goes on behind it; nil where the line goes on in the next chunk.
    private mutating func endLine(in bytes: UnsafeRawBufferPointer) -> Int? {
        let found = ByteSearch.first(
            of: LinePiece.lineFeed, or: LinePiece.carriageReturn, in: bytes, from: position)
        guard let found else { return nil }
        position = found + 1
        if bytes[found] == LinePiece.carriageReturn {
            if position == bytes.count {
                skipsLineFeed = true
            } else if bytes[position] == LinePiece.lineFeed {
                position += 1
            }
        }
        return found
    }

    /// Takes a line in, and says whether it was empty.
    private mutating func takeLine(
        _ range: Range<Int>, of bytes: UnsafeRawBufferPointer
    ) throws(EventTooLarge) -> Bool {
        guard isLineOpen else { return try take(bytes.part(range), at: .chunk(range), in: bytes) }
        isLineOpen = false
        brokenLine.append(contentsOf: bytes.part(range).octets)
        let line = brokenLine
        return try line.withUnsafeBytes { line in
            Result { () throws(EventTooLarge) in try take(line, at: .brokenLine(0..<line.count), in: bytes) }
        }.get()
    }

    /// Keeps what is not yet a line, and what of the pending event lies in this chunk.
    private mutating func keepRest(of bytes: UnsafeRawBufferPointer) throws(EventTooLarge) {
        collectData(from: bytes)
        if !isLineOpen { brokenLine.removeAll(keepingCapacity: brokenLine.capacity <= 64 << 10) }
        isLineOpen = true
        brokenLine.append(contentsOf: bytes.part(position..<bytes.count).octets)
        position = bytes.count
        try checkLength(of: brokenLine.count)
    }
}
