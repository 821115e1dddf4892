import GodwitJSON
import Testing

@Suite("J1 Documents")
struct JSONDocumentTests {
    private func root(_ json: String) throws -> JSONElement { try JSONDocument(parsing: Data(json.utf8)).root }

    @Test("J1 values are found by key and position, and have the kind of their text")
    func navigation() throws {
        let root = try root(#"{"a": [1, -2.5e1, true, null, "x\né"], "b": {"c": {}}, "": []}"#)
        #expect(root["a"]?.elements.map(\.kind) == [.number, .number, .boolean, .null, .string])
        #expect(root["a"]?[0]?.integer(UInt8.self) == 1)
        #expect(root["a"]?[1]?.double == -25)
        #expect(root["a"]?[1]?.integer(Int.self) == -25)
        #expect(root["a"]?[2]?.bool == true)
        #expect(root["a"]?[4]?.string == "x\né")
        #expect(root["a"]?[5] == nil)
        #expect(root["a"]?[-1] == nil)
        #expect(root["b"]?["c"]?.members.map(\.key) == [])
        #expect(root[""]?.kind == .array)
        #expect(root["x"] == nil)
        #expect(root.members.map(\.key) == ["a", "b", ""])
        #expect(root["b"]?["c"]?["d"] == nil)
        #expect(root["a"]?.string == nil)
    }

    @Test(
        "J1 an element in a model keeps its text: digits, escapes, order, whitespace, in all layouts and key strategies"
    )
    func elementsInModels() throws {
        struct Model: Codable {
            var theRaw: JSONElement
            var list: [JSONElement]
            var absent: JSONElement?
        }
        let raw = #"{"b_c": 1.10, "a":[1e2, 12345678901234567890123, "\u0041\/"],"b_c":null}"#
        let text = #"{"list":[1.0,"x",null],"the_raw":\#(raw)}"#
        var (decoder, encoder) = (JSONModelDecoder(), JSONModelEncoder())
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let model = try decoder.decode(Model.self, from: Data(text.utf8))
        #expect(model.absent == nil && model.list.last?.kind == .null)
        #expect(String(decoding: try encoder.encode(model), as: UTF8.self) == text)
        encoder.outputFormatting = .prettyPrinted
        #expect(String(decoding: try encoder.encode(model), as: UTF8.self).contains(raw))
        #expect(try encoder.encode(model.theRaw) == Data(raw.utf8))
        #expect(try encoder.encode([model.list[0]]) == Data("[\n  1.0\n]".utf8))
    }

    @Test("J1 an element is decoded only from a document; other encoders get its value")
    func elementsElsewhere() throws {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([JSONElement].self, from: Data("[1]".utf8)) }
        #expect(try JSONEncoder().encode(try root("[1.0,  null]")) == Data("[1,null]".utf8))
    }

    @Test("J1 the first of equal keys counts, also if one of them has escapes")
    func duplicates() throws {
        #expect(try root(#"{"a":1,"a":2}"#)["a"]?.integer(Int.self) == 1)
        #expect(try root(#"{"\u0061":1,"a":2}"#)["a"]?.integer(Int.self) == 1)
    }

    @Test("J1 a value's source and position are those in the text")
    func source() throws {
        let root = try root("{\n  \"é\": [ 1.50 ,\n    \"a\\u0062\" ]\n}")
        let array = try #require(root["é"])
        #expect(String(decoding: array.source, as: UTF8.self) == "[ 1.50 ,\n    \"a\\u0062\" ]")
        #expect(array[0].map { String(decoding: $0.source, as: UTF8.self) } == "1.50")
        #expect(array[1].map { String(decoding: $0.source, as: UTF8.self) } == "\"a\\u0062\"")
        #expect(try #require(array[0]).position == (2, 10))
        #expect(try #require(array[1]).position == (3, 5))
        #expect(root.members.map(\.keySource) == ["\"é\""])
    }

    @Test("J1 a document can be a slice of data, and in UTF-16 or UTF-32, with or without a byte order mark")
    func encodings() throws {
        let slice = Data("xx[1,\"é😀\"]yy".utf8).dropFirst(2).dropLast(2)
        #expect(try JSONDocument(parsing: slice).root[1]?.string == "é😀")
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian] {
            let data = try #require("[1,\"é😀\"]".data(using: encoding))
            #expect(try JSONDocument(parsing: data).root[1]?.string == "é😀")
            let marked = try #require("\u{FEFF}[1,\"é😀\"]".data(using: encoding))
            #expect(try JSONDocument(parsing: marked).root[1]?.string == "é😀")
        }
        let marked = try JSONDocument(parsing: Data([0xEF, 0xBB, 0xBF]) + Data("[2]".utf8))
        #expect(marked.root[0]?.double == 2)
        #expect(marked.root[0].map { $0.position == (1, 2) } == true)
    }

    @Test(
        "J3 a syntax error says the line, the column, what was expected and what is there",
        arguments: [
            ("", "line 1, column 1: expected a value"),
            ("[1,\n 2,\n]", "line 3, column 1: expected a value, found \"]\""),
            ("{\"é\": tru}", "line 1, column 10: expected true, found \"}\""),
            ("{\"a\" 1}", "line 1, column 6: expected \":\", found \"1\""),
            ("{\"a\":1 \"b\":2}", "line 1, column 8: expected \",\" or \"}\", found \"\"\""),
            ("[1 2]", "line 1, column 4: expected \",\" or \"]\", found \"2\""),
            ("[\"a\nb\"]", "line 1, column 4: expected an escape for the control character, found \"0xa\""),
            ("[\"a", "line 1, column 4: expected the string's closing quote"),
            ("[1] x", "line 1, column 5: expected the end of the document, found \"x\""),
            ("[01]", "line 1, column 3: expected no digit after a leading zero, found \"1\""),
            ("{a:1}", "line 1, column 2: expected a key in quotes, found \"a\""),
            ("[\"\\x\"]", "line 1, column 4: expected one of \"\\/bfnrtu after the backslash, found \"x\""),
            ("NaN", "line 1, column 1: expected a value, found \"NaN\""),
        ])
    func syntaxErrors(json: String, description: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: Data(json.utf8)) }
        #expect(error.map { "\($0)" } == description)
    }

    @Test("J1 nesting is limited without using the stack")
    func depth() throws {
        func nested(_ depth: Int) -> Data {
            Data((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(throws: Never.self) { try JSONDocument(parsing: nested(512)) }
        #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: nested(513)) }
        #expect(throws: Never.self) { try JSONDocument(parsing: nested(90_000), maximumDepth: .max) }
        #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: nested(2), maximumDepth: -1) }
    }
}

@Suite("J1 Any JSON")
struct JSONValueTests {
    private static let json =
        #"{"a":[1,-9223372036854775808,18446744073709551615,1.5,true,null,"x"],"b":{"a":1,"a":2}}"#
    private static let value: JSONValue = [
        "a": [1, .integer(.min), 18446744073709551615.0, 1.5, true, nil, "x"], "b": ["a": 1],
    ]

    @Test("J1 a value is decoded by either decoder, and made of an element")
    func decoding() throws {
        let data = Data(Self.json.utf8)
        #expect(try JSONModelDecoder().decode(JSONValue.self, from: data) == Self.value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: data) == Self.value)
        #expect(try JSONValue(JSONDocument(parsing: data).root) == Self.value)
        #expect(try JSONModelDecoder().decode([String: JSONValue].self, from: data)["b"]?["a"] == 1)
    }

    @Test("J1 a value is encoded, and is equal when it is decoded again")
    func encoding() throws {
        let data = try JSONModelEncoder().encode(Self.value)
        #expect(try JSONModelDecoder().decode(JSONValue.self, from: data) == Self.value)
        #expect(Self.value["a"]?.string == nil)
        #expect(JSONValue("x").string == "x")
    }
}
