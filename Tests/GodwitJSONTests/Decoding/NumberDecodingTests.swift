import GodwitJSON
import TestSupport
import Testing

/// Random numbers decoded to every type, compared with exact arithmetic and with Swift's own parser.
@Suite("J1 Decoding numbers")
struct NumberDecodingTests {
    private static let texts: [String] = {
        var random = SplitMix(seed: setting("GODWIT_JSON_SEED") ?? 7)
        let count = (setting("GODWIT_JSON_RUNS") ?? 3_000) / 8
        return (0..<count).map { _ in random.happens(50) ? RandomTree.number(using: &random) : near(using: &random) }
    }()

    /// Numbers with 16 to 19 digits, where rounding is hardest, and some that are halfway between two doubles or floats.
    private static func near(using random: inout SplitMix) -> String {
        switch random.below(4) {
        case 0:
            let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()) & 0x7F7F_FFFF)
            return "\((Double(float) + Double(float.nextUp)) / 2)"
        case 1:
            let double = Double(bitPattern: random.next() & 0x7FEF_FFFF_FFFF_FFFF)
            return "\(double)"
        case 2: return "\(random.next() >> UInt64(random.below(8)))e\(random.below(90) - 45)"
        default:
            return
                "\(random.next() >> UInt64(random.below(12))).\(random.below(1_000_000_000))e\(random.below(80) - 40)"
        }
    }

    @Test("J1 doubles and floats are the nearest to the text")
    func floatingPoint() throws {
        for text in Self.texts {
            let double = Double(text).flatMap { $0.isFinite && ($0 != 0 || isZero(text)) ? $0 : nil }
            let float = Float(text).flatMap { $0.isFinite && ($0 != 0 || isZero(text)) ? $0 : nil }
            #expect(decoded(Double.self, text)?.bitPattern == double?.bitPattern, "\(text)")
            #expect(decoded(Float.self, text)?.bitPattern == float?.bitPattern, "\(text)")
            // In an array, where numbers have a way of their own, and between spaces.
            #expect(decoded([Double].self, "[ \(text) ]")?.first?.bitPattern == double?.bitPattern, "\(text)")
        }
    }

    @Test("J1 integers of every width are the text's value, or it isn't one")
    func integers() {
        for text in Self.texts {
            check(Int.self, text)
            check(Int8.self, text)
            check(Int16.self, text)
            check(Int32.self, text)
            check(Int64.self, text)
            check(Int128.self, text)
            check(UInt.self, text)
            check(UInt8.self, text)
            check(UInt16.self, text)
            check(UInt32.self, text)
            check(UInt64.self, text)
            check(UInt128.self, text)
        }
    }

    @Test("J1 decimals have Foundation's value")
    func decimals() {
        for text in Self.texts {
            let expected = try? JSONDecoder().decode(Decimal.self, from: Data(text.utf8))
            #expect(decoded(Decimal.self, text).map { describe($0) } == expected.map { describe($0) }, "\(text)")
        }
    }

    private func check<Value: FixedWidthInteger & Decodable>(_ type: Value.Type, _ text: String) {
        let expected = exactInteger(text).flatMap { Value($0) }
        #expect(decoded(type, text) == expected, "\(type) from \(text)")
        #expect(decoded([Value].self, "[\(text)]")?.first == expected, "[\(type)] from \(text)")
    }

    private func decoded<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? JSONModelDecoder().decode(type, from: Data(text.utf8))
    }

    private func isZero(_ text: String) -> Bool {
        !text.prefix { $0 != "e" && $0 != "E" }.contains { "123456789".contains($0) }
    }

    /// The digits of the integer that a number's text stands for; `nil` if it isn't an integer below 10^60.
    private func exactInteger(_ text: String) -> String? {
        let parts = text.lowercased().split(separator: "e")
        let (mantissa, exponent) = (parts[0].drop { $0 == "-" }, parts.count > 1 ? Int(parts[1]) : 0)
        guard !isZero(text) else { return "0" }
        guard let exponent, exponent < 100, exponent > -1_000 else { return nil }
        let halves = mantissa.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = halves.count > 1 ? String(halves[1]) : ""
        var digits = halves[0] + fraction + String(repeating: "0", count: max(0, exponent - fraction.count))
        let surplus = fraction.count - exponent
        if surplus > 0 {
            digits = String(repeating: "0", count: surplus) + digits
            guard digits.suffix(surplus).allSatisfy({ $0 == "0" }) else { return nil }
            digits.removeLast(surplus)
        }
        let significant = digits.drop { $0 == "0" }
        return (text.hasPrefix("-") ? "-" : "") + (significant.isEmpty ? "0" : significant)
    }
}
