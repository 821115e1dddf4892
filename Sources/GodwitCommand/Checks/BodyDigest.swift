#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Godwit

/// Digests of a body. Godwit's own aren't public, and they are not worth an API for this.
enum BodyDigest {
    /// SHA-256 (FIPS 180-4).
    static func sha256(_ data: Data) -> Data {
        var state = roots(of: 8, cubic: false)
        let constants = roots(of: 64, cubic: true)
        for block in blocks(of: data, isBigEndian: true) {
            var words = block
            for index in 16..<64 {
                let (early, late) = (words[index - 15], words[index - 2])
                let first = rotate(early, 25) ^ rotate(early, 14) ^ early >> 3
                let second = rotate(late, 15) ^ rotate(late, 13) ^ late >> 10
                words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            for index in 0..<64 {
                let high = rotate(e, 26) ^ rotate(e, 21) ^ rotate(e, 7)
                let sum = h &+ high &+ (e & f ^ ~e & g) &+ constants[index] &+ words[index]
                let low = rotate(a, 30) ^ rotate(a, 19) ^ rotate(a, 10)
                (h, g, f, e, d, c, b, a) = (g, f, e, d &+ sum, c, b, a, sum &+ low &+ (a & b ^ a & c ^ b & c))
            }
            for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
        }
        return Data(state.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } })
    }

    /// MD5 (RFC 1321): only to compare with a published digest.
    static func md5(_ data: Data) -> Data {
        let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
        let sines = (1...64).map { UInt32((abs(sin(Double($0))) * 4_294_967_296).rounded(.down)) }
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for words in blocks(of: data, isBigEndian: false) {
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for step in 0..<64 {
                let (mixed, word) =
                    switch step / 16 {
                    case 0: (b & c | ~b & d, step)
                    case 1: (d & b | ~d & c, (5 * step + 1) % 16)
                    case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                    default: (c ^ (b | ~d), 7 * step % 16)
                    }
                let sum = a &+ mixed &+ sines[step] &+ words[word]
                (a, d, c, b) = (d, c, b, b &+ rotate(sum, shifts[step / 16][step % 4]))
            }
            for (index, word) in [a, b, c, d].enumerated() { state[index] &+= word }
        }
        return Data(state.flatMap { word in [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) } })
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }

    /// The data in blocks of 16 words, with a one bit, zeros and its length in bits at the end.
    private static func blocks(of data: Data, isBigEndian: Bool) -> some Sequence<[UInt32]> {
        let length = UInt64(data.count) &* 8
        var bytes = [UInt8](data) + [0x80]
        bytes += repeatElement(0, count: (120 - bytes.count % 64) % 64)
        let shifts = stride(from: UInt64(0), to: 64, by: 8)
        bytes += (isBigEndian ? shifts.reversed() : Array(shifts)).map { UInt8(truncatingIfNeeded: length >> $0) }
        return stride(from: 0, to: bytes.count, by: 64).lazy.map { start in
            (0..<16).map { index in
                let word = bytes[(start + index * 4)..<(start + index * 4 + 4)]
                return (isBigEndian ? Array(word) : word.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
            }
        }
    }

    /// The first 32 bits of the fractions of the square or cube roots of the first primes.
    private static func roots(of count: Int, cubic: Bool) -> [UInt32] {
        var primes: [Int] = []
        var number = 2
        while primes.count < count {
            if primes.allSatisfy({ number % $0 != 0 }) { primes.append(number) }
            number += 1
        }
        return primes.map { prime in
            let root = cubic ? cbrt(Double(prime)) : Double(prime).squareRoot()
            return UInt32(((root - root.rounded(.down)) * 4_294_967_296).rounded(.down))
        }
    }
}
