/// An event of which some lines were read.
struct PendingEvent: Sendable {
    /// Where the data lies. Mostly it is one line, which is not copied before it becomes a string.
    enum Place: Sendable {
        case nowhere
        case chunk(Range<Int>)
        case brokenLine(Range<Int>)
        case collected
    }

    var type: String?
    var id: String?
    var retry: Duration?
    var place = Place.nowhere
    /// Several lines with LF between them, or what was in an earlier chunk.
    var collected: [UInt8] = []

    /// The number of bytes of data so far.
    var count: Int {
        switch place {
        case .nowhere: 0
        case .chunk(let range), .brokenLine(let range): range.count
        case .collected: collected.count
        }
    }

    /// Adds a line to what is collected.
    mutating func addLine(_ line: UnsafeRawBufferPointer) {
        collected.append(LinePiece.lineFeed)
        collected.append(contentsOf: line.octets)
    }

    /// Forgets all of it. A large buffer is let go, so that one large event does not stay in memory.
    mutating func reset() {
        type = nil
        id = nil
        retry = nil
        place = .nowhere
        if !collected.isEmpty { collected.removeAll(keepingCapacity: collected.capacity <= 64 << 10) }
    }
}
