/// Puts events together: finds the lines in a buffer, and takes in what they set.
struct EventAssembly: Sendable {
    /// What came of the bytes.
    enum Outcome {
        case needsMore, tooLarge
        case event(ServerSentEvent)
    }

    let limit: Int
    private(set) var lastEventID: String
    private(set) var reconnectionTime: Duration?
    private var pending = PendingEvent()
    /// Where in the buffer the line begins, and from where on its end is still to be found.
    private var lineStart = 0
    private var searchStart = 0
    private var isAtStart = true
    /// The last line ended in CR at the buffer's end: an LF would belong to it.
    private var skipsLineFeed = false

    init(lastEventID: String, limit: Int) {
        self.lastEventID = lastEventID
        self.limit = limit
    }

    /// Forgets the bytes before the line that is being read, and says how many those are.
    mutating func forgetUsed() -> Int {
        defer {
            searchStart -= lineStart
            lineStart = 0
        }
        return lineStart
    }

    /// Goes on to the end of an event, or of the buffer.
    mutating func advance(in bytes: UnsafeRawBufferPointer) -> Outcome {
        while let line = nextLine(in: bytes) {
            if line.isEmpty {
                if let event = endEvent(in: bytes) { return .event(event) }
            } else {
                guard line.count <= limit.saturatingSubtracting(pending.data.count) else { return .tooLarge }
                take(line, of: bytes)
            }
        }
        pending.collect(from: bytes)
        return bytes.count - lineStart <= limit.saturatingSubtracting(pending.data.count) ? .needsMore : .tooLarge
    }

    /// The place of the next line, without its ending; nil where its end is not there yet.
    private mutating func nextLine(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        if skipsLineFeed, lineStart < bytes.count {
            skipsLineFeed = false
            if bytes[lineStart] == LinePiece.lineFeed { lineStart += 1 }
            searchStart = lineStart
        }
        let found = ByteSearch.first(
            of: LinePiece.lineFeed, or: LinePiece.carriageReturn, in: bytes, from: searchStart)
        guard let end = found else {
            searchStart = bytes.count
            return nil
        }
        let start = lineStart + markLength(in: bytes)
        lineStart = end + 1
        if bytes[end] == LinePiece.carriageReturn {
            skipsLineFeed = lineStart == bytes.count
            if !skipsLineFeed, bytes[lineStart] == LinePiece.lineFeed { lineStart += 1 }
        }
        searchStart = lineStart
        return start..<end
    }

    /// The length of a byte order mark before the very first line.
    private mutating func markLength(in bytes: UnsafeRawBufferPointer) -> Int {
        guard isAtStart else { return 0 }
        isAtStart = false
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    private mutating func take(_ line: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        guard let field = EventField(bytes.part(line)) else { return }
        let range = line.lowerBound + field.valueStart..<line.upperBound
        switch field.name {
        case .data: pending.data.addLine(range, of: bytes)
        case .event: range.isEmpty ? pending.type.reset() : pending.type.set(range)
        case .id: if !bytes.part(range).contains(0) { pending.id.set(range) }
        case .retry:
            guard let time = bytes.part(range).milliseconds else { return }
            reconnectionTime = time
            pending.retry = time
        }
    }

    /// The event that an empty line ends; nil where it has no data, and counts for nothing but its id.
    private mutating func endEvent(in bytes: UnsafeRawBufferPointer) -> ServerSentEvent? {
        defer { pending.reset() }
        let id = pending.id.text(in: bytes)
        if let id { lastEventID = id }
        guard let data = pending.data.text(in: bytes) else { return nil }
        return ServerSentEvent(
            type: pending.type.text(in: bytes) ?? "message", data: data, lastEventID: lastEventID, hasID: id != nil,
            retry: pending.retry)
    }
}
