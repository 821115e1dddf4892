/// Random numbers that a seed repeats.
package struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: some BinaryInteger) { state = UInt64(truncatingIfNeeded: seed) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// A number from 0 to `limit` - 1, or 0 if the limit isn't positive.
    package mutating func below(_ limit: Int) -> Int { limit > 0 ? Int.random(in: 0..<limit, using: &self) : 0 }

    /// Whether an event of this probability happens.
    package mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

    /// One element, each with the same probability. `elements` must not be empty.
    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
