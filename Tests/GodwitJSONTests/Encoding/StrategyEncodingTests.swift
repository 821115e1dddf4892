import Foundation
import GodwitJSON
import TestSupport
import Testing

@Suite("J1 Encoding strategies")
struct StrategyEncodingTests {
    private static let dates: [Date] = [
        Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1_772_368_200),
        Date(timeIntervalSince1970: 0.999_9),
        Date(timeIntervalSince1970: -0.5), Date(timeIntervalSince1970: -86_400.25),
        Date(timeIntervalSince1970: 951_782_400), Date(timeIntervalSince1970: 951_868_799.999),
        Date(timeIntervalSince1970: -12_212_553_600), Date(timeIntervalSince1970: -12_212_553_601),
        Date(timeIntervalSince1970: -62_135_596_800), Date(timeIntervalSince1970: 253_402_300_799),
        Date(timeIntervalSince1970: 253_402_300_800), Date(timeIntervalSinceReferenceDate: 123.456),
        Date(timeIntervalSinceReferenceDate: 0.1),
    ]

    private static let strategies: [JSONEncoder.DateEncodingStrategy] = [
        .deferredToDate, .iso8601, .secondsSince1970, .millisecondsSince1970,
        .custom { date, encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(date.timeIntervalSince1970)
        },
        .custom { _, _ in },
        .custom { date, encoder in
            if date.timeIntervalSince1970 > 0 { throw Failure() }
            try date.encode(to: encoder)
        },
    ]

    @Test("J1 dates have Foundation's format in each strategy", arguments: strategies.indices)
    func dates(strategy: Int) {
        let options = Options(dates: Self.strategies[strategy])
        expectFoundations(Self.dates, options)
        for date in Self.dates {
            expectFoundations(date, options)
            expectFoundations(["a": date], options)
            expectFoundations([date, nil], options)
        }
    }

    @Test("J1 random dates have Foundation's ISO 8601 text")
    func randomDates() {
        var generator = SplitMix(seed: 8601)
        let dates = (0..<5000).map { _ in
            Date(timeIntervalSince1970: Double.random(in: -15_000_000_000...253_402_300_799, using: &generator))
        }
        expectFoundations(dates, Options(dates: .iso8601))
    }

    @Test("J1 a date that isn't a number throws")
    func invalidDates() {
        let date = Date(timeIntervalSince1970: .nan)
        let texts = JSONEncoder.NonConformingFloatEncodingStrategy.convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        for strategy in [.deferredToDate, .secondsSince1970, .millisecondsSince1970]
            as [JSONEncoder.DateEncodingStrategy]
        {
            expectFoundations(["a": date], Options(dates: strategy))
            expectFoundations(["a": date], Options(dates: strategy, numbers: texts))
        }
        let iso8601 = Options(dates: .iso8601).ours
        #expect(Outcome { try iso8601.encode(["a": date]) } == .invalid(path: ["a"]))
        #expect(Outcome { try iso8601.encode([Date(timeIntervalSince1970: .infinity)]) } == .invalid(path: ["Index 0"]))
    }

    @Test("J1 bytes have Foundation's format in each strategy")
    func data() {
        let samples = (0..<70).map { count in Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ 250) }) }
        let strategies: [JSONEncoder.DataEncodingStrategy] = [
            .base64, .deferredToData, .custom { _, _ in },
            .custom { data, encoder in
                var container = encoder.container(keyedBy: Name.self)
                try container.encode(data.count, forKey: "count")
            },
            .custom { _, _ in throw Failure() },
        ]
        for strategy in strategies {
            expectFoundations(samples, Options(data: strategy))
            expectFoundations(samples[0], Options(data: strategy))
            expectFoundations(["a": samples[5]], Options(data: strategy))
        }
        expectFoundations(Data(repeating: 0xFF, count: 999))
        expectFoundations(samples[50].dropFirst(3))
    }

    @Test("J1 plain functions format dates and bytes, without an encoder")
    func scalarFormats() throws {
        var encoder = JSONModelEncoder()
        encoder.dateFormat = JSONScalarFormat(name: "a day") { date in
            let days = date.timeIntervalSince1970 / 86_400
            return days < 0 ? nil : days < 10 ? .text("day \(Int(days))") : .number(days)
        }
        encoder.dataFormat = JSONScalarFormat(name: "hex") { $0.isEmpty ? nil : .text("\($0.count) bytes") }
        let dates = [0, 86_400 * 11].map { Date(timeIntervalSince1970: $0) }
        #expect(Outcome { try encoder.encode(dates) } == .text(#"["day 0",11]"#))
        #expect(Outcome { try encoder.encode(["a": Data([1, 2])]) } == .text(#"{"a":"2 bytes"}"#))
        #expect(Outcome { try encoder.encode(["a": Date(timeIntervalSince1970: -1)]) } == .invalid(path: ["a"]))
        #expect(Outcome { try encoder.encode([Data()]) } == .invalid(path: ["Index 0"]))
        #expect(Outcome { try encoder.encode(Date(timeIntervalSince1970: .infinity)) } == .invalid(path: []))
    }

    private struct Names: Encodable {
        let names: [String]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Name.self)
            for name in names { try container.encode(1, forKey: Name(stringValue: name)) }
        }
    }

    @Test("J1 snake case has Foundation's words")
    func snakeCase() {
        let names = [
            "", "a", "A", "_", "__", "oneTwoThree", "_oneTwo_", "myURL", "myURLProperty", "URL", "URLs", "aB", "aBC",
            "aBCd", "ABc", "AbC", "a1B2", "HTTP2Server", "x_y", "x_Y", "snake_case", "Ünïcode", "naïveÉcole", "straßE",
            "ÀÉÎ", "aÀb", "日本Go", "a\u{301}B", "aB\u{301}c", "ǅabc", "aǅb", "İx", "aİ", "ÉÀb", "σΣ", "ΑΣ", "oneΣ",
            "one two", "oneTwo three", "a-B", "😀Bc", "a\r\nB",
        ]
        for name in names { expectFoundations(Names(names: [name]), Options(keys: .convertToSnakeCase)) }
    }

    @Test("J1 random names in snake case have Foundation's words")
    func randomSnakeCase() {
        var generator = SplitMix(seed: 5)
        let letters = Array("abXYZ_1é ÉÄß")
        for _ in 0..<2000 {
            let name = String(
                (0..<Int.random(in: 0...9, using: &generator)).compactMap { _ in
                    letters.randomElement(using: &generator)
                })
            var options = Options(keys: .convertToSnakeCase)
            options.format = .sortedKeys
            let value = Names(names: [name])
            #expect(Outcome { try options.ours.encode(value) } == Outcome { try options.foundations.encode(value) })
        }
    }

    private struct Nested: Encodable {
        struct Inner: Encodable {
            var innerValue = 1
            var someDates = [Date(timeIntervalSince1970: 0)]
        }

        var firstInner = Inner()
        var allInners = [Inner(), Inner()]
        var byName = ["someKey": Inner(), "otherKey": Inner()]
        var byNumber = [1: Inner()]
        var deepNames = ["outerKey": ["innerKey": 1]]
        var optionalNames: [String: Int]? = ["aKey": 1]
    }

    @Test("J1 key strategies leave keys of dictionaries alone")
    func dictionaries() {
        expectFoundations(Nested())
        expectFoundations(Nested(), Options(keys: .convertToSnakeCase))
        expectFoundations(["someKey": Nested()], Options(keys: .convertToSnakeCase))
    }

    @Test("J1 a custom key strategy receives the coding path")
    func customKeys() {
        struct Inner: Encodable {
            var innerValue = 1
        }
        struct Outer: Encodable {
            var firstInner = Inner()
            var allInners = [Inner(), Inner()]
        }
        let strategy = JSONEncoder.KeyEncodingStrategy.custom { path in
            Name(stringValue: path.map { $0.intValue.map { "#\($0)" } ?? $0.stringValue }.joined(separator: "."))
        }
        expectFoundations(Outer(), Options(keys: strategy))
        expectFoundations([Outer()], Options(keys: strategy))
    }

    @Test("J1 the user info reaches every encoder")
    func userInfo() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "key"))
        struct Reader: Encodable {
            let key: CodingUserInfoKey

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(encoder.userInfo[key] as? String)
            }
        }
        expectFoundations([Reader(key: key)], Options(userInfo: [key: "value"]))
        expectFoundations(["a": Reader(key: key)])
    }
}
