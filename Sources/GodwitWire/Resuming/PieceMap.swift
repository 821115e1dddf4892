import GodwitSupport

/// The byte ranges of a download: received, in progress, and next. A pure value.
package struct PieceMap: Sendable, Hashable {
    /// The total size in bytes.
    package let total: Int64
    /// The received ranges in order, with a gap between any two.
    package private(set) var present: [Range<Int64>] = []
    /// The ranges in progress.
    private var taken: [Range<Int64>] = []

    /// - Parameter present: The ranges already received, in any order; parts beyond the total are ignored.
    package init(total: Int64, present: [Range<Int64>]) {
        self.total = total
        for range in present { add(range) }
    }

    /// The number of bytes received from the start without a gap.
    package var prefix: Int64 {
        present.first.map { $0.lowerBound == 0 ? $0.upperBound : 0 } ?? 0
    }

    /// The received ranges after the first gap.
    package var beyondPrefix: [Range<Int64>] {
        prefix > 0 ? Array(present.dropFirst()) : present
    }

    /// The number of bytes received.
    package var count: Int64 { present.reduce(0) { $0 + Int64($1.count) } }

    /// Starts the next range that is neither received nor in progress, at most `size` bytes; `nil` if there is none.
    package mutating func take(upTo size: Int64) -> Range<Int64>? {
        var start: Int64 = 0
        for range in (present + taken).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > start { return take(start..<range.lowerBound, size) }
            start = max(start, range.upperBound)
        }
        return start < total ? take(start..<total, size) : nil
    }

    /// Cancels a range in progress.
    mutating func giveBack(_ piece: Range<Int64>) {
        taken.removeAll { $0.overlaps(piece) }
    }

    /// Records received bytes.
    package mutating func add(_ range: Range<Int64>) {
        var joined = range.clamped(to: 0..<max(0, total))
        guard !joined.isEmpty else { return }
        taken = taken.compactMap { $0.overlaps(joined) ? Self.rest(of: $0, after: joined) : $0 }
        present.removeAll { other in
            guard other.lowerBound <= joined.upperBound, joined.lowerBound <= other.upperBound else { return false }
            joined = min(other.lowerBound, joined.lowerBound)..<max(other.upperBound, joined.upperBound)
            return true
        }
        present.insert(joined, at: present.firstIndex { $0.lowerBound > joined.lowerBound } ?? present.endIndex)
    }

    private mutating func take(_ gap: Range<Int64>, _ size: Int64) -> Range<Int64> {
        let piece = gap.lowerBound..<min(gap.upperBound, gap.lowerBound.saturatingAdding(max(1, size)))
        taken.append(piece)
        return piece
    }

    /// The rest of a piece, which is received from front to back.
    private static func rest(of piece: Range<Int64>, after present: Range<Int64>) -> Range<Int64>? {
        present.upperBound < piece.upperBound ? max(piece.lowerBound, present.upperBound)..<piece.upperBound : nil
    }
}
