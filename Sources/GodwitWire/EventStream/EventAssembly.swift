import GodwitSupport

/// Assembles events: finds the lines in a buffer and applies their fields.
struct EventAssembly: Sendable {
    /// The result of reading the buffer.
    enum Outcome {
        case needsMore, tooLarge
        case event(ServerSentEvent)
    }

    let limit: Int
    private(set) var lastEventID: String
    private(set) var reconnectionTime: Duration?
    private var pending = PendingEvent()
    /// The start of the current line, and the offset from which its end is still to be found.
    private var lineStart = 0
    private var searchStart = 0
    private var isAtStart = true
    /// How many bytes were searched for ends of lines.
    private(set) var searchedCount = 0
    /// The last line ended in CR at the end of the buffer; a following LF belongs to it.
    private var skipsLineFeed = false

    init(lastEventID: String, limit: Int) {
        self.lastEventID = lastEventID
        self.limit = limit
    }

    /// Drops the bytes before the current line and returns their count.
    mutating func dropConsumed() -> Int {
        defer {
            searchStart -= lineStart
            lineStart = 0
        }
        return lineStart
    }

    /// Reads to the end of an event, or of the buffer.
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

    /// The range of the next line, without its ending; `nil` if it is incomplete.
    private mutating func nextLine(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        if skipsLineFeed, lineStart < bytes.count {
            skipsLineFeed = false
            if bytes[lineStart] == LinePiece.lineFeed { lineStart += 1 }
            searchStart = lineStart
        }
        let found = ByteSearch.first(
            of: LinePiece.lineFeed, or: LinePiece.carriageReturn, in: bytes, from: searchStart)
        searchedCount += (found.map { $0 + 1 } ?? bytes.count) - searchStart
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

    /// The event that an empty line completes; `nil` without data, in which case only its ID counts.
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

/// The field that a line of an event stream sets, and the offset of its value.
struct EventField {
    enum Name {
        case data, event, id, retry
    }

    let name: Name
    let valueStart: Int

    /// Parses a line without its ending; `nil` for a comment or an unknown field.
    @inline(__always)
    init?(_ line: UnsafeRawBufferPointer) {
        guard let (name, colon) = Self.name(line) else { return nil }
        self.name = name
        let hasSpace = line.count > colon + 1 && line[colon + 1] == UInt8(ascii: " ")
        valueStart = min(line.count, colon + (hasSpace ? 2 : 1))
    }

    /// The name is the text before the first colon, or the whole line.
    private static func name(_ line: UnsafeRawBufferPointer) -> (Name, length: Int)? {
        switch line.first {
        case UInt8(ascii: "d"): isNamed(line, "data") ? (.data, 4) : nil
        case UInt8(ascii: "e"): isNamed(line, "event") ? (.event, 5) : nil
        case UInt8(ascii: "i"): isNamed(line, "id") ? (.id, 2) : nil
        case UInt8(ascii: "r"): isNamed(line, "retry") ? (.retry, 5) : nil
        default: nil
        }
    }

    @inline(__always)
    private static func isNamed(_ line: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
        let length = name.utf8CodeUnitCount
        guard line.count >= length else { return false }
        for index in 1..<length where line[index] != name.utf8Start[index] { return false }
        return line.count == length || line[length] == UInt8(ascii: ":")
    }
}

/// An event whose lines are still being read.
struct PendingEvent: Sendable {
    var type = PendingText()
    var data = PendingText()
    var id = PendingText()
    var retry: Duration?

    /// Copies values out of the buffer before it changes.
    mutating func collect(from bytes: UnsafeRawBufferPointer) {
        type.collect(from: bytes)
        data.collect(from: bytes)
        id.collect(from: bytes)
    }

    /// Clears the event.
    mutating func reset() {
        type.reset()
        data.reset()
        id.reset()
        retry = nil
    }
}

/// A value of a pending event. Usually a range of the buffer, which is copied only into the final string.
struct PendingText: Sendable {
    private enum Place: Sendable {
        case nowhere
        case buffer(Range<Int>)
        case collected
    }

    private var place = Place.nowhere
    /// Several lines joined by LF, or the bytes copied when the buffer changed.
    private var collected: [UInt8] = []

    /// The number of bytes so far.
    var count: Int {
        switch place {
        case .nowhere: 0
        case .buffer(let range): range.count
        case .collected: collected.count
        }
    }

    /// Replaces the value with a part of the buffer.
    mutating func set(_ value: Range<Int>) {
        reset()
        place = .buffer(value)
    }

    /// Appends a line.
    mutating func addLine(_ line: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        if case .nowhere = place {
            place = .buffer(line)
        } else {
            collect(from: bytes)
            collected.append(LinePiece.lineFeed)
            collected.append(contentsOf: bytes.part(line).octets)
        }
    }

    /// Copies the value out of the buffer before it changes.
    mutating func collect(from bytes: UnsafeRawBufferPointer) {
        guard case .buffer(let range) = place else { return }
        collected.append(contentsOf: bytes.part(range).octets)
        place = .collected
    }

    /// The value as a string; `nil` if missing.
    @inline(__always)
    func text(in bytes: UnsafeRawBufferPointer) -> String? {
        switch place {
        case .nowhere: nil
        case .buffer(let range): bytes.part(range).text
        case .collected: collected.withUnsafeBytes { $0.text }
        }
    }

    /// Clears the value. Frees a large buffer, so that one large event doesn't stay in memory.
    mutating func reset() {
        place = .nowhere
        if !collected.isEmpty { collected.removeAll(keepingCapacity: collected.capacity <= 1 << 20) }
    }
}
