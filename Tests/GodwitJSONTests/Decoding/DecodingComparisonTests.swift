import GodwitJSON
import Testing

/// Random documents, random damage to them and random types, decoded by both decoders.
///
/// `GODWIT_JSON_RUNS` sets how many (3,000 by default), `GODWIT_JSON_SEED` the first. Under AddressSanitizer:
/// `ASAN_OPTIONS=detect_leaks=0 GODWIT_JSON_RUNS=100000 swift test --sanitize=address --filter DecodingComparison`.
@Suite("J1 Comparison with Foundation's JSONDecoder")
struct DecodingComparisonTests {
    private static let runs = setting("GODWIT_JSON_RUNS") ?? 3_000
    private static let firstSeed = setting("GODWIT_JSON_SEED") ?? 1

    @Test("J1 random documents and mutations decode to the same values and errors as with Foundation")
    func random() {
        var kinds: [String: (count: Int, example: Difference)] = [:]
        for seed in Self.firstSeed..<(Self.firstSeed + Self.runs) {
            let comparison = DecodingComparison(seed: seed)
            guard let difference = comparison.difference() else { continue }
            // Shrinking takes long: one example of each kind is enough.
            if kinds[difference.kind] == nil, kinds.count < 20 {
                kinds[difference.kind] = (0, comparison.shrunk() ?? difference)
            }
            kinds[difference.kind]?.count += 1
        }
        for (kind, (count, example)) in kinds { Issue.record("\(count) of the kind \(kind), such as\n\(example)") }
    }

    @Test("J1 most random documents decode to a value, so that the comparison is of more than errors")
    func coverage() {
        let outcomes = (Self.firstSeed..<(Self.firstSeed + 500)).map { DecodingComparison(seed: $0).foundation }
        let values = outcomes.filter { $0.failure == nil }.count
        #expect(values > 100 && values < 400, "\(values) of 500")
    }

    @Test("J1 hand-written types decode their samples with both decoders", arguments: HandWritten.all)
    func samples(type: HandWritten) {
        for sample in type.samples {
            let comparison = DecodingComparison(
                document: Array(sample.utf8), target: .type(type), strategies: DecodingStrategies())
            #expect(comparison.foundation.failure == nil, "\(type.name): \(sample)")
            #expect(comparison.foundation == comparison.model, "\(sample)")
        }
    }

    @Test("J1 the judge of the comparison accepts and refuses what RFC 8259 does", arguments: ConformanceCase.all)
    func validator(test: ConformanceCase) {
        guard test.expectation == .accepted || test.expectation == .refused else { return }
        #expect(StrictValidator.accepts(test.bytes) == test.isDocument)
    }
}

/// The number in an environment variable.
func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
}
