/// Which bytes of a content are there, which are being fetched, and which come next. A pure value.
package struct PieceMap: Sendable, Hashable {
    /// The size of the whole.
    package let total: Int64
    /// What is there: in order, with a gap between any two.
    package private(set) var present: [Range<Int64>] = []
    /// What is being fetched, and is not there yet.
    private var taken: [Range<Int64>] = []

    /// - Parameter present: What is there already, in any order; what lies beyond the whole is left out.
    package init(total: Int64, present: [Range<Int64>]) {
        self.total = total
        for range in present { add(range) }
    }

    /// How many bytes there are from the beginning on, without a gap.
    package var prefix: Int64 {
        present.first.map { $0.lowerBound == 0 ? $0.upperBound : 0 } ?? 0
    }

    /// What is there behind the first gap.
    package var beyondPrefix: [Range<Int64>] {
        prefix > 0 ? Array(present.dropFirst()) : present
    }

    /// How many bytes are there in all.
    package var count: Int64 { present.reduce(0) { $0 + Int64($1.count) } }

    /// Takes the first bytes that are neither there nor being fetched, at most so many; nil where there are none.
    package mutating func take(upTo size: Int64) -> Range<Int64>? {
        var start: Int64 = 0
        for range in (present + taken).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > start { return take(start..<range.lowerBound, size) }
            start = max(start, range.upperBound)
        }
        return start < total ? take(start..<total, size) : nil
    }

    /// So much of a piece that was taken will not be fetched now.
    package mutating func giveBack(_ piece: Range<Int64>) {
        taken.removeAll { $0.overlaps(piece) }
    }

    /// These bytes are there.
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

    /// Pieces are fetched from front to back.
    private static func rest(of piece: Range<Int64>, after present: Range<Int64>) -> Range<Int64>? {
        present.upperBound < piece.upperBound ? max(piece.lowerBound, present.upperBound)..<piece.upperBound : nil
    }
}
