import Testing

@testable import GodwitJSON

@Suite("S5 What trees of JSON values may take")
struct JSONValueLimitTests {
    private static func text(_ element: String, _ count: Int) -> Data {
        Data(("[" + String(repeating: element + ",", count: count - 1) + element + "]").utf8)
    }

    private static func limited(_ limit: Int) -> JSONModelDecoder {
        var decoder = JSONModelDecoder()
        decoder.valueLimit = limit
        return decoder
    }

    private struct Model: Decodable {
        var a: JSONValue
        var b: JSONValue
    }

    @Test(
        "S5 a tree is refused if it takes more than its limit, however its text looks",
        arguments: ["[]", "{}", "0", "\"\"", "null", "[[]]", #"{"a":0}"#, "\"a text of more than 15 bytes\""])
    func limits(_ element: String) throws {
        let data = Self.text(element, 1000)
        let document = try JSONDocument(parsing: data)
        let size = document.root.treeSize + document.tape.size
        #expect(size >= 40_000 && size <= 250_000)
        #expect(try Self.limited(size).decode(JSONValue.self, from: data) == JSONValue(document.root))
        #expect(throws: JSONValuesTooLarge(limit: size - 1)) {
            try Self.limited(size - 1).decode(JSONValue.self, from: data)
        }
        #expect(throws: JSONValuesTooLarge.self) { try Self.limited(100).decode([JSONValue].self, from: data) }
        // Other types aren't counted.
        #expect(throws: Never.self) { try Self.limited(100).decode(JSONElement.self, from: data) }
    }

    @Test("S5 all trees of a document count together")
    func sum() throws {
        let list = String(decoding: Self.text("0", 1000), as: UTF8.self)
        let data = Data(#"{"a": \#(list), "b": \#(list)}"#.utf8)
        let document = try JSONDocument(parsing: data)
        let size = document.tape.size + 2 * (try #require(document.root["a"]).treeSize)
        #expect(throws: Never.self) { try Self.limited(size).decode(Model.self, from: data) }
        #expect(throws: JSONValuesTooLarge.self) { try Self.limited(size - 1).decode(Model.self, from: data) }
    }

    @Test("S5 entries of large texts are counted before they are made")
    func counting() {
        for json in ["[[],[],{}]", #"{"a": [1, -2e5, true ,null, "x,[\"\\"], "b":{"c":""}}"#, " 12 ", "\"a\""] {
            let data = Data(json.utf8)
            let count = data.withUnsafeBytes { JSONDocument.entryCount(in: $0, upTo: .max) }
            #expect(count == (try? JSONDocument(parsing: data))?.tape.count, "\(json)")
        }
        let zeros = Self.text("0", 1000)
        #expect(zeros.withUnsafeBytes { JSONDocument.entryCount(in: $0, upTo: 10) } == 11)
        #expect(JSONDocument.exceeds(16_000, zeros) && !JSONDocument.exceeds(16_016, zeros))
    }

    @Test("J1 a tape whose density changes has all its entries")
    func density() throws {
        for (first, second) in [
            ("0", "\"a long text that takes some more bytes than others\""), ("\"a long text, too\"", "0"),
        ] {
            let text = Self.text(first, 3000).dropLast() + Data(",".utf8) + Self.text(second, 30_000).dropFirst()
            let root = try JSONDocument(parsing: Data(text)).root
            #expect(root.elements.reduce(0) { count, _ in count + 1 } == 33_000)
        }
    }
}
