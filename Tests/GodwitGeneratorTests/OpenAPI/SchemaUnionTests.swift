@testable import GodwitGenerator
import Testing

@Suite("G2 Unions of schemas (oneOf, anyOf)")
struct SchemaUnionTests {
    private func union(_ schema: String) throws -> APIDescription {
        try api(
            schemas: """
                A: \(schema)
                B: {type: object, properties: {b: {type: string}}}
                C: {type: object, properties: {c: {type: string}}}
                E: {type: string, enum: [x, y]}
                F: {type: string, enum: [y, z]}
                T: {type: string}
                Blank: {enum: ['']}
                Nothing: {enum: [null]}
                None: {$ref: '#/components/schemas/Nothing'}
                """)
    }

    @Test(
        "G2 a union has each shape once, and collapses if one includes the others",
        arguments: [
            ("{oneOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/C'}]}", "(B | C)"),
            ("{oneOf: [{$ref: '#/components/schemas/B'}]}", "B"),
            ("{anyOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/B'}]}", "B"),
            ("{anyOf: [{type: string}, {type: integer}]}", "(string | int)"),
            ("{type: [string, integer]}", "(string | int)"), ("{type: [string, integer, 'null']}", "(string | int)?"),
            ("{anyOf: [{type: string, pattern: a}, {type: string, pattern: b}]}", "string"),
            ("{type: string, anyOf: [{pattern: a}, {format: uuid}]}", "string"),
            ("{anyOf: [{type: string, format: uuid}, {type: string, format: date}]}", "string"),
            ("{anyOf: [{type: integer}, {type: number}]}", "number"),
            ("{anyOf: [{type: string}, {type: string, enum: [a, b]}]}", "enum(a b)"),
            ("{anyOf: [{enum: [a, b]}, {type: string}, {enum: [b, c]}]}", "enum(a b c)"),
            ("{anyOf: [{type: string, format: uuid}, {enum: [a]}, {type: string}]}", "enum(a)"),
            ("{oneOf: [{const: a}, {const: b}]}", "enum(a b)"), ("{oneOf: [{const: 1}, {const: 2}]}", "enum(1 2)"),
            ("{anyOf: [{type: string}, {$ref: '#/components/schemas/E'}]}", "E"),
            ("{anyOf: [{$ref: '#/components/schemas/E'}, {$ref: '#/components/schemas/F'}]}", "enum(x y z)"),
            ("{anyOf: [{$ref: '#/components/schemas/T'}, {$ref: '#/components/schemas/E'}]}", "E"),
            ("{anyOf: [{type: integer}, {enum: [1]}]}", "int"),
            (
                "{oneOf: [{$ref: '#/components/schemas/E'}, {$ref: '#/components/schemas/Blank'}, "
                    + "{$ref: '#/components/schemas/Nothing'}]}", "enum(x y )?"
            ),
            ("{oneOf: [{$ref: '#/components/schemas/E'}, {enum: ['']}, {enum: [null]}]}", "enum(x y )?"),
            ("{oneOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/None'}]}", "B?"),
            ("{anyOf: [{}, {type: string}]}", "any"), ("{anyOf: [true, {type: string}]}", "any"),
            ("{anyOf: [{type: string}, {anyOf: [{type: integer}, {type: boolean}]}]}", "(string | int | bool)"),
            (
                "{oneOf: [{type: array, items: {type: string}}, {type: array, items: {type: string}, maxItems: 2}]}",
                "[string]"
            ),
            ("{oneOf: [{properties: {a: {description: x}}}, {properties: {a: {description: y}}}]}", "{a: any}"),
            ("{type: object, anyOf: [{required: [a]}, {required: [b]}]}", "[:any]"),
            ("{oneOf: []}", "any"),
        ])
    func collapses(schema: String, short: String) throws {
        let api = try union(schema)
        #expect(try api.short("A") == short)
        #expect(api.notes.isEmpty)
    }

    @Test("G2 enumerations with names are found through unions and aliases")
    func namedEnumerations() throws {
        let api = try api(
            schemas: """
                A: {anyOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/C'}]}
                B: {anyOf: [{type: string}, {$ref: '#/components/schemas/D'}]}
                C: {anyOf: [{$ref: '#/components/schemas/D'}, {type: string, enum: [y, z]}]}
                D: {type: string, enum: [x, y]}
                E: {anyOf: [{$ref: '#/components/schemas/C'}, {type: string}, {type: 'null'}]}
                F: {anyOf: [{$ref: '#/components/schemas/G'}, {type: string, enum: [x]}]}
                G: {type: string}
                """)
        #expect(try "ABCEF".map { try api.short(String($0)) } == ["enum(x y z)", "D", "enum(x y z)", "C?", "enum(x)"])
    }

    @Test("G2 unions in operations are completed too")
    func operations() throws {
        let part = "{anyOf: [{type: string}, {$ref: '#/components/schemas/E'}]}"
        let api = try api(
            operation: """
                parameters: [{name: q, in: query, schema: \(part)}]
                requestBody: {content: {application/json: {schema: {type: array, items: \(part)}}}}
                responses: {200: {headers: {X: {schema: \(part)}}, content: {a/b: {itemSchema: \(part)}}}}
                """, more: "components: {schemas: {E: {type: string, enum: [x]}}}")
        let operation = try #require(api.operations.first)
        #expect(operation.parameters.map(\.schema.short) == ["E"])
        #expect(operation.body?.contents.map { $0.schema?.short } == ["[E]"])
        #expect(operation.responses.first?.headers.map(\.schema.short) == ["E"])
        #expect(operation.responses.first?.contents.map { $0.itemSchema?.short } == ["E"])
    }

    @Test(
        "G2 a discriminator maps values by name, by reference, by constants and by the names of schemas",
        arguments: [
            ("mapping: {b: '#/components/schemas/B', c: C}", "(B | C by k: b=0 c=1)"),
            ("mapping: {b: B, bb: B, c: C}", "(B | C by k: b=0 bb=0 c=1)"),
            ("mapping: {b: B}", "(B | C by k: b=0 C=1)"), ("", "(B | C by k: B=0 C=1)"),
        ])
    func discriminators(mapping: String, short: String) throws {
        let text =
            "{oneOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/C'}], discriminator: {propertyName: k, \(mapping)}}"
        let api = try union(text)
        #expect(try api.short("A") == short)
        #expect(api.notes.isEmpty)
    }

    @Test("G2 the constants of members count more than their names, also through unions and aliases")
    func constants() throws {
        let api = try api(
            schemas: """
                A: {oneOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/U'}, {properties: {k: {enum: [e, f]}}}], discriminator: {propertyName: k}}
                B: {allOf: [{$ref: '#/components/schemas/Base'}, {properties: {k: {const: b}}}]}
                Base: {properties: {k: {type: string}}}
                U: {oneOf: [{$ref: '#/components/schemas/C'}, {$ref: '#/components/schemas/D'}]}
                C: {properties: {k: {enum: [c]}}, required: [k]}
                D: {properties: {k: {$ref: '#/components/schemas/K'}}, required: [k]}
                K: {type: string, const: d}
                """)
        #expect(try api.short("A") == "(B | U | {k: enum(e f)} by k: b=0 c=1 d=1 e=2 f=2)")
        #expect(try api.short("U") == "(C | D by k: c=0 d=1)")
        #expect(api.notes.isEmpty)
    }

    @Test("G2 a discriminator is inferred only from a required constant that is distinct in all members")
    func inferred() throws {
        let api = try api(
            schemas: """
                A: {oneOf: [{$ref: '#/components/schemas/B'}, {properties: {n: {const: x}, k: {enum: [c]}}, required: [n, k]}]}
                B: {properties: {n: {const: x}, k: {const: b}}, required: [n, k]}
                C: {oneOf: [{properties: {k: {const: a}}}, {properties: {k: {const: b}}, required: [k]}]}
                D: {oneOf: [{$ref: '#/components/schemas/B'}, {type: string}]}
                E: {oneOf: [{properties: {k: {enum: [a, b]}}, required: [k]}, {properties: {k: {const: c}}, required: [k]}]}
                """)
        #expect(try api.schema("A").union?.discriminator?.property == "k")
        #expect(try api.schema("A").union?.discriminator?.values.map(\.value) == ["b", "c"])
        #expect(try ["C", "D", "E"].compactMap { try api.schema($0).union?.discriminator } == [])
    }

    @Test("G2 discriminators that don't work are left out with a note")
    func broken() throws {
        let api = try api(
            schemas: """
                A: {oneOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/C'}], discriminator: {propertyName: k}}
                B: {properties: {k: {const: x}}}
                C: {properties: {k: {const: x}, c: {}}}
                D: {oneOf: [{type: string}, {$ref: '#/components/schemas/C'}], discriminator: {mapping: {}}}
                E: {oneOf: [{$ref: '#/components/schemas/F'}, {$ref: '#/components/schemas/C'}], discriminator: {propertyName: k, mapping: {b: B, n: '#/nope'}}}
                F: {properties: {k: {const: f}}}
                """)
        #expect(try api.schema("A").union?.discriminator == nil)
        #expect(try api.short("D") == "(string | C)")
        #expect(try api.short("E") == "(F | C by k: f=0 x=1)")
        #expect(
            api.noteTexts == [
                "8:83 (#/components/schemas/D/discriminator): the discriminator is ignored: it has no `propertyName`",
                "9:132 (#/components/schemas/E/discriminator/mapping/b): the value `b` of the discriminator is ignored: `B` is not in the union",
                "9:138 (#/components/schemas/E/discriminator/mapping/n): the reference `#/nope` can't be resolved: there is nothing at api.yaml#/nope",
                "5:8 (#/components/schemas/A): the discriminator `k` is not used, because it doesn't tell all members apart; they are tried in order",
            ])
    }

    @Test("G2 unions of unions that share members are read in bounded time")
    func growth() throws {
        var lines: [String] = []
        for level in 0..<14 {
            let members = (0..<12).map { "{$ref: '#/components/schemas/U\(level + 1)x\($0)'}" }.joined(separator: ", ")
            lines += (0..<12).map { "U\(level)x\($0): {discriminator: {propertyName: k}, oneOf: [\(members)]}" }
        }
        lines += (0..<12).map { "U14x\($0): {properties: {k: {const: v\($0)}}, required: [k]}" }
        #expect(try api(schemas: lines.joined(separator: "\n")).schemas.count == 180)
    }
}
