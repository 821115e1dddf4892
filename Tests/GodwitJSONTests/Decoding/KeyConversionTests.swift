import GodwitJSON
import TestSupport
import Testing

/// Random keys converted from snake case: listed, and found by what Foundation makes of them.
@Suite("J1 Converting keys from snake case")
struct KeyConversionTests {
    /// The keys of an object as its type sees them, and the value that each leads to.
    private struct Keys: Decodable {
        let values: [String: Int]
        let wanted: [Int?]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            let keys = decoder.userInfo[KeyConversionTests.wantedKeys] as? [String] ?? []
            // Lookups come first: listing all keys must not help them.
            wanted = try keys.map { try container.decodeIfPresent(Int.self, forKey: AnyKey($0)) }
            let pairs = try container.allKeys.map { ($0.stringValue, try container.decode(Int.self, forKey: $0)) }
            values = Dictionary(pairs) { first, _ in first }
        }
    }

    private static let wantedKeys: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "wanted") else {
            preconditionFailure("a user info key takes any text")
        }
        return key
    }()

    private static let pieces = [
        "_", "_", "_", "a", "b", "Z", "Q", "1", "9", "-", ".", "'", " ", "é", "É", "ß", "ﬁ", "ı", "İ", "ǆ", "\u{301}",
        "日", "😀", "\t", "one", "TWO",
        "three", "\"", "\\", "$", "\u{7f}", "Σ", "ς",
    ]

    @Test("J1 random keys become what Foundation makes of them", arguments: [1, 3, 30, 90])
    func random(members: Int) throws {
        var random = SplitMix(seed: members)
        for _ in 0..<(600 / members) {
            let sent = (0..<members).map { _ in
                (0..<random.below(9)).reduce(into: "") { key, _ in key += random.pick(Self.pieces) }
            }
            let json = Data(RandomTree.object(sent.enumerated().map { ($1, .number("\($0)")) }).json(using: &random))
            let listed = try decode(json, wanted: [], with: JSONDecoder()).values
            let wanted = Array(listed.keys) + sent + ["missing", ""]
            let foundation = try decode(json, wanted: wanted, with: JSONDecoder())
            let model = try decode(json, wanted: wanted)
            #expect(model.values == foundation.values, "\(sent)")
            #expect(model.wanted == foundation.wanted, "\(sent)")
        }
    }

    private func decode(_ json: Data, wanted: [String], with decoder: JSONDecoder) throws -> Keys {
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.userInfo[Self.wantedKeys] = wanted
        return try decoder.decode(Keys.self, from: json)
    }

    private func decode(_ json: Data, wanted: [String]) throws -> Keys {
        var decoder = JSONModelDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.userInfo[Self.wantedKeys] = wanted
        return try decoder.decode(Keys.self, from: json)
    }
}
