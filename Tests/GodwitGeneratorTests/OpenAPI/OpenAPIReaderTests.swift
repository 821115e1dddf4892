@testable import GodwitGenerator
import Testing

@Suite("G2 OpenAPI documents")
struct OpenAPIReaderTests {
    @Test("G2 the info, the servers and the tags are read")
    func root() throws {
        let api = try api(
            """
            openapi: 3.0.4
            info: {title: Museum, version: 1.10, description: D}
            servers:
              - url: https://{region}.example.com/{base}
                description: Main
                variables:
                  region: {default: eu, enum: [eu, us], description: R}
                  base: {enum: [v1]}
              - {description: no URL}
            tags: [{name: a, description: A}, {name: b}, {description: none}]
            paths: {/a: {get: {}}}
            """)
        #expect(api.title == "Museum" && api.version == "1.10" && api.summary == "D")
        #expect(
            api.servers == [
                Server(
                    url: "https://{region}.example.com/{base}", summary: "Main",
                    variables: [
                        .init(name: "region", defaultValue: "eu", values: ["eu", "us"], summary: "R"),
                        .init(name: "base", defaultValue: "v1", values: ["v1"]),
                    ])
            ])
        #expect(api.tags == ["a": "A"])
        #expect(
            api.noteTexts == [
                "8:13 (#/servers/0/variables/base): the variable `base` has no default",
                "9:5 (#/servers/1): the server is left out: it has no URL", "10:46 (#/tags/2): the tag has no name",
            ])
    }

    @Test(
        "G2 versions 3.0, 3.1 and 3.2 are read",
        arguments: ["3.0.0", "3.0.4", "3.0", "3.1.0", "3.1.1", "3.2.0", "'3.2'"])
    func versions(version: String) throws {
        #expect(try api("openapi: \(version)\ninfo: {title: T}\npaths: {/a: {get: {}}}").operations.count == 1)
    }

    @Test(
        "G2 other documents are refused with what they look like",
        arguments: [
            (
                "swagger: '1.2'", GenerationError.Kind.unsupported,
                "api.yaml:1:10 (#/swagger): Swagger 1.2 is not supported; Swagger 2.0 and OpenAPI 3.0 to 3.2 are"
            ),
            (
                "openapi: 4.0.0", .unsupported,
                "api.yaml:1:10 (#/openapi): OpenAPI 4.0.0 is not supported; convert the document to 3.0, 3.1 or 3.2"
            ),
            (
                "openapi: {}", .invalid,
                "api.yaml:1:10 (#/openapi): `openapi` has to be a version such as 3.1.0, but is an object"
            ),
            (
                "asyncapi: 3.0.0", .unsupported,
                "api.yaml:1:11 (#/asyncapi): AsyncAPI is not supported; an OpenAPI document is needed"
            ),
            ("log: {entries: []}", .invalid, "it looks like a HAR file: use `--har`"),
            ("info: {}\nitem: []", .invalid, "it looks like a Postman collection: convert it to OpenAPI"),
            ("data: {__schema: {}}", .invalid, "it looks like a GraphQL schema: use `--graphql`"),
            ("paths: {}", .invalid, "it has paths: add `openapi: 3.1.0`, if that is what it is"),
            ("type: object\nproperties: {}", .invalid, "it looks like a JSON Schema"),
            ("{\"id\": 1}", .invalid, "it looks like a sample of data: use `--sample`"),
            ("[{\"id\": 1}]", .invalid, "it looks like a sample of data: use `--sample`"),
            ("text", .invalid, "it is a string"),
            ("~", .invalid, "it is null"),
        ] as [(String, GenerationError.Kind, String)])
    func others(text: String, kind: GenerationError.Kind, message: String) {
        let error = #expect(throws: GenerationError.self) { try api(text) }
        #expect(error?.kind == kind)
        let prefix = "api.yaml:1:1: this is not an OpenAPI document (it has no `openapi` key); "
        #expect(error?.description == (message.hasPrefix("api.yaml") ? message : prefix + message))
    }

    @Test("G2 a document without anything to generate is an error with the first reason")
    func empty() {
        let empty = #expect(throws: GenerationError.self) { try api("openapi: 3.1.0\ninfo: {title: T}") }
        #expect(
            empty?.description
                == "api.yaml:1:1: the document has no operation and no schema that can be generated")
        let broken = #expect(throws: GenerationError.self) {
            try api("openapi: 3.1.0\ninfo: {title: T}\npaths: [a]\ncomponents: {schemas: 1}")
        }
        #expect(
            broken?.description
                == "api.yaml:4:23 (#/components/schemas): the document has no operation and no schema that can be generated; first of 2: `schemas` has to be an object, but is a number"
        )
    }

    @Test("G2 webhooks and callbacks are the requests that the API sends, each once")
    func webhooks() throws {
        let api = try api(
            operation: """
                callbacks:
                  paid: {'{$request.body#/url}': {post: {requestBody: {content: {application/json: {schema: {type: integer}}}}}}}
                  again: {$ref: '#/components/callbacks/Shared'}
                  same: {$ref: '#/components/callbacks/Shared'}
                responses: {200: {links: {a: {}}}}
                """,
            more: """
                webhooks:
                  arrived: {post: {operationId: boatArrived, summary: A boat., requestBody: {content: {application/json: {}}}}}
                  left: {put: {deprecated: true}}
                components:
                  callbacks:
                    Shared:
                      '{$url}': {post: {callbacks: {inner: {'{$a}': {post: {}}}}}}
                """)
        #expect(api.webhooks.map(\.id) == ["boatArrived", "left", "paid", "again"])
        #expect(api.webhooks.map(\.method) == ["POST", "PUT", "POST", "POST"])
        #expect(api.webhooks[0].summary == "A boat." && api.webhooks[1].isDeprecated)
        #expect(api.operations.count == 1)
        #expect(
            api.noteTexts.allSatisfy { $0.contains("links to other operations aren't followed") }, "\(api.noteTexts)")
    }

    @Test("G2 a document without a title is called API, with a note")
    func title() throws {
        let api = try api("openapi: 3.1.0\npaths: {/a: {get: {}}}")
        #expect(api.title == "API")
        #expect(api.noteTexts == ["1:1: the document has no title (`info.title`); the API is called `API`"])
    }

    @Test("G2 the same document makes the same description each time")
    func stable() throws {
        let text = """
            openapi: 3.1.0
            paths:
              /a/{x}: {get: {parameters: [{name: y, in: path}, {}], security: [{none: []}]}}
            components: {schemas: {A: {$ref: 'b.yaml#/x'}, B: {oneOf: [{const: 1}, {type: string}]}, C: {enum: [a, 1]}}}
            """
        let first = try api(text)
        for _ in 0..<5 { #expect(try api(text) == first) }
        #expect(first.notes.count == 8)
    }
}
