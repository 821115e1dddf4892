import GodwitJSON
import TestSupport
import Testing

/// Looks for input that traps, hangs or reads memory it shouldn't. Off unless `GODWIT_JSON_FUZZ_SECONDS` says how long.
///
/// Under AddressSanitizer: `ASAN_OPTIONS=detect_leaks=0 GODWIT_JSON_FUZZ_SECONDS=60 swift test --sanitize=address --filter JSONFuzz`.
/// A trap ends the process. The seed of the run is printed first, and each input is what follows from it.
@Suite("J1 Fuzzing", .enabled(if: setting("GODWIT_JSON_FUZZ_SECONDS") != nil))
struct JSONFuzzTests {
    /// The six cases share the time, as they may run one after another.
    private let end = ContinuousClock.now + Duration.seconds(setting("GODWIT_JSON_FUZZ_SECONDS") ?? 0) / 6

    @Test("J1 no mutation of a real document traps", arguments: ["twitter", "citm_catalog", "canada", "github_events"])
    func realDocuments(name: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../../shared/data/json/\(name).json")
        guard let original = try? Data(contentsOf: file) else {
            print("Skipped: \(file.standardized.path) isn't there.")
            return
        }
        var random = Self.random("\(name).json")
        repeat {
            let start = random.below(original.count)
            let part =
                random.happens(10) ? Array(original) : Array(original.dropFirst(start).prefix(random.below(20_000)))
            let text = random.happens(60) ? Self.closed(part) : part
            try Self.decode(Mutation.mutate(text, using: &random), using: &random)
        } while ContinuousClock.now < end
    }

    @Test("J1 no random document traps, whatever type it is decoded to")
    func randomDocuments() throws {
        var random = Self.random("random documents")
        repeat {
            let comparison = DecodingComparison(seed: Int(truncatingIfNeeded: random.next()))
            _ = comparison.model
            try Self.decode(comparison.document, using: &random)
        } while ContinuousClock.now < end
    }

    @Test("J1 no sequence of random bytes traps")
    func randomBytes() throws {
        var random = Self.random("random bytes")
        let structural = Array(#"{}[]:,"\u0019-+.eEtruefalsn "#.utf8)
        repeat {
            let isStructural = random.happens(70)
            let bytes = (0..<random.below(400)).map { _ in
                isStructural && random.happens(95) ? random.pick(structural) : UInt8(truncatingIfNeeded: random.next())
            }
            try Self.decode(bytes, using: &random)
        } while ContinuousClock.now < end
    }

    private static func random(_ title: String) -> SplitMix {
        let seed = setting("GODWIT_JSON_SEED") ?? Int.random(in: 1...1_000_000_000)
        print("Fuzzing with \(title): GODWIT_JSON_SEED=\(seed)")
        return SplitMix(seed: seed)
    }

    /// A part of a document with an array around it and its brackets closed, so that more of it is JSON.
    private static func closed(_ part: [UInt8]) -> [UInt8] {
        guard let start = part.firstIndex(of: UInt8(ascii: "{")), let end = part.lastIndex(of: UInt8(ascii: "}")),
            start < end
        else { return part }
        var open: [UInt8] = []
        var isString = false
        for (index, byte) in part[start...end].enumerated() {
            if byte == UInt8(ascii: "\""), index == 0 || part[start + index - 1] != UInt8(ascii: "\\") {
                isString.toggle()
            }
            guard !isString else { continue }
            if byte == UInt8(ascii: "{") { open.append(UInt8(ascii: "}")) }
            if byte == UInt8(ascii: "[") { open.append(UInt8(ascii: "]")) }
            if byte == open.last { open.removeLast() }
        }
        return [UInt8(ascii: "[")] + part[start...end] + open.reversed() + [UInt8(ascii: "]")]
    }

    /// Decodes with a random type and strategies, and checks what parsing says against the grammar.
    private static func decode(_ bytes: [UInt8], using random: inout SplitMix) throws {
        let data = Data(bytes)
        let isDocument = (try? JSONDocument(parsing: data)) != nil
        if bytes.prefix(4).allSatisfy({ $0 != 0 && $0 < 0xFE }) {
            let isJSON = StrictValidator.accepts(bytes)
            try #require(isDocument == isJSON, "\(data.prefix(100_000).base64EncodedString())")
        }
        var schemas = RandomSchema(strategies: DecodingStrategies(using: &random), random: random)
        let schema = schemas.schema(for: .random(depth: 4, using: &random))
        let decoder = schemas.strategies.model(userInfo: [SchemaPlan.key: SchemaPlan(schema)])
        _ = try? decoder.decode(SchemaValue.self, from: data)
        _ = try? schemas.strategies.model().decode(DynamicValue.self, from: data)
        let type = random.pick(HandWritten.all)
        _ = try? type.model(schemas.strategies.model(), data)
    }
}
