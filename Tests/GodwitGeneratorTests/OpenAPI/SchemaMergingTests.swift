@testable import GodwitGenerator
import Testing

@Suite("G2 Merged schemas (allOf)")
struct SchemaMergingTests {
    @Test(
        "G2 allOf has the properties and requirements of all parts",
        arguments: [
            ("{allOf: [{$ref: '#/components/schemas/B'}]}", "B"),
            ("{type: object, allOf: [{$ref: '#/components/schemas/B'}, {description: x}]}", "B"),
            ("{allOf: [{type: object, properties: {a: {type: string}}}]}", "{a: string}"),
            (
                "{allOf: [{$ref: '#/components/schemas/B'}, {properties: {a: {type: string}}, required: [b]}]}",
                "{b!: string, a: string}"
            ),
            (
                "{allOf: [{$ref: '#/components/schemas/B'}], properties: {a: {type: string}}, required: [b, a]}",
                "{b!: string, a!: string}"
            ),
            ("{allOf: [{$ref: '#/components/schemas/B'}], required: [b]}", "{b!: string}"),
            (
                "{allOf: [{allOf: [{$ref: '#/components/schemas/B'}, {properties: {c: {}}}]}, {properties: {d: {}}}]}",
                "{b: string, c: any, d: any}"
            ),
            ("{allOf: [{$ref: '#/components/schemas/B'}, {properties: {b: {enum: [x]}}}]}", "{b: enum(x)}"),
            (
                "{allOf: [{properties: {o: {properties: {x: {}}}}}, {properties: {o: {properties: {y: {}}, required: [y]}}}]}",
                "{o: {x: any, y!: any}}"
            ),
            ("{allOf: [{properties: {a: {}}}, {additionalProperties: {type: string}}]}", "{a: any, *: string}"),
            (
                "{allOf: [{properties: {a: {type: string, nullable: true}}}, {properties: {a: {type: string}}}]}",
                "{a: string}"
            ),
            ("{allOf: [{type: string}, {minLength: 1}]}", "string"),
            ("{allOf: [{type: string}, {format: uuid}]}", "string(uuid)"),
            ("{allOf: [{type: number}, {type: integer, format: int64}]}", "int(int64)"),
            ("{allOf: [{enum: [a, b]}, {enum: [b, c]}]}", "enum(b)"),
            ("{allOf: [{enum: [1, 2, 3]}, {enum: [2, 3]}]}", "enum(2 3)"),
            ("{allOf: [{$ref: '#/components/schemas/E'}, {type: string}]}", "E"),
            ("{type: string, allOf: [{$ref: '#/components/schemas/E'}]}", "E"),
            ("{allOf: [{type: array, items: {}}, {type: array, items: {type: string}}]}", "[string]"),
            (
                "{allOf: [{properties: {o: {type: array, items: {type: object, required: [x], properties: {x: {}}}}}}, "
                    + "{properties: {o: {type: array, items: {type: object, properties: {x: {}, y: {}}}}}}]}",
                "{o: [{x!: any, y: any}]}"
            ),
            ("{allOf: [{type: object}, {type: object, additionalProperties: {type: string}}]}", "[:string]"),
            ("{allOf: []}", "any"), ("{allOf: [{}]}", "any"),
        ])
    func merged(schema: String, short: String) throws {
        let api = try api(
            schemas: """
                A: \(schema)
                B: {type: object, properties: {b: {type: string}}}
                E: {type: string, enum: [x, y]}
                """)
        #expect(try api.short("A") == short)
        #expect(api.notes.isEmpty)
    }

    @Test(
        "G2 contradictions are any JSON, with a note",
        arguments: [
            (
                "{allOf: [{type: string}, {type: boolean}]}", "any",
                "5:8 (#/components/schemas/A): `allOf` contradicts itself: the value is a string and a boolean; it is read as any JSON"
            ),
            (
                "{allOf: [{properties: {a: {}}}, {type: string}]}", "any",
                "5:8 (#/components/schemas/A): `allOf` contradicts itself: the value is an object and a string; it is read as any JSON"
            ),
            (
                "{allOf: [{type: object}, {type: string}]}", "any",
                "5:8 (#/components/schemas/A): `allOf` contradicts itself: the value is an object and a string; it is read as any JSON"
            ),
            (
                "{allOf: [{properties: {a: {type: string}, b: {}}}, {properties: {a: {type: integer}}}]}",
                "{a: any, b: any}",
                "5:76 (#/components/schemas/A/allOf/1/properties/a): `allOf` contradicts itself: `a` is a string and an integer; it is read as any JSON"
            ),
            (
                "{allOf: [{enum: [a]}, {enum: [b]}]}", "any",
                "5:8 (#/components/schemas/A): `allOf` contradicts itself: the value is an enumeration of strings and an enumeration of strings; it is read as any JSON"
            ),
            (
                "{allOf: [{properties: {a: {}}}], required: [b]}", "{a: any}",
                "5:52 (#/components/schemas/A/required/0): the required property `b` is left out: it is not described"
            ),
            (
                "{allOf: [{$ref: '#/components/schemas/A'}, {properties: {a: {}}}]}", "{a: any}",
                "5:24 (#/components/schemas/A/allOf/0/$ref): this part of `allOf` is left out: it contains itself"
            ),
            (
                "{allOf: [{properties: {a: {}}}, 1]}", "{a: any}",
                "5:40 (#/components/schemas/A/allOf/1): a schema has to be an object, but this is a number"
            ),
            (
                "{allOf: [{properties: {a: {}}}, {$ref: '#/nope'}]}", "{a: any}",
                "5:47 (#/components/schemas/A/allOf/1/$ref): the reference `#/nope` can't be resolved: there is nothing at api.yaml#/nope"
            ),
        ])
    func contradictions(schema: String, short: String, note: String) throws {
        let api = try api(schemas: "A: \(schema)")
        #expect(try api.short("A") == short)
        #expect(api.noteTexts == [note])
    }

    @Test("G2 schemas that contain each other by allOf end with a note")
    func circle() throws {
        let api = try api(
            schemas: """
                A: {allOf: [{$ref: '#/components/schemas/B'}, {properties: {a: {}}}]}
                B: {allOf: [{$ref: '#/components/schemas/A'}, {properties: {b: {}}}]}
                """)
        #expect(try api.short("A") == "{b: any, a: any}")
        #expect(try api.short("B") == "{a: any, b: any}")
        #expect(
            api.notes.map(\.text) == [
                "this part of `allOf` is left out: it contains itself",
                "this part of `allOf` is left out: it contains itself",
            ])
    }

    @Test("G2 a merged schema that contains itself gets a name")
    func recursive() throws {
        let api = try api(
            schemas: """
                Node:
                  properties:
                    child: {allOf: [{$ref: '#/components/schemas/Node'}, {properties: {extra: {type: string}}}]}
                """)
        #expect(api.notes.isEmpty)
        #expect(try api.short("Node") == "{child: child}")
        #expect(try api.short("child") == "{child: child, extra: string}")
    }

    @Test("G2 what is beside oneOf belongs to each member")
    func unions() throws {
        let api = try api(
            schemas: """
                A: {type: object, properties: {id: {type: string}}, required: [id], oneOf: [{$ref: '#/components/schemas/B'}, {properties: {c: {}}}]}
                B: {type: object, title: Title, properties: {b: {type: string}}}
                C: {allOf: [{properties: {id: {}}}, {oneOf: [{$ref: '#/components/schemas/B'}, {type: 'null'}]}]}
                D: {allOf: [{description: x}, {oneOf: [{$ref: '#/components/schemas/B'}, {type: string}]}]}
                E: {properties: {id: {}, x: {}}, anyOf: [{required: [id]}, {required: [x]}]}
                F: {type: object, properties: {id: {}}, oneOf: [{type: object, required: [id]}, {type: object, required: [x]}]}
                G: {properties: {id: {}}, oneOf: [{$ref: '#/components/schemas/B'}, {type: string}]}
                """)
        #expect(try api.short("A") == "({id!: string, b: string} | {id!: string, c: any})")
        #expect(try api.schema("A").union?.members.map(\.title) == ["B", nil])
        #expect(try api.short("C") == "{id: any, b: string}?")
        #expect(try api.short("D") == "(B | string)")
        #expect(try api.short("E") == "{id: any, x: any}")
        #expect(try api.short("F") == "{id: any}")
        #expect(try api.short("G") == "any")
        #expect(
            api.notes.map(\.text) == [
                "`allOf` contradicts itself: the value is an object and a string; it is read as any JSON"
            ])
    }

    @Test("G2 a base with a discriminator alone is the union of all that extend it, and itself if a value says so")
    func hierarchies() throws {
        let api = try api(
            schemas: """
                Pet:
                  type: object
                  properties: {kind: {type: string}, name: {type: string}}
                  discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', pet: Pet}}
                Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {lives: {type: integer}}}]}
                Lion: {allOf: [{$ref: '#/components/schemas/Cat'}, {properties: {pride: {type: string}}}]}
                """)
        #expect(try api.short("Pet") == "(Cat | Lion | PetBase by kind: cat=0 pet=2 Lion=1)")
        #expect(try api.short("PetBase") == "{kind!: enum(pet), name: string}")
        #expect(try api.short("Lion") == "{kind!: enum(Lion), name: string, lives: int, pride: string}")
        #expect(api.notes.isEmpty)
    }

    @Test("G2 allOf of enumerations has what all of them allow, also of those with names")
    func narrowed() throws {
        let api = try api(
            schemas: """
                E: {type: string, enum: [a, b, c]}
                F: {type: string, enum: [b, c, d]}
                A: {allOf: [{$ref: '#/components/schemas/E'}, {enum: [c, d]}]}
                B: {allOf: [{$ref: '#/components/schemas/E'}, {$ref: '#/components/schemas/F'}]}
                C: {allOf: [{properties: {x: {$ref: '#/components/schemas/E'}}}, {properties: {x: {enum: [a]}}}]}
                """)
        #expect(try api.short("A") == "enum(c)")
        #expect(try api.short("B") == "enum(b c)")
        #expect(try api.short("C") == "{x: enum(a)}")
    }

    @Test("G2 a base can be the union of the schemas that extend it")
    func bases() throws {
        let api = try api(
            schemas: """
                Pet:
                  type: object
                  properties: {kind: {type: string}, name: {type: string}}
                  required: [kind]
                  discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', dog: Dog}}
                  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
                Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {lives: {type: integer}}}]}
                Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {barks: {type: boolean}}}]}
                """)
        #expect(try api.short("Pet") == "(Cat | Dog by kind: cat=0 dog=1)")
        #expect(try api.short("Cat") == "{kind!: enum(cat), name: string, lives: int}")
        #expect(try api.short("Dog") == "{kind!: enum(dog), name: string, barks: bool}")
        #expect(api.notes.isEmpty)
    }

    @Test("G2 schemas that merge others twice at each level end at a limit")
    func growth() throws {
        var lines = ["A0: {type: object, properties: {x: {type: string}}}"]
        for level in 1...40 {
            let part = "{allOf: [{$ref: '#/components/schemas/A\(level - 1)'}, {properties: {y: {}}}]}"
            lines.append("A\(level): {type: object, properties: {a: \(part), b: \(part)}}")
        }
        let text = "openapi: 3.1.0\ncomponents:\n  schemas:\n    " + lines.joined(separator: "\n    ")
        let documents = try DocumentSet(SourceFile(name: "a", data: Data(text.utf8))) {
            (file) throws(GenerationError) in throw GenerationError(.file, file.name)
        }
        var reader = SchemaReader(documents, version: .v31)
        reader.merging.maximumProperties = 2_000
        reader.readComponents()
        #expect(reader.finish().count == 41)
        #expect(reader.notes.map(\.text) == ["the merged schemas have more than 2000 properties; the rest is left out"])
    }
}
