@testable import GodwitGenerator
import Testing

@Suite("G2 References between documents")
struct DocumentSetTests {
    /// Reads a set of files, the first of which is the document; returns the names that were asked for too.
    private func set(_ files: KeyValuePairs<String, String>) throws -> (documents: DocumentSet, loads: [String]) {
        var loads: [String] = []
        let (name, text) = (files[0].key, files[0].value)
        let documents = try DocumentSet(SourceFile(name: name, data: Data(text.utf8))) {
            (file) throws(GenerationError) in
            let name = file.name
            loads.append(name)
            guard let text = files.first(where: { $0.key == name })?.value else {
                throw GenerationError(.file, "no such file")
            }
            return SourceFile(name: name, data: Data(text.utf8))
        }
        return (documents, loads)
    }

    @Test("G2 files are read once, relative to the file that refers to them")
    func files() throws {
        var (documents, loads) = try set([
            "api/openapi.yaml": "a: {$ref: 'parts/b.yaml#/x'}\nb: {$ref: ./parts/b.yaml}\nc: {$ref: '#/a'}",
            "api/parts/b.yaml": "x: {$ref: ../c.yaml}\ny: {$ref: '../openapi.yaml#/a'}",
            "api/c.yaml": "z: 1",
        ])
        #expect(loads == ["api/parts/b.yaml", "api/c.yaml"])
        let target = try documents.target(of: "../c.yaml#/z", in: "api/parts/b.yaml")
        #expect(target.node.text == "1")
        #expect(target.key == "api/c.yaml#/z")
    }

    @Test("G2 references in data are not followed, except one in place of an example")
    func data() throws {
        let (_, loads) = try set([
            "a": """
            example: {$ref: one.yaml}
            default: {$ref: two.yaml}
            other: {example: {a: 1, $ref: six.yaml}}
            properties: {example: {$ref: three.yaml}}
            examples: {x: {value: {$ref: four.yaml}}, y: {$ref: five.yaml}}
            """
        ])
        #expect(loads == ["one.yaml", "three.yaml", "five.yaml"])
    }

    @Test(
        "G2 names resolve like paths and URLs",
        arguments: [
            ("b.yaml", "a.yaml", "b.yaml"), ("../b.yaml", "x/y/a.yaml", "x/b.yaml"), ("/b.yaml", "x/a.yaml", "/b.yaml"),
            ("../../b.yaml", "x/a.yaml", "../b.yaml"), ("b%20c.yaml", "/x/a.yaml", "/x/b c.yaml"),
            ("b%zz.yaml", "a.yaml", "b%zz.yaml"), ("b%+1.yaml", "a.yaml", "b%+1.yaml"),
            ("b.yaml", "https://h/x/a.yaml?v=1", "https://h/x/b.yaml"),
            ("b%20c.yaml", "https://h", "https://h/b%20c.yaml"), ("//k/b.yaml", "https://h/x", "https://k/b.yaml"),
            ("/b", "https://h/x/y", "https://h/b"), ("https://k/b", "a.yaml", "https://k/b"), ("", "a.yaml", "a.yaml"),
            ("../../b", "https://h/x/y", "https://h/b"),
        ])
    func names(reference: String, base: String, name: String) {
        #expect(DocumentAddress.resolve(reference, from: base) == name)
    }

    @Test("G2 pointers are decoded, arrays have indexes, and anchors are found")
    func pointers() throws {
        var (documents, _) = try set(["a": "p: {'/x~y': [1, {$anchor: here, z: 2}]}\n'ä b': 3"])
        #expect(try documents.target(of: "#/p/~1x~0y/0", in: "a").node.text == "1")
        #expect(try documents.target(of: "#/%C3%A4%20b", in: "a").node.text == "3")
        #expect(try documents.target(of: "#here", in: "a").node["z"]?.text == "2")
        #expect(try documents.target(of: "#", in: "a").node.members.count == 2)
        #expect(JSONPointer("x") == nil)
        #expect(JSONPointer("/a~01~2~")?.tokens == ["a~1~2~"])
    }

    @Test("G2 what isn't there is an error with the reason")
    func missing() throws {
        var (documents, _) = try set(["a": "b: {$ref: nope.yaml}\nc: {$ref: bad.json}", "bad.json": "{"])
        func reason(_ reference: String) -> String? {
            do throws(GenerationError) {
                _ = try documents.target(of: reference, in: "a")
                return nil
            } catch { return error.description }
        }
        #expect(reason("#/x/y") == "there is nothing at a#/x/y")
        #expect(reason("#x") == "unknown `$anchor: x` in a")
        #expect(reason("nope.yaml#/x") == "no such file")
        #expect(reason("bad.json") == "bad.json:1:2: not valid JSON: expected a key in quotes")
        #expect(reason("other.yaml") == "`other.yaml` was not read")
    }

    @Test("G2 a file that stands for all properties of a schema is read")
    func propertiesOfAFile() throws {
        let schema = "A: {type: object, properties: {$ref: 'parts.yaml#/Members'}, required: [a]}"
        let text = "openapi: 3.1.0\ninfo: {title: T}\ncomponents: {schemas: {\(schema)}}"
        let api = try api(text, files: ["parts.yaml": "Members: {a: {type: string}, b: {type: integer}}"])
        #expect(try api.short("A") == "{a!: string, b: int}")
        #expect(api.notes.isEmpty)
    }

    @Test("G2 more than 10,000 files are not read")
    func manyFiles() throws {
        let references = (0..<10_100).map { "{$ref: f\($0).yaml}" }.joined(separator: ", ")
        var loads = 0
        var documents = try DocumentSet(SourceFile(name: "a", data: Data("[\(references)]".utf8))) {
            (file) throws(GenerationError) in
            loads += 1
            return SourceFile(name: file.name, data: Data("x: 1".utf8))
        }
        #expect(loads == 9_999)
        let error = #expect(throws: GenerationError.self) { try documents.target(of: "f10099.yaml", in: "a") }
        #expect(error?.reason == "the document refers to more than 10,000 files or 256 MiB")
    }

    @Test("G2 lookups in large objects use an index")
    func manyLookups() throws {
        let count = 5000
        let text = "{" + (0..<count).map { "\"k\($0)\": \($0)" }.joined(separator: ",") + "}"
        var (documents, _) = try set(["a": text])
        for index in 0..<count {
            let target = try documents.target(of: "#/k\(index)", in: "a")
            guard target.node.text == String(index) else {
                Issue.record("wrong value at \(index)")
                return
            }
        }
    }
}
