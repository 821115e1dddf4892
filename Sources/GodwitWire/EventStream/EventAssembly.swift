/// Puts events together: finds the lines in a buffer, and takes in what they set.
struct EventAssembly: Sendable {
    /// What came of the bytes.
    enum Outcome {
        case needsMore, tooLarge
        /// The data of an event; the rest of it is pending.
        case event(String)
    }

    let limit: Int
    private(set) var lastEventID: String
    private(set) var reconnectionTime: Duration?
    private var pending = PendingEvent()
    /// Whether the event that ended last brought its id.
    private var hasID = false
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
                if let data = endEvent(in: bytes) { return .event(data) }
            } else {
                guard line.count <= limit - pending.count else { return .tooLarge }
                take(line, of: bytes)
            }
        }
        pending.collectData(from: bytes)
        return bytes.count - lineStart <= limit - pending.count ? .needsMore : .tooLarge
    }

    /// The event whose data was found.
    mutating func event(_ data: String) -> ServerSentEvent {
        let event = ServerSentEvent(
            type: pending.type.take() ?? "message", data: data, lastEventID: lastEventID, hasID: hasID,
            retry: pending.retry.take())
        pending.reset()
        return event
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
        let value = bytes.part(range)
        switch field.name {
        case .data: pending.addData(range, of: bytes)
        case .event: pending.type = value.isEmpty ? nil : value.text
        case .id: if !value.contains(0) { pending.id = value.text }
        case .retry:
            guard let time = value.milliseconds else { return }
            reconnectionTime = time
            pending.retry = time
        }
    }

    /// The data of the event that an empty line ends; nil where it has none and counts for nothing but its id.
    private mutating func endEvent(in bytes: UnsafeRawBufferPointer) -> String? {
        hasID = pending.id != nil
        if let id = pending.id.take() { lastEventID = id }
        let data = pending.data(in: bytes)
        if data == nil { pending.reset() }
        return data
    }
}
