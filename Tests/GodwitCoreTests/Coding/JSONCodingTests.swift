import GodwitCore
import Testing

@Suite("E7 JSON coding")
struct JSONCodingTests {
    struct Post: Codable, Equatable, Sendable {
        var publishedAt: Date
        var viewCount: Int8
        var apiToken: String?
    }

    struct Posts: Decodable {
        var results: [Post]
    }

    private let snake = JSONCoding(keys: .snakeCase)

    private func decodingFailure(
        _ json: String, _ coding: JSONCoding? = nil
    ) throws -> NetworkError.DecodingFailure {
        let error = try #require(throws: NetworkError.self) {
            try (coding ?? snake).decode(Posts.self, from: Data(json.utf8))
        }
        #expect(error.phase == .decoding)
        #expect(error.underlying is DecodingError)
        guard case .decoding(let failure) = error.kind else {
            throw error
        }
        return failure
    }

    @Test("E7 keys are converted both ways")
    func snakeCase() throws {
        let json = #"{"published_at":"2026-03-01T12:30:00Z","view_count":3}"#
        let post = try snake.decode(Post.self, from: Data(json.utf8))
        #expect(post.viewCount == 3)
        let written = String(decoding: try snake.encode(post), as: UTF8.self)
        #expect(written.contains(#""published_at":"2026-03-01T12:30:00Z""#))
        #expect(written.contains(#""view_count":3"#))
    }

    private struct Author: Decodable { var authorID: Int }
    private struct Plain: Decodable { var authorId: Int }
    private struct Dated: Decodable {
        var publishedAt: String
        private enum CodingKeys: String, CodingKey { case publishedAt = "published_at" }
    }
    private struct Nested: Decodable { var items: [Author] }

    private func failure<Value: Decodable>(
        _ type: Value.Type, _ coding: JSONCoding, _ json: String
    ) throws -> NetworkError.DecodingFailure? {
        let error = #expect(throws: NetworkError.self) { try coding.decode(type, from: Data(json.utf8)) }
        guard case .decoding(let failure)? = error?.kind else { return nil }
        return failure
    }

    @Test("E7 a key that .snakeCase converts differently fails with the fix")
    func misspelled() throws {
        let id = try failure(Author.self, snake, #"{"author_id":7}"#)
        #expect(id?.path == "author_id")
        #expect(
            id?.reason
                == "the type asks for the key `authorID`, the body has `author_id`, which .snakeCase reads as `authorId` before"
                + " coding keys are compared; name the property `authorId`, or write `case authorID = \"authorId\"`")
        let explicit = try failure(Dated.self, snake, #"{"published_at":"now"}"#)
        #expect(explicit?.path == "published_at")
        #expect(explicit?.reason.hasSuffix("write `case publishedAt` without a value") == true)
        #expect(try failure(Nested.self, snake, #"{"items":[{"author_id":7}]}"#)?.path == "items[0].author_id")
        let asWritten = try failure(Plain.self, JSONCoding(), #"{"author_id":7}"#)
        #expect(
            asWritten?.reason
                == "the type asks for the key `authorId`, the body has `author_id`; write `case authorId = \"author_id\"` in"
                + " CodingKeys, or set JSONCoding(keys: .snakeCase)")
        let capital = try failure(Plain.self, JSONCoding(), #"{"AuthorID":7}"#)
        #expect(capital?.reason.hasSuffix("write `case authorId = \"AuthorID\"` in CodingKeys") == true)
        // Nothing like it: what was said before.
        #expect(try failure(Plain.self, snake, #"{"writer":7}"#)?.reason == "expected a value, found nothing")
    }

    private struct Renamed: Codable, Equatable {
        var authorID: Int
        private enum CodingKeys: String, CodingKey { case authorID = "authorId" }
    }

    @Test("E7 the suggested fix decodes, and encodes the server's key")
    func advised() throws {
        let value = try snake.decode(Renamed.self, from: Data(#"{"author_id":7}"#.utf8))
        #expect(value == Renamed(authorID: 7))
        #expect(String(decoding: try snake.encode(value), as: UTF8.self) == #"{"author_id":7}"#)
    }

    @Test("E7 a wrong date is named with its path as it stands in the JSON")
    func wrongDate() throws {
        let good = #"{"published_at":"2026-03-01T12:30:00Z","view_count":3}"#
        let failure = try decodingFailure(
            #"{"results":[\#(good),\#(good),\#(good),{"published_at":"yesterday","view_count":1}]}"#)
        #expect(failure.path == "results[3].published_at")
        #expect(failure.reason == #"expected ISO 8601 date, found "yesterday""#)
        let error = NetworkError(.decoding(failure), phase: .decoding)
        #expect(
            error.description == #"field `results[3].published_at`: expected ISO 8601 date, found "yesterday""#)
    }

    @Test(
        "E7 errors say what was expected and found",
        arguments: [
            (#"{"results":{}}"#, "results", "expected an array, found an object"),
            (#"{"results":null}"#, "results", "expected an array, found null"),
            (#"{}"#, "results", "expected a value, found nothing"),
            (#"[1]"#, "", "expected an object, found an array"),
            (
                #"{"results":[{"published_at":"2026-03-01T00:00:00Z"}]}"#, "results[0].view_count",
                "expected a value, found nothing"
            ),
            (
                #"{"results":[{"published_at":"2026-03-01T00:00:00Z","view_count":"x"}]}"#, "results[0].view_count",
                #"expected an integer, found "x""#
            ),
            (
                #"{"results":[{"published_at":7,"view_count":1}]}"#, "results[0].published_at",
                "expected ISO 8601 date, found 7"
            ),
            (
                #"{"results":[{"published_at":true"#, "", #"the body is not valid JSON: expected "," or "}""#
            ),
            ("<html>", "", "the body is not valid JSON: expected a value"),
            (
                #"{"results":[{"published_at":"2026-03-01T00:00:00Z","view_count":300}]}"#, "results[0].view_count",
                "the number 300 does not fit in Int8"
            ),
            ("", "", "empty body"),
        ])
    func reasons(json: String, path: String, reason: String) throws {
        let failure = try decodingFailure(json)
        #expect(failure.path == path)
        #expect(failure.reason == reason)
    }

    @Test("E7 errors have the keys as written without conversion")
    func asWritten() throws {
        let failure = try decodingFailure(#"{"results":[{"viewCount":1}]}"#, JSONCoding())
        #expect(failure.path == "results[0].publishedAt")
    }

    @Test("E7 a value under a secret name is never shown")
    func secrets() throws {
        struct Session: Decodable { var accessToken: Int }
        let error = try #require(throws: NetworkError.self) {
            try snake.decode(Session.self, from: Data(#"{"access_token":"hunter2","user":"ann"}"#.utf8))
        }
        guard case .decoding(let failure) = error.kind else { throw error }
        #expect(failure.reason == "expected an integer, found a string")
        #expect(failure.snippet == #"{"access_token":"<redacted>","user":"ann"}"#)
    }

    @Test("E7 the snippet is bounded")
    func snippet() throws {
        let failure = try decodingFailure(#"{"results":"\#(String(repeating: "a", count: 10_000))"}"#)
        #expect(failure.snippet?.utf8.count ?? .max <= 260)
        #expect(failure.reason.count < 120)
    }

    @Test(
        "E7 ISO 8601 dates are read with and without fractions and with any offset",
        arguments: [
            ("2026-03-01T12:30:00Z", 1_772_368_200.0), ("2026-03-01T12:30:00.25Z", 1_772_368_200.25),
            ("2026-03-01T13:30:00+01:00", 1_772_368_200), ("2026-03-01T07:00:00.000-0530", 1_772_368_200),
            ("2026-03-01t12:30:00z", 1_772_368_200), ("2026-03-01", 1_772_323_200), ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59.5Z", -0.5), ("2024-02-29T00:00:00Z", 1_709_164_800),
            ("2016-12-31T23:59:60Z", 1_483_228_800), ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("1900-03-01T00:00:00Z", -2_203_891_200),
        ])
    func dates(text: String, seconds: Double) throws {
        let date = try JSONCoding().decode([Date].self, from: Data("[\"\(text)\"]".utf8))
        #expect(date == [Date(timeIntervalSince1970: seconds)])
    }

    @Test(
        "E7 a day that doesn't exist isn't a date",
        arguments: [
            "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-04-31",
            "2026-03-01T24:00:00Z",
            "2026-03-01T12:60:00Z", "2026-03-01T12:30:00", "2026-03-01T12:30:00.Z", "2026-03-01T12:30:00Zx", "26-03-01",
            "",
            "2026-03-01T12:30Z", "2026-03-01T12:30:00+1", "٢٠٢٦-03-01",
        ])
    func noDates(text: String) {
        #expect(throws: NetworkError.self) {
            try JSONCoding().decode([Date].self, from: Data("[\"\(text)\"]".utf8))
        }
    }

    @Test("E7 ISO 8601 dates come back as they were written, milliseconds included")
    func datesRoundTrip() throws {
        let coding = JSONCoding()
        for seconds in stride(from: -5_000_000_000.0, through: 50_000_000_000, by: 123_456_789.125) {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(try coding.decode([Date].self, from: try coding.encode([date])) == [date])
        }
        #expect(
            String(decoding: try coding.encode([Date(timeIntervalSince1970: 0.25)]), as: UTF8.self)
                == #"["1970-01-01T00:00:00.250Z"]"#)
        // Go writes its zero value so.
        for text in ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
            let json = Data("[\"\(text)\"]".utf8)
            #expect(try coding.encode(coding.decode([Date].self, from: json)) == json)
        }
    }

    @Test(
        "E7 dates come back with as many digits as the option says",
        arguments: [
            (6, "28.123286Z"), (6, "28.000001Z"), (6, "59.999999Z"), (3, "28.120Z"), (1, "28.1Z"), (0, "28Z"),
            (6, "28.000000Z"), (.max, "28.123286Z"), (.min, "28Z"),
        ])
    func fractionDigits(digits: Int, end: String) throws {
        for start in ["1969-07-20T20:17:", "2026-03-01T12:30:", "2099-12-31T23:59:"] {
            let coding = JSONCoding(dates: .iso8601(fractionDigits: digits))
            let text = Data("[\"\(start)\(end)\"]".utf8)
            #expect(try coding.encode(coding.decode([Date].self, from: text)) == text)
        }
    }

    @Test("E7 each millisecond of a second, and of a day long ago, goes back with its digits")
    func milliseconds() throws {
        let coding = JSONCoding(dates: .iso8601(fractionDigits: 3))
        for start in [1_674_036_251, -1_000_000_000, 4_102_444_799] {
            for millisecond in 0..<1000 {
                let text = try coding.encode([Date(timeIntervalSince1970: Double(start) + Double(millisecond) / 1000)])
                let digits = "\(1000 + millisecond)".dropFirst()
                #expect(String(decoding: text, as: UTF8.self).hasSuffix(".\(digits)Z\"]"))
                #expect(try coding.encode(coding.decode([Date].self, from: text)) == text)
            }
        }
    }

    @Test("E7 dates as seconds and milliseconds since 1970")
    func epochs() throws {
        let date = Date(timeIntervalSince1970: 1_772_368_200.5)
        #expect(try JSONCoding(dates: .epochSeconds).decode([Date].self, from: Data("[1772368200.5]".utf8)) == [date])
        #expect(
            try JSONCoding(dates: .epochMilliseconds).decode([Date].self, from: Data("[1772368200500]".utf8)) == [date])
        #expect(try JSONCoding(dates: .epochMilliseconds).encode([date]) == Data("[1772368200500]".utf8))
    }

    @Test("E7 dates in a custom format")
    func custom() throws {
        let years = JSONDates.custom(
            name: "a year", parse: { Int($0).map { Date(timeIntervalSince1970: Double($0) * 1000) } },
            format: { String(Int($0.timeIntervalSince1970 / 1000)) })
        let coding = JSONCoding(dates: years)
        #expect(try coding.decode([Date].self, from: Data(#"["2"]"#.utf8)) == [Date(timeIntervalSince1970: 2000)])
        #expect(try coding.encode([Date(timeIntervalSince1970: 3000)]) == Data(#"["3"]"#.utf8))
        let error = try #require(throws: NetworkError.self) {
            try coding.decode([Date].self, from: Data(#"["x"]"#.utf8))
        }
        #expect(error.description.contains(#"field `[0]`: expected a year, found "x""#))
    }

    @Test("E7 bytes in Base64 or as numbers")
    func bytes() throws {
        #expect(try JSONCoding().encode([Data([1, 2])]) == Data(#"["AQI="]"#.utf8))
        #expect(try JSONCoding(data: .numbers).encode([Data([1, 2])]) == Data("[[1,2]]".utf8))
        #expect(try JSONCoding(data: .numbers).decode([Data].self, from: Data("[[1,2]]".utf8)) == [Data([1, 2])])
    }

    @Test("E4 a value without JSON is an encoding error that names the field")
    func encoding() throws {
        struct Measure: Encodable { var degrees: Double }
        let error = try #require(throws: NetworkError.self) { try JSONCoding().encode(Measure(degrees: .infinity)) }
        guard case .encoding(let reason) = error.kind else { throw error }
        #expect(reason.hasPrefix("field `degrees`: "))
        #expect(error.phase == .building)
    }
}
