import TestSupport

extension RandomTree {
    /// The tree as JSON, with random white space and escapes.
    func json(using random: inout SplitMix) -> [UInt8] {
        var bytes: [UInt8] = []
        let spacing = random.happens(50) ? 0 : random.below(40)
        write(to: &bytes, spacing: spacing, using: &random)
        return bytes
    }

    private func write(to bytes: inout [UInt8], spacing: Int, using random: inout SplitMix) {
        Self.space(to: &bytes, spacing: spacing, using: &random)
        switch self {
        case .null: bytes += Array("null".utf8)
        case .bool(let value): bytes += Array((value ? "true" : "false").utf8)
        case .number(let text): bytes += Array(text.utf8)
        case .string(let text): Self.quote(text, to: &bytes, using: &random)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes, spacing: spacing, using: &random)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.space(to: &bytes, spacing: spacing, using: &random)
                Self.quote(member.key, to: &bytes, using: &random)
                Self.space(to: &bytes, spacing: spacing, using: &random)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes, spacing: spacing, using: &random)
            }
            bytes.append(UInt8(ascii: "}"))
        }
        Self.space(to: &bytes, spacing: spacing, using: &random)
    }

    private static func space(to bytes: inout [UInt8], spacing: Int, using random: inout SplitMix) {
        while random.happens(spacing) { bytes.append(random.pick([0x20, 0x0A, 0x0D, 0x09])) }
    }

    private static func quote(_ text: String, to bytes: inout [UInt8], using random: inout SplitMix) {
        // Foundation takes the texts of infinity and NaN only without escapes.
        let escapes = random.happens(20) && !text.hasSuffix("inf") && text != "nan" ? random.below(100) : 0
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            if let short = shortEscapes[scalar], scalar != "/" || random.happens(30), !random.happens(escapes) {
                bytes += [UInt8(ascii: "\\"), short]
            } else if scalar.value < 0x20 || scalar == "\"" || scalar == "\\" || random.happens(escapes) {
                for unit in String(scalar).utf16 { escape(unit, to: &bytes, using: &random) }
            } else {
                bytes += Array(String(scalar).utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func escape(_ unit: UInt16, to bytes: inout [UInt8], using random: inout SplitMix) {
        let hex = String(unit, radix: 16, uppercase: random.happens(50))
        bytes += Array(("\\u" + String(repeating: "0", count: 4 - hex.utf8.count) + hex).utf8)
    }

    private static let shortEscapes: [Unicode.Scalar: UInt8] = [
        "\"": UInt8(ascii: "\""), "\\": UInt8(ascii: "\\"), "/": UInt8(ascii: "/"), "\u{8}": UInt8(ascii: "b"),
        "\u{c}": UInt8(ascii: "f"), "\n": UInt8(ascii: "n"), "\r": UInt8(ascii: "r"), "\t": UInt8(ascii: "t"),
    ]
}
