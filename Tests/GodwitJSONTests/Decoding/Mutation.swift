import TestSupport

/// Damages JSON text at random, in ways that usually leave most of it readable.
enum Mutation {
    static func mutate(_ bytes: [UInt8], using random: inout SplitMix) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(3) { mutateOnce(&bytes, using: &random) }
        return bytes
    }

    private static func mutateOnce(_ bytes: inout [UInt8], using random: inout SplitMix) {
        let place = random.below(bytes.count + 1)
        switch random.below(9) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.below(8))
        case 1 where place < bytes.count: bytes.remove(at: place)
        case 2: bytes.insert(random.pick(structural), at: place)
        case 3: bytes.insert(contentsOf: random.pick(fragments).utf8, at: place)
        case 4: bytes.insert(contentsOf: random.pick(invalid), at: place)
        case 5 where random.happens(30): bytes.removeSubrange(place...)
        case 6: swapNumbers(&bytes, near: place, using: &random)
        case 7 where place < bytes.count: bytes[place] = random.pick(structural)
        case 8: repeatPart(&bytes, from: place, using: &random)
        default: break
        }
    }

    /// Replaces the first number after a place with another.
    private static func swapNumbers(_ bytes: inout [UInt8], near place: Int, using random: inout SplitMix) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let start = bytes[place...].firstIndex(where: digits.contains) else { return }
        let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.endIndex
        bytes.replaceSubrange(start..<end, with: RandomTree.number(using: &random).utf8)
    }

    private static func repeatPart(_ bytes: inout [UInt8], from place: Int, using random: inout SplitMix) {
        let part = bytes[place...].prefix(random.below(12))
        bytes.insert(contentsOf: part, at: random.below(bytes.count + 1))
    }

    private static let structural =
        Array(#"{}[]:,"\/-+.eE0159truefalsn "#.utf8) + [0x00, 0x09, 0x0A, 0x0D, 0x1F, 0x7F, 0x80, 0xFF]

    private static let fragments = [
        "null", "true", "false", "0", "-", "1e", "1.", "01", "0x10", "NaN", "Infinity", "\"\"", "[]", "{}", "[[", "]]",
        ",,", "::", "{\"a\":1}",
        "\\u", "\\u12", "\\ud800", "\\udc00", "\\ud83d\\ude00", "\\u0000", "\\x", "//", "/**/", "'", "\u{feff}",
        "\u{a0}", "\u{c}", "1e999", "\"a\":",
    ]

    private static let invalid: [[UInt8]] = [
        [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xF0, 0x9F], [0x80], [0xFE],
        [0xEF, 0xBB, 0xBF], [0x00],
    ]
}
