import GodwitJSON
import Testing

/// Each intended difference from Foundation's decoder: what both do. If Foundation changes, these tests say so.
@Suite("J1 Differences from Foundation's JSONDecoder")
struct FoundationDifferenceTests {
    @Test(
        "J1 trailing commas, and bad text that no type reads, are refused",
        arguments: [
            "[1,]", #"[{"a":1,}]"#, "[1,{\"a\":\"\n\"}]", #"[1,{"a":"\x"}]"#, #"[1,{"a":01}]"#, #"[1,{"a":-}]"#,
            #"[1,{"a":1e}]"#,
        ])
    func grammar(json: String) throws {
        #expect(outcome(Lossy<Int>.self, json, foundation: true).failure == nil)
        let failure = DecodingFailure(kind: "dataCorrupted", path: "")
        #expect(outcome(Lossy<Int>.self, json, foundation: false).failure == failure)
    }

    @Test("J1 a zero with an exponent is zero", arguments: ["0e1", "0E5", "0.000e7"])
    func zero(json: String) {
        expect(Double.self, json, ours: 0)
        expect(Float.self, json, ours: 0)
    }

    @Test("J1 numbers are integers if their value is one, however they are written")
    func integers() {
        expectRefused(Int.self, "1e-400", foundation: 0)
        expectRefused(Int.self, "1.0000000000000000001", foundation: 1)
        expectRefused(Int.self, "9007199254740993.5", foundation: 9_007_199_254_740_993)
        expect(Int.self, "9223372036854775807.0", ours: .max)
        expect(UInt64.self, "1.8446744073709551615e19", ours: .max)
        expect(Int128.self, "1e38", ours: 100_000_000_000_000_000_000_000_000_000_000_000_000)
        expect(UInt128.self, "3402823669209384634633746074317682114.55e2", ours: .max)
    }

    @Test(
        "J1 the path of a number or string that doesn't fit leads to it",
        arguments: [
            (#"{"counts":{"a":[1,300]}}"#, #""counts"/"a"/"Index 1"=1"#),
            (#"{"counts":{"a":[1,1.5]}}"#, #""counts"/"a"/"Index 1"=1"#),
        ])
    func paths(json: String, path: String) {
        typealias Counts = [String: [String: [UInt8]]]
        #expect(outcome(Counts.self, json, foundation: true).failure?.path == "")
        #expect(outcome(Counts.self, json, foundation: false).failure?.path == path)
    }

    @Test("J1 the path of a date that isn't ISO 8601 has the date's key")
    func datePath() throws {
        struct Event: Decodable { var start: Date }
        var strategies = DecodingStrategies()
        strategies.dates = .iso8601
        let json = #"[{"start":"today"}]"#
        #expect(outcome([Event].self, json, foundation: true, strategies).failure?.path == #""Index 0"=0"#)
        #expect(outcome([Event].self, json, foundation: false, strategies).failure?.path == #""Index 0"=0/"start""#)
    }

    @Test("J1 escapes don't change the text of infinity")
    func escapedInfinity() throws {
        var strategies = DecodingStrategies()
        strategies.convertsFloats = true
        #expect(
            outcome(Double.self, #""\u0069nf""#, foundation: true, strategies).failure?.kind == "typeMismatch(Double)")
        let model = try strategies.model().decode(Double.self, from: Data(#""\u0069nf""#.utf8))
        #expect(model == .infinity)
    }

    @Test("J1 a container at its end stays there")
    func end() throws {
        struct PastTheEnd: Decodable, DescribedExactly {
            var index: Int
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                guard try container.decodeIfPresent(Int.self) == nil else { throw SchemaPlan.Missing() }
                guard try container.decodeIfPresent(String?.self) == nil else { throw SchemaPlan.Missing() }
                index = container.currentIndex
            }
            var exactDescription: String { "\(index)" }
        }
        #expect("\(outcome(PastTheEnd.self, "[]", foundation: true))" == "value 2")
        #expect("\(outcome(PastTheEnd.self, "[]", foundation: false))" == "value 0")
    }

    @Test("J1 keys are equal if their code points are, as RFC 8259 advises in section 8.3", arguments: [2, 100])
    func canonicalEquivalence(members: Int) throws {
        struct Decomposed: Decodable, DescribedExactly {
            let value: Int
            init(from decoder: any Decoder) throws {
                value = try decoder.container(keyedBy: AnyKey.self).decode(Int.self, forKey: AnyKey("e\u{301}"))
            }
            var exactDescription: String { "\(value)" }
        }
        let others = (2..<members).map { ",\"key\($0)\":\($0)" }.joined()
        let json = "{\"\u{e9}\":1,\"e\u{301}\":2\(others)}"
        #expect("\(outcome(Decomposed.self, json, foundation: true))" == "value 1")
        #expect("\(outcome(Decomposed.self, json, foundation: false))" == "value 2")
    }

    @Test("J1 a UTF-32 byte order mark is one in both byte orders")
    func byteOrderMark() throws {
        let json = Data([0xFF, 0xFE, 0, 0] + utf32("[1]", bigEndian: false))
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Int].self, from: json) }
        #expect(try JSONModelDecoder().decode([Int].self, from: json) == [1])
    }

    // MARK: Support

    private func expect<Value: Decodable & Equatable>(_ type: Value.Type, _ json: String, ours: Value) {
        #expect(outcome(type, json, foundation: true).failure?.kind == "dataCorrupted", "\(json)")
        #expect(outcome(type, json, foundation: false) == DecodingOutcome { describe(ours) }, "\(json)")
    }

    private func expectRefused<Value: Decodable & Equatable>(_ type: Value.Type, _ json: String, foundation: Value) {
        #expect(outcome(type, json, foundation: true) == DecodingOutcome { describe(foundation) }, "\(json)")
        #expect(outcome(type, json, foundation: false).failure?.kind == "dataCorrupted", "\(json)")
    }

    private func outcome<Value: Decodable>(
        _ type: Value.Type, _ json: String, foundation: Bool, _ strategies: DecodingStrategies = DecodingStrategies()
    ) -> DecodingOutcome {
        DecodingOutcome {
            let data = Data(json.utf8)
            return foundation
                ? try describe(strategies.foundation().decode(type, from: data))
                : try describe(strategies.model().decode(type, from: data))
        }
    }
}
