/// A value of an event on its way. Mostly it is a part of the buffer, which is not copied before it becomes a string.
struct PendingText: Sendable {
    private enum Place: Sendable {
        case nowhere
        case buffer(Range<Int>)
        case collected
    }

    private var place = Place.nowhere
    /// Several lines with LF between them, or what was in the buffer when that changed.
    private var collected: [UInt8] = []

    /// The number of bytes so far.
    var count: Int {
        switch place {
        case .nowhere: 0
        case .buffer(let range): range.count
        case .collected: collected.count
        }
    }

    /// Takes a part of the buffer instead of what there was.
    mutating func set(_ value: Range<Int>) {
        reset()
        place = .buffer(value)
    }

    /// Adds a line to those there are.
    mutating func addLine(_ line: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        if case .nowhere = place {
            place = .buffer(line)
        } else {
            collect(from: bytes)
            collected.append(LinePiece.lineFeed)
            collected.append(contentsOf: bytes.part(line).octets)
        }
    }

    /// Copies what is in the buffer, before that changes.
    mutating func collect(from bytes: UnsafeRawBufferPointer) {
        guard case .buffer(let range) = place else { return }
        collected.append(contentsOf: bytes.part(range).octets)
        place = .collected
    }

    /// The value as a string; nil where there is none.
    @inline(__always)
    func text(in bytes: UnsafeRawBufferPointer) -> String? {
        switch place {
        case .nowhere: nil
        case .buffer(let range): bytes.part(range).text
        case .collected: collected.withUnsafeBytes { $0.text }
        }
    }

    /// Forgets all of it, a large buffer too, so that one large event does not stay in memory.
    mutating func reset() {
        place = .nowhere
        if !collected.isEmpty { collected.removeAll(keepingCapacity: collected.capacity <= 1 << 20) }
    }
}
