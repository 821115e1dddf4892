import Foundation
import GodwitJSON
import TestSupport
import Testing

@Suite("J1 Encoding scalars")
struct ScalarEncodingTests {
    private struct Holder<Value: Encodable>: Encodable {
        let value: Value
        let list: [Value]
        let maybe: Value?
        let contiguous: ContiguousArray<Value>

        init(_ values: [Value]) {
            value = values[0]
            list = values
            maybe = values.last
            contiguous = ContiguousArray(values)
        }
    }

    private func expectAll<Value: Encodable>(_ values: [Value], _ options: Options = Options()) {
        expectFoundations(values, options)
        expectFoundations(Holder(values), options)
        for value in values { expectFoundations(value, options) }
    }

    @Test("J1 integers of every width are written as Foundation writes them")
    func integers() {
        expectAll([Int.min, -1, 0, 1, 9, 10, 99, 100, 12345, 999_999_999, 1_000_000_000, Int.max])
        expectAll([Int8.min, -1, 0, .max])
        expectAll([Int16.min, -1, 0, .max])
        expectAll([Int32.min, -1, 0, .max])
        expectAll([Int64.min, -1, 0, .max])
        expectAll([UInt.min, 1, .max])
        expectAll([UInt8.min, 1, .max])
        expectAll([UInt16.min, 1, .max])
        expectAll([UInt32.min, 1, .max])
        expectAll([UInt64.min, 1, .max])
        expectAll([Int128.min, -1, 0, .max])
        expectAll([UInt128.min, 1, .max])
        expectAll((0..<64).flatMap { [UInt64(1) << $0, (UInt64(1) << $0) - 1] })
        expectAll((0..<20).reduce(into: [UInt64(1)]) { $0.append($0[$1] &* 10) }.flatMap { [$0, $0 &- 1] })
        expectAll([true, false])
    }

    @Test("J1 doubles and floats have the shortest text that is read as the same number")
    func floatingPoint() {
        expectAll([
            0, -0.0, 1.0, -1.0, 0.1, 1.5, 1e15, 1e16, 1e17, 1e21, 1e22, .leastNonzeroMagnitude, 1e-3, 1e-4, 1e-5,
            123.456, 0.001,
            0.0012, 9_007_199_254_740_991, 18_014_398_509_481_984, .greatestFiniteMagnitude, .leastNormalMagnitude,
            .pi, 1 / 3, 100.25, 99.99, 1_234_567.891, 999_999.999_999_999, 1e14 + 0.5, 0.1 + 0.2, -65.613616999999977,
        ])
        expectAll([Float(0), -0.0, 1, 0.1, 1.5, 1e9, 16_777_216, 1e21, .pi, .leastNonzeroMagnitude, 3.4028235e38])
    }

    @Test("J1 random doubles are written as Foundation writes them", arguments: 0..<4)
    func randomDoubles(kind: Int) throws {
        var generator = SplitMix(seed: UInt64(kind))
        let numbers: [Double] = (0..<20_000).map { _ in
            switch kind {
            case 0: Double(bitPattern: generator.next())
            case 1: Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &generator)) / 100
            case 2: Double.random(in: -200...200, using: &generator)
            default:
                Double(Int.random(in: 0...1_000_000_000_000, using: &generator))
                    / [1e3, 1e6, 1e9, 1e10][Int.random(in: 0..<4, using: &generator)]
            }
        }.filter(\.isFinite)
        #expect(try JSONModelEncoder().encode(numbers) == JSONEncoder().encode(numbers))
        let floats = numbers.map { Float($0) }.filter(\.isFinite)
        #expect(try JSONModelEncoder().encode(floats) == JSONEncoder().encode(floats))
    }

    @Test("J1 infinity and NaN throw, or are the texts of the strategy")
    func nonFinite() {
        let texts = Options(
            numbers: .convertToString(positiveInfinity: "+\"", negativeInfinity: "-/", nan: "NaN"))
        for value in [Double.infinity, -.infinity, .nan] {
            expectAll([value], texts)
            expectAll([Float(value)], texts)
            expectFoundations(value)
            expectFoundations(Float(value))
            expectFoundations(["a": ["b": value]])
            expectFoundations(["a": Float(value)])
            expectFoundations([[value] as Set])
        }
        expectFoundations([1, .nan, 2], texts)
    }

    @Test("J1 the path of a number that isn't finite in an array includes its index")
    func nonFiniteInArray() {
        let encoder = JSONModelEncoder()
        #expect(Outcome { try encoder.encode(["a": [1, .nan]]) } == .invalid(path: ["a", "Index 1"]))
        #expect(Outcome { try encoder.encode([Float.infinity]) } == .invalid(path: ["Index 0"]))
    }

    @Test("J1 strings have Foundation's escapes, at every place and length")
    func strings() {
        expectAll(["", "a", "/", "\"", "\\", "é", "日本語", "👩‍👩‍👧", "\u{7F}", "\u{2028}\u{2029}", "a\u{0}b", "</script>"])
        expectAll((0..<0x21).map { String(UnicodeScalar(UInt8($0))) })
        for special in ["\"", "\\", "/", "\n", "\u{1F}", "é", "\u{0}"] {
            expectFoundations((0..<20).map { String(repeating: "x", count: $0) + special + "tail" })
            expectFoundations((0..<20).map { special + String(repeating: "y", count: $0) })
        }
        expectFoundations(String(repeating: "long text without escapes ", count: 5000))
        expectFoundations(String(repeating: "a \"quoted\" text/\n", count: 5000))
    }

    @Test("J1 a string of another encoding is encoded")
    func bridgedString() {
        expectFoundations(String("a substring of it".dropFirst(2)))
        expectFoundations(NSString(string: "bridged é \"").appending("!"))
    }

    @Test("J1 decimals, URLs and UUIDs are encoded as by Foundation")
    func otherScalars() throws {
        expectAll([Decimal(string: "12345678901234567890.0987654321"), 0, -1.5].compactMap { $0 })
        expectAll([URL(string: "https://example.com/a?b=c"), URL(string: "relative/path")].compactMap { $0 })
        expectAll([UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")])
        expectFoundations(1..<5)
        #expect(Outcome { try JSONModelEncoder().encode(["a": Decimal.nan]) } == .invalid(path: ["a"]))
    }

    @Test("J1 nil is null, alone and inside")
    func optionals() {
        expectFoundations(Int?.none)
        expectFoundations([1, nil, 3])
        expectFoundations(["a": String?.none, "b": "c"])
        expectFoundations([Int??.some(nil), 4])
    }
}
