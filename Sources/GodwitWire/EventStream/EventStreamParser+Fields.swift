// What lines mean.
extension EventStreamParser {
    /// Takes in what a line without its ending sets, and says whether it was empty.
    ///
    /// - Parameter place: Where the line lies, so that its data need not be copied yet.
    mutating func take(
        _ line: UnsafeRawBufferPointer, at place: PendingEvent.Place, in bytes: UnsafeRawBufferPointer
    ) throws(EventTooLarge) -> Bool {
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) {
                return try take(line.part(3..<line.count), at: place.dropping(3), in: bytes)
            }
        }
        guard !line.isEmpty else { return true }
        try checkLength(of: line.count)
        guard let field = EventField(line) else { return false }
        let value = line.part(field.valueStart..<line.count)
        switch field.name {
        case .data: addData(value, at: place.dropping(field.valueStart), in: bytes)
        case .event: pending.type = value.isEmpty ? nil : value.text
        case .id: if !value.contains(0) { pending.id = value.text }
        case .retry:
            guard let time = Self.milliseconds(value) else { break }
            reconnectionTime = time
            pending.retry = time
        }
        return false
    }

    /// Makes the event that an empty line ends; nil where it has no data.
    mutating func dispatch(from bytes: UnsafeRawBufferPointer) -> ServerSentEvent? {
        if let id = pending.id { lastEventID = id }
        defer { pending.reset() }
        let data =
            switch pending.place {
            case .nowhere: nil as String?
            case .chunk(let range): bytes.part(range).text
            case .brokenLine(let range): brokenLine.withUnsafeBytes { $0.part(range).text }
            case .collected: pending.collected.withUnsafeBytes(\.text)
            }
        return data.map {
            ServerSentEvent(
                type: pending.type ?? "message", data: $0, id: pending.id, lastEventID: lastEventID,
                retry: pending.retry)
        }
    }

    /// Copies the pending data that lies in the chunk, or in the broken line, to a buffer of its own.
    mutating func collectData(from bytes: UnsafeRawBufferPointer) {
        switch pending.place {
        case .nowhere, .collected: return
        case .chunk(let range): pending.collected.append(contentsOf: bytes.part(range).octets)
        case .brokenLine(let range): pending.collected.append(contentsOf: brokenLine[range])
        }
        pending.place = .collected
    }

    func checkLength(of line: Int) throws(EventTooLarge) {
        guard line <= limit - pending.count else { throw EventTooLarge(limit: limit) }
    }

    private mutating func addData(
        _ value: UnsafeRawBufferPointer, at place: PendingEvent.Place, in bytes: UnsafeRawBufferPointer
    ) {
        if case .nowhere = pending.place {
            pending.place = place
        } else {
            collectData(from: bytes)
            pending.addLine(value)
        }
    }

    /// The longest pause that is reported.
    private static let longest: Int64 = 365 * 86_400_000

    /// A number of ASCII digits alone; nil for anything else, nothing included.
    private static func milliseconds(_ value: UnsafeRawBufferPointer) -> Duration? {
        guard !value.isEmpty else { return nil }
        var number: Int64 = 0
        for byte in value {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = min(number * 10 + Int64(byte - UInt8(ascii: "0")), longest)
        }
        return .milliseconds(number)
    }
}

extension UnsafeRawBufferPointer {
    /// The same bytes as octets, which collections and strings take in one go.
    var octets: UnsafeBufferPointer<UInt8> { assumingMemoryBound(to: UInt8.self) }

    /// The bytes as a string; what is not UTF-8 becomes U+FFFD.
    var text: String { String(decoding: octets, as: UTF8.self) }

    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }
}

extension PendingEvent.Place {
    /// The place without so many bytes at its beginning.
    fileprivate func dropping(_ count: Int) -> PendingEvent.Place {
        switch self {
        case .nowhere, .collected: self
        case .chunk(let range): .chunk(range.lowerBound + count..<range.upperBound)
        case .brokenLine(let range): .brokenLine(range.lowerBound + count..<range.upperBound)
        }
    }
}
