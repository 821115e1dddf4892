/// The entries of a parsed document, filled once by ``TapeScanner`` and never changed after that.
///
/// Proof of Sendable: `entries` is written only while the scanner holds the one reference.
final class Tape: @unchecked Sendable {
    private(set) var entries: UnsafeMutablePointer<TapeEntry>
    private(set) var count = 0
    private var capacity: Int

    /// - Parameter capacity: The expected number of entries.
    init(capacity: Int) {
        self.capacity = max(capacity, 8)
        entries = .allocate(capacity: self.capacity)
    }

    deinit {
        entries.deallocate()
    }

    /// Appends an entry and returns its index.
    @inline(__always)
    func append(_ entry: TapeEntry) -> UInt32 {
        if count == capacity { grow() }
        (entries + count).initialize(to: entry)
        defer { count &+= 1 }
        return UInt32(truncatingIfNeeded: count)
    }

    @inline(never)
    private func grow() {
        let larger = UnsafeMutablePointer<TapeEntry>.allocate(capacity: capacity &* 2)
        larger.moveInitialize(from: entries, count: count)
        entries.deallocate()
        (entries, capacity) = (larger, capacity &* 2)
    }

    /// Returns the memory that no entry uses, if it is much.
    func trim() {
        guard capacity &- count > 4096 else { return }
        let exact = UnsafeMutablePointer<TapeEntry>.allocate(capacity: count)
        exact.moveInitialize(from: entries, count: count)
        entries.deallocate()
        (entries, capacity) = (exact, count)
    }
}
