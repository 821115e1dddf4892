import GodwitCore
import Testing

@Suite("E7 options of JSON")
struct JSONOptionsTests {
    private struct Event: Codable, Equatable {
        var name = "tide"
        var publishedAt = Date(timeIntervalSince1970: 100)
        var count = 2
    }

    private func text(_ value: some Encodable, _ coding: JSONCoding) throws -> String {
        String(decoding: try coding.encode(value), as: UTF8.self)
    }

    @Test("E7 keys are sorted at every depth by default")
    func sorted() throws {
        let value = ["b": ["d": 1, "c": 2], "a": ["f": 3, "e": 4]]
        #expect(try text(value, JSONCoding()) == #"{"a":{"e":4,"f":3},"b":{"c":2,"d":1}}"#)
        #expect(try text(["a/b": 1], JSONCoding(format: [.indented, .escapedSlashes])) == "{\n  \"a\\/b\" : 1\n}")
    }

    @Test("E7 dates may be numbers or text, both ways")
    func mixedDates() throws {
        let dates = JSONDates.custom(name: "a Unix time, as number or text") { value in
            switch value {
            case .number(let seconds): Date(timeIntervalSince1970: seconds)
            case .text(let text): Double(text).map { Date(timeIntervalSince1970: $0) }
            }
        } write: {
            $0.timeIntervalSince1970 < 0 ? nil : .number($0.timeIntervalSince1970)
        }
        let coding = JSONCoding(dates: dates)
        let date = Date(timeIntervalSince1970: 100)
        #expect(try coding.decode([Date].self, from: Data(#"[100, "100", 100.5]"#.utf8)) == [date, date, date + 0.5])
        #expect(try text([date], coding) == "[100]")
        for json in [#"["x"]"#, "[true]", "[{}]"] {
            let error = try #require(throws: NetworkError.self) {
                try coding.decode([Date].self, from: Data(json.utf8))
            }
            #expect("\(error.kind)".contains("expected a Unix time, as number or text"))
        }
        let error = try #require(throws: NetworkError.self) { try coding.encode([date - 200]) }
        #expect(error.shortDescription == "encoding")
    }

    @Test("E7 keys may be spelled by closures, and errors name them as they were sent")
    func customKeys() throws {
        let coding = JSONCoding(
            keys: .custom(
                write: { $0.prefix(1).uppercased() + $0.dropFirst() },
                read: { $0.prefix(1).lowercased() + $0.dropFirst() }), dates: .epochSeconds)
        let json = #"{"Count":2,"Name":"tide","PublishedAt":100}"#
        #expect(try text(Event(), coding) == json)
        #expect(try coding.decode(Event.self, from: Data(json.utf8)) == Event())
        let error = try #require(throws: NetworkError.self) {
            try coding.decode(Event.self, from: Data(#"{"Count":2,"Name":"tide","PublishedAt":"x"}"#.utf8))
        }
        guard case .decoding(let failure) = error.kind else { return #expect(Bool(false)) }
        #expect(failure.path == "PublishedAt")
    }

    @Test("E7 bytes may have a custom format")
    func customBytes() throws {
        let hex = JSONBytes.custom(name: "bytes in hex") { text in
            UInt8(text, radix: 16).map { Data([$0]) }
        } format: { data in
            String(data.first ?? 0, radix: 16)
        }
        let coding = JSONCoding(data: hex)
        #expect(try text([Data([255])], coding) == #"["ff"]"#)
        #expect(try coding.decode([Data].self, from: Data(#"["ff"]"#.utf8)) == [Data([255])])
        let error = try #require(throws: NetworkError.self) {
            try coding.decode([Data].self, from: Data(#"["xy"]"#.utf8))
        }
        #expect("\(error.kind)".contains("expected bytes in hex"))
    }

    @Test("E7 infinity and NaN may be texts")
    func nonFinite() throws {
        let texts = JSONNonFiniteNumbers.texts(infinity: "Inf", negativeInfinity: "-Inf", nan: "NaN")
        let coding = JSONCoding(nonFiniteNumbers: texts)
        #expect(try text([Double.infinity, -.infinity], coding) == #"["Inf","-Inf"]"#)
        #expect(try coding.decode([Double].self, from: Data(#"["NaN"]"#.utf8)).first?.isNaN == true)
        #expect(throws: NetworkError.self) { try JSONCoding().decode([Double].self, from: Data(#"["NaN"]"#.utf8)) }
    }

    @Test("E7 JSON5 is read where it is allowed")
    func json5() throws {
        let json = Data("[1, 2, /* more */]".utf8)
        #expect(try JSONCoding(syntax: .json5).decode([Int].self, from: json) == [1, 2])
        #expect(throws: NetworkError.self) { try JSONCoding().decode([Int].self, from: json) }
    }

    @Test("E7 userInfo reaches the types, both ways")
    func userInfo() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "tenant"))
        let coding = JSONCoding(userInfo: [key: "reader"])
        #expect(try text([Tenant()], coding) == #"["reader"]"#)
        #expect(try coding.decode([Tenant].self, from: Data("[1]".utf8)).map(\.name) == ["reader"])
    }

    @Test("E7 a custom decoder and encoder are used, also for unwrapping")
    func ownCoders() async throws {
        let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .secondsSince1970
        let coding = JSONCoding(decoder: decoder, encoder: encoder)
        let json = #"{"my_data":{"name":"tide","count":2,"published_at":100}}"#
        let api = articles(ScriptedTransport(200, json)) { $0.json = coding }
        #expect(try await api.send(Endpoint<Event>.get("a").unwrapping("my_data")) == Event())
        #expect(try text(Event(), coding) == #"{"count":2,"name":"tide","publishedAt":100}"#)
        let error = try #require(throws: NetworkError.self) { try coding.decode(Event.self, from: Data("{}".utf8)) }
        #expect(error.shortDescription == "decoding")
    }
}

/// Takes its name from `userInfo`.
private struct Tenant: Codable {
    var name = ""

    init() {}

    init(from decoder: any Decoder) throws {
        name = decoder.userInfo.values.first as? String ?? ""
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(encoder.userInfo.values.first as? String ?? "")
    }
}
