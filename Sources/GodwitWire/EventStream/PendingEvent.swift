/// An event of which some lines were read.
struct PendingEvent: Sendable {
    /// Where the data is. Mostly it is one line, which is not copied before it becomes a string.
    private enum Place: Sendable {
        case nowhere
        case buffer(Range<Int>)
        case collected
    }

    var type: String?
    var id: String?
    var retry: Duration?
    private var place = Place.nowhere
    /// Several lines with LF between them, or what was in the buffer when that changed.
    private var collected: [UInt8] = []

    /// The number of bytes of data so far.
    var count: Int {
        switch place {
        case .nowhere: 0
        case .buffer(let range): range.count
        case .collected: collected.count
        }
    }

    /// Adds a line of data.
    mutating func addData(_ line: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        if case .nowhere = place {
            place = .buffer(line)
        } else {
            collectData(from: bytes)
            collected.append(LinePiece.lineFeed)
            collected.append(contentsOf: bytes.part(line).octets)
        }
    }

    /// Copies data that is in the buffer, before that changes.
    mutating func collectData(from bytes: UnsafeRawBufferPointer) {
        guard case .buffer(let range) = place else { return }
        collected.append(contentsOf: bytes.part(range).octets)
        place = .collected
    }

    /// The data as a string; nil where there is none.
    func data(in bytes: UnsafeRawBufferPointer) -> String? {
        switch place {
        case .nowhere: nil
        case .buffer(let range): bytes.part(range).text
        case .collected: collected.withUnsafeBytes { $0.text }
        }
    }

    /// Forgets all of it, a large buffer too, so that one large event does not stay in memory.
    mutating func reset() {
        type = nil
        id = nil
        retry = nil
        place = .nowhere
        if !collected.isEmpty { collected.removeAll(keepingCapacity: collected.capacity <= 1 << 20) }
    }
}
