/// A SHA-256 digest, computed incrementally (FIPS 180-4).
///
/// Plain Swift without the processor's SHA instructions: a few hundred megabytes per second, faster than most networks.
public struct SHA256: Sendable {
    private static let blockSize = 64

    private var state = initial
    /// The start of an incomplete block.
    private var pending: [UInt8] = []
    private var count: UInt64 = 0

    /// Creates an empty digest.
    public init() {}

    /// The digest of bytes: 32 bytes.
    public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// Adds bytes.
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        if bytes.withContiguousStorageIfAvailable({ add($0) }) != nil { return }
        Array(bytes).withUnsafeBufferPointer { add($0) }
    }

    /// The digest of all bytes added: 32 bytes.
    public consuming func finish() -> [UInt8] {
        let bits = count &* 8
        let filler = (Self.blockSize * 2 - 9 - pending.count) % Self.blockSize
        update([0x80] + repeatElement(0, count: filler) + bits.bigEndianBytes)
        return (0..<8).flatMap { state[$0].bigEndianBytes }
    }

    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        count &+= UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let missing = rest.prefix(Self.blockSize - pending.count)
            pending += missing
            rest = rest.dropFirst(missing.count)
            guard pending.count == Self.blockSize else { return }
            pending.withUnsafeBytes { state.compress($0) }
            pending.removeAll(keepingCapacity: true)
        }
        let whole = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: rest))
        let blocks = whole.count / Self.blockSize
        for block in 0..<blocks {
            state.compress(UnsafeRawBufferPointer(rebasing: whole[(block * Self.blockSize)...].prefix(Self.blockSize)))
        }
        pending += rest.dropFirst(blocks * Self.blockSize)
    }

    /// FIPS 180-4 section 5.3.3: the fractions of the square roots of the first 8 primes.
    private static let initial = SIMD8<UInt32>(
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)
}

extension SIMD8<UInt32> {
    /// Processes a block of 64 bytes (section 6.2.2).
    fileprivate mutating func compress(_ block: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            Self.schedule(block, words)
            self &+= Self.constants.withUnsafeBufferPointer { mixed(words, $0) }
        }
    }

    private func mixed(
        _ words: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) -> SIMD8<UInt32> {
        var (a, b, c, d) = (self[0], self[1], self[2], self[3])
        var (e, f, g, h) = (self[4], self[5], self[6], self[7])
        for round in 0..<64 {
            let sum1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sum1 &+ choice &+ constants[round] &+ words[round]
            let sum0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
        }
        return SIMD8(a, b, c, d, e, f, g, h)
    }

    private static func schedule(_ block: UnsafeRawBufferPointer, _ words: UnsafeMutableBufferPointer<UInt32>) {
        for index in 0..<16 {
            words[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let sigma0 = early.rotated(7) ^ early.rotated(18) ^ early >> 3
            let sigma1 = late.rotated(17) ^ late.rotated(19) ^ late >> 10
            words[index] = words[index - 16] &+ sigma0 &+ words[index - 7] &+ sigma1
        }
    }

    /// Section 4.2.2: the fractions of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension UInt32 {
    fileprivate func rotated(_ places: UInt32) -> UInt32 {
        self &>> places | self &<< (32 - places)
    }
}

extension FixedWidthInteger {
    /// The bytes of the number, most significant first.
    public var bigEndianBytes: [UInt8] {
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }
}
