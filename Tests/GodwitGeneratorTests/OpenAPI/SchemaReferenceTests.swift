@testable import GodwitGenerator
import Testing

@Suite("G2 References of schemas")
struct SchemaReferenceTests {
    @Test("G2 references to components are references, also recursive ones")
    func components() throws {
        let api = try api(
            schemas: """
                Node: {properties: {next: {$ref: '#/components/schemas/Node'}, all: {type: array, items: {$ref: '#/components/schemas/a~1b'}}}}
                a/b: {type: string}
                Alias: {$ref: '#/components/schemas/Node'}
                """)
        #expect(api.schemas.map(\.name) == ["Node", "a/b", "Alias"])
        #expect(try api.short("Node") == "{next: Node, all: [a/b]}")
        #expect(try api.short("Alias") == "Node")
        #expect(api.notes.isEmpty)
    }

    @Test("G2 schemas elsewhere are named after the last part of their reference, each once")
    func elsewhere() throws {
        let api = try api(
            """
            openapi: 3.1.0
            info: {title: T}
            components:
              schemas:
                Pet:
                  properties:
                    a: {$ref: 'parts/tag.yaml'}
                    b: {$ref: 'parts/all.yaml#/definitions/Tag'}
                    c: {$ref: 'parts/all.yaml#/definitions/Pet'}
                    d: {$ref: '#/components/schemas/Pet/$defs/Inner'}
                    e: {$ref: 'parts/../parts/tag.yaml#'}
                    f: {$ref: 'parts/all.yaml#anchored'}
                  $defs: {Inner: {type: integer}}
                Adopted: {$ref: 'parts/all.yaml#/definitions/Other'}
                Again: {$ref: 'parts/all.yaml#/definitions/Other'}
            """,
            files: [
                "parts/tag.yaml": "properties: {self: {$ref: '#'}}",
                "parts/all.yaml": """
                definitions:
                  Tag: {type: string}
                  Pet: {properties: {tag: {$ref: '#/definitions/Tag'}, home: {$ref: '../api.yaml#/components/schemas/Pet'}}}
                  Other: {type: object, properties: {x: {$anchor: anchored, type: boolean}}}
                """,
            ])
        #expect(api.notes.isEmpty)
        #expect(api.schemas.map(\.name) == ["Pet", "Adopted", "Again", "Inner", "tag", "Tag", "Pet2", "anchored"])
        #expect(try api.short("Pet") == "{a: tag, b: Tag, c: Pet2, d: Inner, e: tag, f: anchored}")
        #expect(try api.short("Pet2") == "{tag: Tag, home: Pet}")
        #expect(try api.short("tag") == "{self: tag}")
        #expect(try api.short("Adopted") == "{x: bool}")
        #expect(try api.short("Again") == "Adopted")
        #expect(try api.schema("Tag").place?.file == "parts/all.yaml")
    }

    @Test("G2 references that lead in a circle end with a note")
    func circles() throws {
        let api = try api(
            schemas: """
                A: {$ref: '#/components/schemas/B'}
                B: {$ref: '#/components/schemas/A'}
                C: {$ref: '#/components/schemas/C'}
                D: {oneOf: [{$ref: '#/components/schemas/E'}, {type: string}]}
                E: {anyOf: [{$ref: '#/components/schemas/D'}, {type: integer}, {type: boolean}]}
                F: {properties: {f: {oneOf: [{$ref: '#/components/schemas/F'}, {type: string}]}}}
                """)
        #expect(try ["A", "B", "C"].map { try api.short($0) } == ["B", "any", "any"])
        #expect(try api.short("D") == "(E | string)")
        #expect(try api.short("E") == "(int | bool)")
        #expect(try api.short("F") == "{f: (F | string)}")
        #expect(
            api.noteTexts == [
                "6:8 (#/components/schemas/B): `B` is read as any JSON: the references lead in a circle",
                "7:8 (#/components/schemas/C): `C` is read as any JSON: the references lead in a circle",
                "9:8 (#/components/schemas/E): `D` is left out of the union `E`: the references lead in a circle",
            ])
    }

    @Test("G2 a chain of 20,000 references is read without recursion")
    func chain() throws {
        let count = 20_000
        let lines =
            (0..<count).map { "A\($0): {$ref: '#/components/schemas/A\($0 + 1)'}" } + ["A\(count): {type: string}"]
        let api = try api(schemas: lines.joined(separator: "\n"))
        #expect(api.schemas.count == count + 1)
        #expect(api.notes.isEmpty)
    }

    @Test("G2 a document with too many parts is read up to the limit")
    func tooMany() throws {
        let lines = (0..<20).map { "A\($0): {type: string}" }.joined(separator: ", ")
        let text = "openapi: 3.1.0\ncomponents: {schemas: {\(lines)}}"
        let documents = try DocumentSet(SourceFile(name: "a", data: Data(text.utf8))) {
            (file) throws(GenerationError) in throw GenerationError(.file, file.name)
        }
        var reader = SchemaReader(documents, version: .v31)
        reader.maximumCount = 10
        reader.readComponents()
        let schemas = reader.finish()
        #expect(schemas.filter { $0.schema.kind == .any }.count == 11)
        #expect(reader.notes.map(\.text) == ["the document has too many parts; the rest is left out"])
    }

    @Test("G2 from 3.1, what is beside a reference belongs to it")
    func siblings() throws {
        let schemas = """
            A: {$ref: '#/components/schemas/B', properties: {a: {type: string}}, required: [b]}
            B: {type: object, properties: {b: {type: string}}}
            C: {$ref: '#/components/schemas/D', type: string}
            D: {type: string, enum: [x]}
            """
        let new = try api(schemas: schemas)
        #expect(try new.short("A") == "{b!: string, a: string}")
        #expect(try new.short("C") == "D")
        let old = try api(schemas: schemas, version: "3.0.0")
        #expect(try old.short("A") == "B")
    }

    @Test("G2 recursive and dynamic references are those to the schema around them and to anchors")
    func recursive() throws {
        let api = try api(
            schemas: """
                A: {$recursiveAnchor: true, properties: {a: {$recursiveRef: '#'}}}
                B: {$dynamicAnchor: b, properties: {b: {$dynamicRef: '#b'}}}
                """)
        #expect(try api.short("A") == "{a: A}")
        #expect(try api.short("B") == "{b: B}")
        #expect(api.schemas.count == 2)
    }
}
