/// Random numbers for names that must differ but need not be secret: xoshiro256**, seeded by the system.
///
/// The system's own generator is a system call for each number.
struct QuickRandom: RandomNumberGenerator, Sendable {
    private var state: SIMD4<UInt64>

    init() {
        var system = SystemRandomNumberGenerator()
        // The lowest bit keeps the state from being all zeros, of which nothing else would come.
        state = SIMD4(system.next() | 1, system.next(), system.next(), system.next())
    }

    mutating func next() -> UInt64 {
        let number = Self.rotated(state[1] &* 5, by: 7) &* 9
        let shifted = state[1] << 17
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = Self.rotated(state[3], by: 45)
        return number
    }

    private static func rotated(_ word: UInt64, by count: UInt64) -> UInt64 {
        word << count | word >> (64 - count)
    }
}
