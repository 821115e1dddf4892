@testable import GodwitGenerator
import Testing

@Suite("G2 Documents")
struct DocumentReaderTests {
    @Test("G2 the content decides between JSON and YAML, not the name")
    func decides() throws {
        #expect(try tree("{\"a\": 1}", name: "a.yaml")["a"]?.value == .number("1"))
        #expect(try tree("a: 1", name: "a.json")["a"]?.value == .number("1"))
        #expect(try tree("  \n[1]").elements.count == 1)
        #expect(try tree("{a: 1, b: [x]}")["b"]?.elements.first?.string == "x")
    }

    @Test("G2 UTF-8 with a byte order mark and UTF-16 are read")
    func encodings() throws {
        let text = "{\"a\": \"Ä\"}"
        for data in [
            Data([0xEF, 0xBB, 0xBF] + Array(text.utf8)),
            Data([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
            Data([0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }),
        ] {
            let root = try DocumentReader.read(SourceFile(name: "a", data: data))
            #expect(root["a"]?.string == "Ä")
            #expect(root["a"]?.place.position == .init(line: 1, column: 7))
        }
    }

    @Test("G2 JSON keeps numbers as written, and each value has its line, column and pointer")
    func places() throws {
        let root = try tree("{\n  \"a\": 1.10e2,\n  \"ü\": [true,\n    {\"x/y\": null}]\n}", name: "f.json")
        #expect(root["a"]?.value == .number("1.10e2"))
        #expect(root["a"]?.place.description == "f.json:2:8 (#/a)")
        #expect(root["ü"]?.elements.first?.place.description == "f.json:3:9 (#/ü/0)")
        #expect(root["ü"]?.elements.last?["x/y"]?.place.description == "f.json:4:13 (#/ü/1/x~1y)")
    }

    @Test("G2 YAML has the same places")
    func yamlPlaces() throws {
        let root = try tree("a: x\nb:\n  - one\n  - c: two\n", name: "f.yaml")
        #expect(root["a"]?.place.description == "f.yaml:1:4 (#/a)")
        #expect(root["b"]?.elements.last?["c"]?.place.description == "f.yaml:4:8 (#/b/1/c)")
    }

    @Test("G2 keys are equal by code units", arguments: [#"{"\u00e1": 1, "a\u0301": 2}"#, "\u{E1}: 1\na\u{301}: 2"])
    func keys(text: String) throws {
        let root = try tree(text, name: "f")
        #expect(root.members.count == 2)
        #expect(["\u{E1}", "a\u{301}"].map { root[$0]?.value } == [.number("1"), .number("2")])
    }

    @Test(
        "G2 what can't be read ends in one message with the place",
        arguments: [
            ("", "f: the file is empty"),
            ("# nothing\n", "f: the file is empty"),
            ("{\"a\": ]", "f:1:7: not valid JSON: expected a value, found \"]\""),
            ("{\"a\": \"\\uD800\"}", "f:1:7 (#/a): the string has an unpaired surrogate (`\\uD800` to `\\uDFFF`)"),
            ("{\"a\": 1,\n \"a\": 2}", "f:2:7: the key `a` occurs twice in this object; remove one of them"),
            ("a: 1\nb:\n  c: 1\n  c: 2", "f:4:3 (#/b): the key `c` occurs twice in this object; remove one of them"),
            ("a: 1\n---\nb: 2", "f:2:1: a second document starts here; only one in a file is read"),
            ("<!DOCTYPE html>", "f: this is HTML or XML; a JSON or YAML document is expected"),
            ("a: *nope", "f:1:4 (#/a): unknown anchor `&nope`"),
            ("a: &x [*x]", "f:1:8 (#/a/0): the alias `*x` stands for a value that contains it"),
            ("? [a]\n: 1", "f:1:3: a key has to be text, not a list or an object"),
            ("<<: 1", "f:1:5 (#/<<): `<<` needs an object or a list of objects"),
        ])
    func failures(text: String, message: String) {
        let error = #expect(throws: GenerationError.self) { try tree(text, name: "f") }
        #expect(error?.description == message)
        #expect(error?.kind == .invalid)
    }

    @Test("G2 broken YAML names what libyaml found, and where")
    func brokenYAML() {
        let error = #expect(throws: GenerationError.self) { try tree("a: [1\nb: 2\n", name: "f") }
        #expect(error?.reason.hasPrefix("not valid YAML: did not find expected ',' or ']'") == true)
        #expect(error?.place?.position == .init(line: 2, column: 2))
        let invalid = Data([0x61, 0x3A, 0x0A, 0x20, 0xFF])
        let encoding = #expect(throws: GenerationError.self) {
            try DocumentReader.read(SourceFile(name: "f", data: invalid))
        }
        #expect(encoding?.description == "f:2:2: not valid YAML: invalid leading UTF-8 octet")
    }

    @Test("G2 100 MB end in one message")
    func tooLarge() {
        let error = #expect(throws: GenerationError.self) {
            try DocumentReader.read(SourceFile(name: "f", data: Data(count: 100_000_000)))
        }
        #expect(
            error?.description
                == "f: the file has 100 MB, and at most 64 MiB are read; split it into smaller files")
    }

    @Test("G2 512 levels are read, 513 aren't", arguments: ["[", "- "])
    func depth(open: String) throws {
        let close = open == "[" ? "]" : ""
        _ = try tree(String(repeating: open, count: 511) + "[]" + String(repeating: close, count: 511))
        #expect(throws: GenerationError.self) {
            try tree(String(repeating: open, count: 512) + "[]" + String(repeating: close, count: 512))
        }
    }

    @Test("G2 a long key with many values takes no memory for each of them")
    func longPointers() throws {
        let key = String(repeating: "k", count: 100_000)
        let values = String(repeating: "1,", count: 50_000) + "1"
        let root = try tree("{\"\(key)\": [\(values)]}")
        #expect(root.members.first?.value.elements.count == 50_001)
        #expect(root.members.first?.value.elements.last?.place.pointer == "")
    }

    @Test("G2 many values in one line are read in linear time")
    func manyValues() throws {
        let root = try tree("[" + String(repeating: "1,", count: 300_000) + "1]")
        #expect(root.elements.last?.place.description == "test:1:600002 (#/300000)")
    }

    @Test("G2 too many values end in one message")
    func tooManyValues() throws {
        var builder = TreeBuilder(file: "f")
        builder.maximumCount = 2
        try builder.open(object: false, at: builder.place(at: nil))
        _ = try builder.scalar(.null, at: builder.place(at: nil))
        let place = builder.place(at: nil)
        let error = #expect(throws: GenerationError.self) { try builder.scalar(.null, at: place) }
        #expect(
            error?.description == "f (#/1): the document has more than 4,000,000 values; split it into smaller files")
    }
}

/// The tree of a text.
func tree(_ text: String, name: String = "test") throws(GenerationError) -> DocumentNode {
    try DocumentReader.read(SourceFile(name: name, data: Data(text.utf8)))
}
