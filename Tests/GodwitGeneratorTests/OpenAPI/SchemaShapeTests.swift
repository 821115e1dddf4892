@testable import GodwitGenerator
import Testing

@Suite("G2 Schemas of OpenAPI")
struct SchemaShapeTests {
    @Test(
        "G2 one schema becomes one shape",
        arguments: [
            ("{type: string}", "string"), ("{type: string, format: date-time}", "string(date-time)"),
            ("{type: integer, format: int64}", "int(int64)"), ("{type: number, format: double}", "number(double)"),
            ("{type: boolean}", "bool"), ("{}", "any"), ("true", "any"), ("{type: array}", "[any]"),
            ("{type: array, items: {type: array, items: {type: string}}}", "[[string]]"),
            ("{type: array, items: {}}", "[any]"), ("{type: array, items: false}", "[any]"),
            ("{type: array, prefixItems: [{type: string}], items: {type: string}}", "[string]"),
            ("{type: object}", "[:any]"), ("{type: object, properties: {}}", "[:any]"),
            ("{type: object, additionalProperties: false}", "{}"),
            ("{type: object, additionalProperties: true}", "[:any]"),
            ("{type: object, additionalProperties: {type: integer}}", "[:int]"),
            ("{type: object, patternProperties: {'^a': {type: string}, '^b': {type: integer}}}", "[:(string | int)]"),
            (
                "{type: object, required: [a], properties: {a: {type: string}, b: {}}, additionalProperties: {type: number}}",
                "{a!: string, b: any, *: number}"
            ),
            ("{type: object, properties: {a: {}}, additionalProperties: false}", "{a: any}"),
            ("{type: object, properties: {a: {}}, additionalProperties: true}", "{a: any, *: any}"),
            ("{type: string, contentEncoding: base64}", "string(byte)"),
            ("{type: string, contentMediaType: application/octet-stream}", "string(binary)"),
            ("{type: string, contentMediaType: application/octet-stream, contentEncoding: base64}", "string(byte)"),
            ("{type: file}", "string(binary)"),
        ])
    func shapes(schema: String, short: String) throws {
        let api = try api(schemas: "A: \(schema)")
        #expect(try api.short("A") == short)
        #expect(api.notes.isEmpty)
    }

    @Test(
        "G2 an element of a tuple has one of the types, which is noted",
        arguments: [
            ("{type: array, prefixItems: [{type: string}, {type: integer}]}", "[(string | int)]"),
            ("{type: array, prefixItems: [{type: string}, {}]}", "[any]"),
        ])
    func tuples(schema: String, short: String) throws {
        let api = try api(schemas: "A: \(schema)")
        #expect(try api.short("A") == short)
        #expect(
            api.notes.map(\.text) == ["the positions of `prefixItems` aren't kept: an element has one of their types"])
    }

    @Test(
        "G2 a type that isn't said follows from the keywords",
        arguments: [
            ("{properties: {a: {}}}", "{a: any}"), ("{items: {type: string}}", "[string]"),
            ("{enum: [a, b]}", "enum(a b)"), ("{format: int32}", "int(int32)"), ("{format: float}", "number(float)"),
            ("{format: uuid}", "string(uuid)"), ("{additionalProperties: {type: string}}", "[:string]"),
            ("{pattern: a}", "string"), ("{minimum: 1}", "number"), ("{description: x}", "any"),
        ])
    func inferred(schema: String, short: String) throws {
        #expect(try api(schemas: "A: \(schema)").short("A") == short)
    }

    @Test(
        "G2 null is allowed in all spellings",
        arguments: [
            ("{type: string, nullable: true}", "string?"), ("{type: [string, 'null']}", "string?"),
            ("{type: [string, null]}", "string?"), ("{anyOf: [{type: string}, {type: 'null'}]}", "string?"),
            ("{oneOf: [{$ref: '#/components/schemas/B'}, {type: 'null'}]}", "B?"),
            ("{anyOf: [{type: string, nullable: true}, {type: integer}]}", "(string | int)?"),
            ("{type: string, enum: [a, null]}", "enum(a)?"), ("{enum: [a, null], type: [string, 'null']}", "enum(a)?"),
            ("{anyOf: [{type: string}, {enum: [null]}]}", "string?"),
            ("{anyOf: [{type: string}, {const: null}]}", "string?"),
            ("{$ref: '#/components/schemas/B', nullable: true}", "B?"),
            ("{$ref: '#/components/schemas/B', type: [object, 'null']}", "B?"),
            ("{allOf: [{$ref: '#/components/schemas/B'}], nullable: true}", "B?"),
            ("{type: object, nullable: true, allOf: [{$ref: '#/components/schemas/B'}]}", "B?"),
            ("{allOf: [{$ref: '#/components/schemas/B'}, {nullable: true}]}", "B?"),
            ("{type: 'null'}", "any?"), ("{const: null}", "any?"), ("{nullable: true}", "any?"),
            ("{type: array, items: {type: [string, 'null']}}", "[string?]"),
        ])
    func nullable(schema: String, short: String) throws {
        for version in ["3.0.3", "3.1.0"] {
            let api = try api(schemas: "A: \(schema)\nB: {type: object, properties: {b: {}}}", version: version)
            #expect(try api.short("A") == short)
            #expect(api.notes.isEmpty)
        }
    }

    @Test(
        "G2 enumerations have all values of one type, each once",
        arguments: [
            ("{type: string, enum: [a, b, a]}", "enum(a b)", ""), ("{type: integer, enum: [1, 2]}", "enum(1 2)", ""),
            ("{enum: [1, 2]}", "enum(1 2)", ""), ("{type: string, enum: [1, true]}", "enum(1 true)", ""),
            ("{type: integer, enum: ['1']}", "enum(1)", ""), ("{const: a}", "enum(a)", ""),
            ("{const: 3}", "enum(3)", ""), ("{type: number, const: 1.5}", "number", "const"),
            ("{const: true}", "bool", "const"),
            ("{enum: [true]}", "bool", "neither"), ("{enum: [true, false]}", "bool", ""),
            ("{const: {a: 1}}", "[:any]", "const"),
            ("{type: number, enum: [1, 2]}", "number", "neither"), ("{enum: [a, 1]}", "any", "neither"),
            ("{type: [string, integer], enum: [a, 1]}", "(string | int)", "neither"),
            ("{type: string, enum: []}", "string", "no value"),
        ])
    func enumerations(schema: String, short: String, note: String) throws {
        let api = try api(schemas: "A: \(schema)")
        #expect(try api.short("A") == short)
        #expect(api.notes.count == (note.isEmpty ? 0 : 1))
        #expect(api.notes.allSatisfy { $0.text.contains(note) })
    }

    @Test("G2 names and words of values come from extensions, without those of null and of repeated values")
    func enumerationNames() throws {
        let api = try api(
            schemas: """
                A: {enum: [1, null, 2, 1], x-enum-varnames: [one, none, two, again], x-enum-descriptions: [o, n, t, a]}
                B: {enum: [a, null], x-enum-varnames: [letter], x-enum-descriptions: [x, y, z]}
                """)
        #expect(try api.schema("A").enumeration?.names == ["one", "two"])
        #expect(try api.schema("A").enumeration?.summaries == ["o", "t"])
        #expect(try api.schema("B").enumeration?.names == ["letter"])
        #expect(
            api.noteTexts == [
                "6:8 (#/components/schemas/B): `x-enum-descriptions` is ignored: it doesn't have one text for each value"
            ])
    }

    @Test("G2 words, defaults, examples and flags are kept")
    func words() throws {
        let api = try api(
            schemas: """
                A: {type: string, title: T, description: D, deprecated: true, default: x, example: e, examples: [f]}
                B:
                  type: object
                  properties:
                    a: {type: string, readOnly: true}
                    b: {allOf: [{$ref: '#/components/schemas/A'}], writeOnly: true, description: outer}
                    c: {allOf: [{$ref: '#/components/schemas/A'}, {readOnly: true, description: inner}]}
                    d: {$ref: '#/components/schemas/C', description: beside}
                C: {type: string, readOnly: true}
                """)
        let schema = try api.schema("A")
        #expect(schema.title == "T" && schema.summary == "D" && schema.isDeprecated)
        #expect(schema.defaultValue?.string == "x")
        #expect(schema.examples.compactMap(\.string) == ["f", "e"])
        #expect(schema.place?.description == "api.yaml:5:8 (#/components/schemas/A)")
        #expect(try api.property("a", of: "B").isReadOnly)
        let outer = try api.property("b", of: "B")
        #expect(outer.isWriteOnly && !outer.isReadOnly && outer.schema.summary == "outer" && outer.schema.short == "A")
        #expect(try api.property("c", of: "B").isReadOnly)
        #expect(try api.property("c", of: "B").schema.summary == "inner")
        #expect(try api.property("d", of: "B").isReadOnly)
        #expect(try api.property("d", of: "B").schema.summary == "beside")
    }

    @Test(
        "G2 broken schemas are any JSON, with a note at their place",
        arguments: [
            ("[1]", "any", "5:8 (#/components/schemas/A): a schema has to be an object, but this is a list"),
            ("false", "any", "5:8 (#/components/schemas/A): a schema has to be an object, but this is a boolean"),
            ("{type: text}", "any", "5:8 (#/components/schemas/A): the type `text` is unknown; it is read as any JSON"),
            (
                "{type: {a: 1}}", "any",
                "5:15 (#/components/schemas/A/type): `type` has to be text or a list of texts, but is an object"
            ),
            (
                "{type: object, properties: [a]}", "[:any]",
                "5:35 (#/components/schemas/A/properties): `properties` has to be an object, but is a list"
            ),
            (
                "{properties: {a: {}}, required: a}", "{a: any}",
                "5:40 (#/components/schemas/A/required): `required` has to be a list, but is a string"
            ),
            (
                "{properties: {a: {}}, required: [b]}", "{a: any}",
                "5:41 (#/components/schemas/A/required/0): the required property `b` is left out: it is not described"
            ),
            (
                "{$ref: '#/components/schemas/B'}", "any",
                "5:15 (#/components/schemas/A/$ref): the reference `#/components/schemas/B` can't be resolved: there is nothing at api.yaml#/components/schemas/B"
            ),
            ("{$ref: 1}", "any", "5:15 (#/components/schemas/A/$ref): `$ref` has to be text, but is a number"),
            (
                "{$ref: 'b.yaml'}", "any",
                "5:15 (#/components/schemas/A/$ref): the reference `b.yaml` can't be resolved: no such file"
            ),
            (
                "{type: object, properties: {a: {}}, discriminator: {propertyName: a}}", "{a: any}",
                "5:59 (#/components/schemas/A/discriminator): the discriminator is ignored: it needs `oneOf` or `anyOf` next to it"
            ),
        ])
    func broken(schema: String, short: String, note: String) throws {
        let api = try api(schemas: "A: \(schema)")
        #expect(try api.short("A") == short)
        #expect(api.noteTexts == [note])
    }

    @Test("G2 schemas that are nested too deep are any JSON")
    func depth() throws {
        let open = String(repeating: "{type: array, items: ", count: 200)
        let api = try api(schemas: "A: \(open){}\(String(repeating: "}", count: 200))")
        #expect(api.notes.map(\.text) == ["the schema is nested too deep; it is read as any JSON"])
    }
}
