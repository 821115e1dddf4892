/// The SHA-1 digest (FIPS 180-4), which the WebSocket handshake requires (RFC 6455). SHA-1 is broken: it authenticates
/// nothing.
public enum SHA1 {
    /// The 20 bytes of the digest.
    public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var state: State = (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0)
        let message = MessagePadding.padded(bytes, bitCount: \.bigEndian)
        for start in stride(from: 0, to: message.count, by: 64) {
            add(message[start..<(start + 64)], to: &state)
        }
        return [state.0, state.1, state.2, state.3, state.4].flatMap(\.bigEndianBytes)
    }

    private typealias State = (UInt32, UInt32, UInt32, UInt32, UInt32)

    /// Section 6.1.2.
    private static func add(_ block: ArraySlice<UInt8>, to state: inout State) {
        let schedule = schedule(of: block)
        var (a, b, c, d, e) = state
        for index in 0..<80 {
            let (mixed, constant) = round(index, b, c, d)
            let next = rotated(a, by: 5) &+ mixed &+ e &+ constant &+ schedule[index]
            (e, d, c, b, a) = (d, c, rotated(b, by: 30), a, next)
        }
        state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
    }

    private static func schedule(of block: ArraySlice<UInt8>) -> [UInt32] {
        var words: [UInt32] = []
        words.reserveCapacity(80)
        for start in stride(from: block.startIndex, to: block.endIndex, by: 4) {
            words.append(block[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) })
        }
        for index in 16..<80 {
            words.append(rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1))
        }
        return words
    }

    private static func round(_ index: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> (UInt32, UInt32) {
        switch index {
        case ..<20: ((b & c) | (~b & d), 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
    }

    private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
        word << count | word >> (32 - count)
    }
}
