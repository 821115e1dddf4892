/// The entries of a parsed document, in document order.
///
/// Proof of Sendable: the entries never change.
final class Tape: @unchecked Sendable {
    let entries: UnsafePointer<TapeEntry>
    let count: Int

    /// Takes over memory that was allocated for entries.
    init(_ entries: UnsafeMutablePointer<TapeEntry>, count: Int) {
        self.entries = UnsafePointer(entries)
        self.count = count
    }

    deinit {
        entries.deallocate()
    }
}

/// The entries of a document while it is parsed.
struct TapeBuilder: ~Copyable {
    private(set) var entries: UnsafeMutablePointer<TapeEntry>
    private(set) var count = 0
    private var capacity: Int
    private let length: Int

    /// - Parameter length: The number of bytes of the text.
    init(length: Int) {
        self.length = length
        // Typical documents have an entry for each 10 to 12 bytes.
        capacity = length / 10 &+ 8
        entries = .allocate(capacity: capacity)
    }

    /// Appends an entry and returns its index.
    @inline(__always)
    mutating func append(_ entry: TapeEntry) -> UInt32 {
        if count == capacity { grow(at: Int(entry.start)) }
        (entries + count).initialize(to: entry)
        defer { count &+= 1 }
        return UInt32(truncatingIfNeeded: count)
    }

    /// Expects as many entries in the rest of the text as up to here, so that a large tape is seldom copied.
    @inline(never)
    private mutating func grow(at offset: Int) {
        let expected = count &* length / max(offset, 1)
        move(to: count &+ max(count / 4, min(expected, length) &- count) &+ 8)
    }

    private mutating func move(to capacity: Int) {
        let memory = UnsafeMutablePointer<TapeEntry>.allocate(capacity: capacity)
        memory.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = memory
        self.capacity = capacity
    }

    /// The tape. If it is kept, returns the memory that no entry uses, if that is much. In a large tape it was never touched, so that the system
    /// hasn't provided it, and a copy would take more.
    consuming func finish(isKept: Bool) -> Tape {
        if isKept, capacity &- count > max(1024, count / 4), capacity < 1 << 16 { move(to: count) }
        let tape = Tape(entries, count: count)
        discard self
        return tape
    }

    deinit {
        entries.deallocate()
    }
}
