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

    /// - Parameter capacity: The expected number of entries.
    init(capacity: Int) {
        self.capacity = max(capacity, 8)
        entries = .allocate(capacity: self.capacity)
    }

    /// Appends an entry and returns its index.
    @inline(__always)
    mutating func append(_ entry: TapeEntry) -> UInt32 {
        if count == capacity { grow() }
        (entries + count).initialize(to: entry)
        defer { count &+= 1 }
        return UInt32(truncatingIfNeeded: count)
    }

    @inline(never)
    private mutating func grow() { move(to: capacity &* 2) }

    private mutating func move(to capacity: Int) {
        let memory = UnsafeMutablePointer<TapeEntry>.allocate(capacity: capacity)
        memory.moveInitialize(from: entries, count: count)
        entries.deallocate()
        (entries, self.capacity) = (memory, capacity)
    }

    /// The tape. Returns the memory that no entry uses, if it is much.
    consuming func finish() -> Tape {
        if capacity &- count > max(1024, count / 4) { move(to: count) }
        let tape = Tape(entries, count: count)
        discard self
        return tape
    }

    deinit {
        entries.deallocate()
    }
}
