#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import GodwitJSON
import TestSupport
import Testing

/// Models that read their members themselves are decoded as Codable's containers decode them.
@Suite("J1 Models that read JSON themselves")
struct ReadableTests {
    /// A document of keys in order, one of others in reverse, with duplicates, escapes, unknown keys and null.
    private static let samples = [
        #"""
        {"id":1,"stationName":"Miranda","altitude":4.5,"isActive":true,"openedAt":700000000,"closedAt":null,
        "homepage":"https://example.com/a","key":"7E0F2F2A-52C1-4C0C-8E4C-3A3B0F5D2C11","badge":"AQID","fee":12.30,
        "state":"open","level":7,"owner":{"address":{"city":"Nome","zipCode":"99762"},"phones":[1,2]},
        "deputy":{"address":{"city":"Whakatāne"}},"sensors":[{"unit":"K","values":[1,2.5]},{"unit":"m","values":[],
        "owner":{"address":{"city":"x"},"phones":null}}],"spares":[null,{"unit":"s","values":[0]}],
        "byName":{"a":{"address":{"city":"A"}}},"tags":["x","\u00e9\n"],
        "parent":{"id":2,"stationName":"","altitude":0,"isActive":false,"openedAt":0,
        "owner":{"address":{"city":""}},"sensors":[]},"e":1.5}
        """#,
        #"""
        {"e":null,"sensors":[],"id":3,"id":4,"owner":{"address":{"zipCode":null,"city":"c","city":5}},"unknown":[{"id":9}],
        "openedAt":1,"isActive":false,"altitude":-0.0,"station\u004eame":"n","tags":[]}
        """#,
        #"""
        {"id":1,"station_name":"A","stationName":"B","altitude":1,"is_active":true,"opened_at":1,"closed_at":2,"by_name":{"a_b":{"address":
        {"city":"c","zip_code":"z"}}},"owner":{"address":{"city":"c","_zip_code":"no","zip__code":"z"}},"sensors":[]}
        """#,
    ]

    private static func outcome(
        _ document: [UInt8], _ strategies: DecodingStrategies, _ decoder: JSONModelDecoder, readable: Bool
    ) -> ReadOutcome {
        let data = Data(document)
        return readable
            ? ReadOutcome { try decoder.decode([Station<ByReader>].self, from: data) }
            : ReadOutcome { try decoder.decode([Station<ByContainers>].self, from: data) }
    }

    @Test("J1 random documents, damage and strategies give the values and errors that Codable's containers give")
    func random() {
        var values = 0
        for seed in 0..<3_000 {
            var random = SplitMix(seed: seed)
            let strategies = DecodingStrategies(using: &random)
            let parts = (0..<1 + random.below(3)).map { _ in
                let sample = Array(random.pick(Self.samples).utf8)
                return random.happens(60) ? sample : Mutation.mutate(sample, using: &random)
            }
            let document = Array("[".utf8) + parts.joined(separator: Array(",".utf8)) + Array("]".utf8)
            let plain = Self.outcome(document, strategies, strategies.model(), readable: false)
            let read = Self.outcome(document, strategies, strategies.model(), readable: true)
            #expect(plain == read, "seed \(seed), \(strategies): \(String(decoding: document, as: UTF8.self))")
            if case .value = plain { values += 1 }
        }
        #expect(values > 300, "\(values) of 3,000")
    }

    @Test("J1 a wrong kind of value, null and a missing key in each place throw what Codable's containers throw")
    func errors() throws {
        let document = try JSONDocument(parsing: Data(Self.samples[0].utf8))
        let wrong = ["null", "true", "-1", "1e400", "\"text\"", "[[]]", "{\"a\":{}}", nil]
        for member in document.root.members {
            for value in wrong {
                let others = document.root.members.filter { $0.key != member.key }
                    .map { "\($0.keySource):" + String(decoding: $0.value.source, as: UTF8.self) }
                let text =
                    "[{"
                    + (others + [value.map { member.keySource + ":" + $0 }].compactMap(\.self)).joined(separator: ",")
                    + "}]"
                let strategies = DecodingStrategies()
                let plain = Self.outcome(Array(text.utf8), strategies, JSONModelDecoder(), readable: false)
                #expect(
                    plain == Self.outcome(Array(text.utf8), strategies, JSONModelDecoder(), readable: true), "\(text)")
            }
        }
    }

    @Test("J1 dates, data, URLs and numbers follow the strategies, however many readable types a program has")
    func manyTypes() throws {
        let count = ManyTypes.tags.count * ManyTypes.tags.count
        let element = #"{"at":"2026-11-29T00:00:00Z","badge":"AQID","page":"https://a.example/x","fee":0.1}"#
        var decoder = JSONModelDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let text = "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
        let many = try decoder.decode(ManyTypes.self, from: Data(text.utf8))
        #expect(many.values.count == count)
        #expect(Set(many.values).count == 1)
    }

    @Test("J1 other decoders, and JSON5, decode a readable model through Codable")
    func otherDecoders() throws {
        let data = Data("[\(Self.samples[0])]".utf8)
        let read = ReadOutcome { try JSONModelDecoder().decode([Station<ByReader>].self, from: data) }
        #expect(ReadOutcome { try JSONDecoder().decode([Station<ByReader>].self, from: data) } == read)
        var lenient = JSONModelDecoder()
        lenient.allowsJSON5 = true
        #expect(ReadOutcome { try lenient.decode([Station<ByReader>].self, from: data) } == read)
        guard case .value = read else { Issue.record("\(read)"); return }
    }
}

/// A description of a value, or of an error with its words, without the kind of model.
private enum ReadOutcome: Hashable {
    case value(String)
    case failure(DecodingFailure, String)

    init(_ decode: () throws -> some Any) {
        do {
            self = .value(Self.plain(dumped(try decode())))
        } catch {
            var words = ""
            if let error = error as? DecodingError {
                switch error {
                case .keyNotFound(_, let context), .valueNotFound(_, let context), .typeMismatch(_, let context),
                    .dataCorrupted(let context):
                    words = context.debugDescription
                @unknown default: break
                }
            }
            self = .failure(DecodingFailure(error), Self.plain(words))
        }
    }

    private static func plain(_ text: String) -> String {
        text.replacing("ByReader", with: "_").replacing("ByContainers", with: "_")
    }
}

/// An array whose elements have readable types, each another one.
private struct ManyTypes: Decodable {
    static let tags: [any Any.Type] = [
        Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
        UInt64.self, Float.self, Double.self, Bool.self, String.self, Character.self, Never.self, Date.self, Data.self,
        URL.self, Decimal.self,
    ]

    var values: [String] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        for first in Self.tags {
            for second in Self.tags { values.append(try Self.value(first, second, from: &container)) }
        }
    }

    private static func value<First, Second>(
        _ first: First.Type, _ second: Second.Type, from container: inout any UnkeyedDecodingContainer
    ) throws -> String {
        let tagged = try container.decode(Tagged<First, Second>.self)
        return "\(tagged.at) \(Array(tagged.badge)) \(tagged.page) \(tagged.fee)"
    }

    private struct Tagged<First, Second>: JSONReadable {
        let at: Date
        let badge: Data
        let page: URL
        let fee: Decimal

        init(json: inout JSONObjectReader) throws {
            at = try json.read("at")
            badge = try json.read("badge")
            page = try json.read("page")
            fee = try json.read("fee")
        }
    }
}
