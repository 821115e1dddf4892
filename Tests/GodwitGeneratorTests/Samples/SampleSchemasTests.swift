@testable import GodwitGenerator
import Testing

@Suite("G2 Types of samples")
struct SampleSchemasTests {
    private func infer(_ texts: [String], guessesEnums: Bool = false) throws -> (text: String, notes: [String]) {
        let nodes = try texts.enumerated().map { index, text in
            try DocumentNode(sample: SourceFile(name: "\(index).json", data: Data(text.utf8)))
        }
        var schemas = SampleSchemas(guessesEnums: guessesEnums)
        let schema = schemas.schema(try SampleShape(nodes, label: "it"))
        return (SampleOutline.text(schema), schemas.notes.map(\.text))
    }

    @Test("G2 a member that is absent or null in a sample is optional or nullable, with the count")
    func optionals() throws {
        let (text, notes) = try infer([#"{"id": 1, "notes": "a"}"#, #"{"id": 2, "notes": null}"#, #"{"id": 3}"#])
        #expect(text == "{id: integer, notes?: string|null}")
        #expect(
            notes == [
                "`it.notes` is optional: absent in 1 of 3 samples", "`it.notes` is nullable: null in 1 of 2 samples",
            ])
    }

    @Test("G2 a value that is always null is any JSON")
    func null() throws {
        let (text, notes) = try infer([#"{"next": null}"#, #"{"next": null}"#])
        #expect(text == "{next: any|null}")
        #expect(notes == ["`it.next` is any JSON: always null"])
    }

    @Test(
        "G2 numbers have the smallest type that fits all of them",
        arguments: [
            (["1", "-2"], "integer"), (["1", "2.5"], "number"), (["1", "1e3"], "number"), (["1.0"], "number"),
            (["1", "3000000000"], "int64"), (["9223372036854775808"], "decimal"),
            (["0.12345678901234567890"], "decimal"), (["-2147483648"], "integer"), (["-2147483649"], "int64"),
        ])
    func numbers(texts: [String], type: String) throws {
        #expect(try infer(texts).text == type)
    }

    @Test("G2 a number that needs more than an Int is a guess")
    func numberNotes() throws {
        #expect(try infer(["9223372036854775808"]).notes.first?.contains("decimal") == true)
        #expect(try infer(["3000000000"]).notes.first?.contains("64-bit") == true)
        #expect(try infer(["3"]).notes.isEmpty)
    }

    @Test(
        "G2 texts have a format only if all of them have it",
        arguments: [
            ([#""2026-05-01T08:00:00Z""#, #""2026-05-01T08:00:00.123+02:00""#, #""2026-05-01T08:00""#], "date-time"),
            ([#""2026-05-01""#], "date"), ([#""2026-05-01""#, #""soon""#], "string"),
            ([#""2026-05-01""#, #""2026-05-01T08:00:00Z""#], "string"), ([#""2026-13-01""#], "string"),
            ([#""6F9619FF-8B86-D011-B42D-00C04FC964FF""#], "uuid"), ([#""https://a.example/b?c=d""#], "uri"),
            ([#""https://a.example/{id}""#], "string"), ([#""""#], "string"), ([#""2026-05-01T25:00:00Z""#], "string"),
        ])
    func formats(texts: [String], type: String) throws {
        #expect(try infer(texts).text == type)
    }

    @Test("G2 arrays join their elements, and an empty one has those of other samples")
    func arrays() throws {
        #expect(try infer([#"{"a": []}"#, #"{"a": [1]}"#]).text == "{a: [integer]}")
        let (text, notes) = try infer([#"{"a": []}"#])
        #expect(text == "{a: [any]}")
        #expect(notes == ["`it.a[]` is any JSON: the array is empty in every sample"])
        #expect(try infer(["[[1], [2.5, null]]"]).text == "[[number|null]]")
        #expect(try infer([#"[{"a": 1}, {"b": 2}]"#]).text == "[{a?: integer, b?: integer}]")
    }

    @Test("G2 elements of several kinds are a union")
    func unions() throws {
        let (text, notes) = try infer([#"[1, "a", {"b": true}, null]"#])
        #expect(text == "[(integer or string or {b: boolean})|null]")
        #expect(notes.contains("`it[]` is a number or a text or an object: samples have both"))
        #expect(try infer([#"{"v": 1}"#, #"{"v": "x"}"#]).text == "{v: (integer or string)}")
    }

    @Test(
        "G2 an object whose keys are data is a dictionary",
        arguments: [
            (#"{"1": {"a": 1}, "2": {"a": 2}}"#, "[key: {a: integer}]"),
            (#"{"2026-05-01": 3, "2026-05-02": 4}"#, "[key: integer]"),
            (#"{"6f9619ff-8b86-d011-b42d-00c04fc964ff": "a"}"#, "[key: string]"),
            (#"{"en": "Sea", "de": "Meer", "pt-BR": "Mar"}"#, "[key: string]"),
            (#"{"id": "a", "is": "b"}"#, "{id: string, is: string}"),
            (#"{"1": 2, "b": 2}"#, "{1: integer, b: integer}"),
            (
                "{\(String((0..<10).map { #""k\#($0)": {"x": 1, "y": 2},"# }.joined().dropLast()))}",
                "[key: {x: integer, y: integer}]"
            ),
            (
                #"{"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 2}}"#,
                "{a: {x: integer, y: integer}, b: {x: integer, y: integer}}"
            ),
        ])
    func dictionaries(text: String, type: String) throws {
        let result = try infer([text])
        #expect(result.text == type)
        #expect(result.notes.contains { $0.contains("dictionary") } == type.hasPrefix("[key"))
    }

    @Test("G2 an object that is always empty is a dictionary of any JSON")
    func emptyObject() throws {
        let (text, notes) = try infer([#"{"meta": {}}"#])
        #expect(text == "{meta: [key: any|null]}")
        #expect(notes == ["`it.meta` is a dictionary of any JSON: the object is always empty"])
    }

    @Test("G2 enumerations are guessed only if it is asked for, by the name or by few words in many samples")
    func enumerations() throws {
        let texts = [#"{"status": "draft", "city": "Faro"}"#, #"{"status": "published", "city": "Lagos"}"#]
        #expect(try infer(texts).text == "{status: string, city: string}")
        let (text, notes) = try infer(texts, guessesEnums: true)
        #expect(text == #"{status: strings(["draft", "published"]), city: string}"#)
        #expect(notes == ["`it.status` is an enumeration: 2 different words in 2 samples"])
        let many = (0..<12).map { #"{"light": "\#(["red", "green"][$0 % 2])"}"# }
        #expect(try infer(many, guessesEnums: true).text == #"{light: strings(["red", "green"])}"#)
        let free = ["a b", "c"].map { #"{"status": "\#($0)"}"# }
        #expect(try infer(free, guessesEnums: true).text == "{status: string}")
        #expect(try infer([#"{"status": "draft"}"#], guessesEnums: true).text == "{status: string}")
    }

    @Test("G2 samples that contradict each other name the path, both kinds, both files and their lines")
    func contradiction() {
        let error = #expect(throws: GenerationError.self) {
            try infer(["{\"a\":\n{\"b\": {\"c\": 1}}}", "{\"a\":\n\n  {\"b\": [1]}}"])
        }
        #expect(error?.kind == .contradiction)
        #expect(error?.place == SourcePlace(file: "1.json", position: .init(line: 3, column: 9), pointer: "/a/b"))
        #expect(error?.reason.contains("`it.a.b` is an array here, but an object at 0.json:2:7 (#/a/b)") == true)
        #expect(throws: GenerationError.self) { try infer(["[1]", #"{"a": 1}"#]) }
        #expect(throws: GenerationError.self) { try infer(["1", "[1]"]) }
    }

    @Test("G2 kinds that one file mixes are a union, even with another file that has one of them")
    func mixedInOneFile() throws {
        #expect(try infer([#"[{"a": 1}, {"a": [1]}]"#, #"[{"a": [2]}]"#]).text == "[{a: (integer or [integer])}]")
    }

    @Test("G2 a file that isn't JSON is named with its line, without its text")
    func syntax() {
        let error = #expect(throws: GenerationError.self) { try infer(["{\n  \"password\": hunter2}"]) }
        #expect(error?.place?.position == .init(line: 2, column: 15))
        #expect(error?.description.contains("hunter2") == false)
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(throws: GenerationError.self) { try infer([deep]) }
    }

    @Test("G2 a file that is too large is refused")
    func size() {
        let file = SourceFile(name: "large.json", data: Data(repeating: 0x20, count: (1 << 20) + 1))
        let error = #expect(throws: GenerationError.self) { try DocumentNode(sample: file, maximumBytes: 1 << 20) }
        #expect(error?.description == "large.json: the file is larger than 1 MiB")
    }

    @Test("G2 nodes have the line, the column and the pointer of each value; the first of two equal keys counts")
    func places() throws {
        let text = "\n{\"a/b\": [1,\n  {\"ü\": \"ö\", \"c\": 2}], \"c\": 1, \"c\": 2}"
        let node = try DocumentNode(sample: SourceFile(name: "x", data: Data(text.utf8)))
        let c = try #require(node["a/b"]?.elements.last?["c"])
        #expect(c.place == SourcePlace(file: "x", position: .init(line: 3, column: 19), pointer: "/a~1b/1/c"))
        #expect(node["c"]?.value == .number("1") && node.members.count == 2)
        #expect(node.place.position == .init(line: 2, column: 1))
    }
}
