/// A set of Unicode scalars, as a bracket expression or an escape such as `\d` describes it.
struct ScalarSet: Sendable, Hashable {
    private(set) var ranges: [ClosedRange<UInt32>] = []
    var isNegated = false

    static let digit = ScalarSet(ranges: [0x30...0x39])
    static let word = ScalarSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    /// Whitespace as in Rust and RE2: ASCII only.
    static let space = ScalarSet(ranges: [0x09...0x0D, 0x20...0x20])
    static let any = ScalarSet(ranges: [], isNegated: true)
    static let notNewline = ScalarSet(ranges: [0x0A...0x0A], isNegated: true)

    private init(ranges: [ClosedRange<UInt32>], isNegated: Bool = false) {
        self.ranges = ranges
        self.isNegated = isNegated
    }

    init() {}

    init(_ scalar: Unicode.Scalar) {
        ranges = [scalar.value...scalar.value]
    }

    var inverted: ScalarSet {
        var inverted = self
        inverted.isNegated.toggle()
        return inverted
    }

    /// Adds the scalars between two others; nothing if they are in the wrong order.
    mutating func insert(_ lower: Unicode.Scalar, _ upper: Unicode.Scalar) {
        if lower <= upper { ranges.append(lower.value...upper.value) }
    }

    /// Adds the scalars of another set.
    mutating func formUnion(_ other: ScalarSet) {
        guard other.isNegated else {
            ranges += other.ranges
            return
        }
        var start: UInt32 = 0
        for range in other.ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if start < range.lowerBound { ranges.append(start...range.lowerBound - 1) }
            start = max(start, range.upperBound + 1)
        }
        if start <= 0x10FFFF { ranges.append(start...0x10FFFF) }
    }

    /// Adds the other case of each ASCII letter.
    mutating func ignoreCase() {
        for range in ranges {
            for letters in [UInt32(0x41)...0x5A, 0x61...0x7A] where range.overlaps(letters) {
                let shared = range.clamped(to: letters)
                ranges.append((shared.lowerBound ^ 0x20)...(shared.upperBound ^ 0x20))
            }
        }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) } != isNegated
    }
}
