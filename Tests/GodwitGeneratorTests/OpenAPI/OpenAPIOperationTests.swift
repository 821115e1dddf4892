@testable import GodwitGenerator
import Testing

@Suite("G2 Operations of OpenAPI")
struct OpenAPIOperationTests {
    @Test("G2 all methods of all paths are read in document order, with those of path items elsewhere")
    func methods() throws {
        let api = try api(
            """
            openapi: 3.2.0
            info: {title: T}
            paths:
              x-ignored: 1
              /a:
                summary: no operation
                post: {operationId: create, tags: [t], summary: S, description: D, deprecated: true}
                get: {}
                query: {}
                additionalOperations: {COPY: {operationId: copy}}
              /b: {$ref: '#/components/pathItems/B'}
              /c: {$ref: 'items.yaml#/C', delete: {operationId: own}}
              d: {get: 1}
              /e: {$ref: '#/nope'}
            components: {pathItems: {B: {put: {}, options: {}, head: {}, patch: {}, trace: {}}}}
            """, files: ["items.yaml": "C: {delete: {operationId: other}, get: {operationId: get}}"])
        #expect(
            api.operations.map { "\($0.method) \($0.path)" } == [
                "POST /a", "GET /a", "QUERY /a", "COPY /a", "PUT /b", "OPTIONS /b", "HEAD /b", "PATCH /b", "TRACE /b",
                "DELETE /c", "GET /c",
            ])
        let first = try #require(api.operations.first)
        #expect(first.id == "create" && first.tags == ["t"] && first.summary == "S" && first.description == "D")
        #expect(first.isDeprecated && first.place.pointer == "/paths/~1a/post")
        #expect(api.operations.compactMap(\.id) == ["create", "copy", "own", "get"])
        #expect(
            api.noteTexts == [
                "13:6 (#/paths/d): the path `d` has to start with `/`, which is added",
                "13:12 (#/paths/d/get): the operation has to be an object, but is a number",
                "14:14 (#/paths/~1e/$ref): the reference `#/nope` can't be resolved: there is nothing at api.yaml#/nope",
            ])
    }

    @Test("G2 paths can be in another file, whose references start from there")
    func pathsElsewhere() throws {
        let api = try api(
            "openapi: 3.1.0\ninfo: {title: T}\npaths: {$ref: parts/paths.yaml}",
            files: [
                "parts/paths.yaml": """
                /a: {$ref: 'a.yaml'}
                /b: {get: {responses: {200: {$ref: 'a.yaml#/x-response'}}}}
                """,
                "parts/a.yaml": """
                get: {operationId: a, parameters: [{$ref: '#/x-parameter'}]}
                x-parameter: {name: q, in: query, schema: {$ref: '../schemas.yaml#/Q'}}
                x-response: {description: R, content: {application/json: {schema: {$ref: '../schemas.yaml#/Q'}}}}
                """,
                "schemas.yaml": "Q: {type: string, enum: [a]}",
            ])
        #expect(api.operations.map { "\($0.method) \($0.path)" } == ["GET /a", "GET /b"])
        #expect(api.operations[0].parameters.map(\.schema.short) == ["Q"])
        #expect(api.operations[0].place.description == "parts/a.yaml:1:6 (#/get)")
        #expect(api.operations[1].responses[0].contents[0].schema?.short == "Q")
        #expect(api.schemas.map(\.name) == ["Q"])
        #expect(api.notes.isEmpty)
    }

    @Test("G2 an operation has the parameters of its path, except those that it describes itself")
    func inherited() throws {
        let api = try api(
            """
            openapi: 3.1.0
            info: {title: T}
            paths:
              /a/{id}:
                servers: [{url: /shared}]
                parameters:
                  - {name: id, in: path, schema: {type: string}}
                  - {name: q, in: query, schema: {type: string}}
                get: {parameters: [{$ref: '#/components/parameters/Q'}, {name: q, in: header, schema: {}}]}
                put: {servers: [{url: /own}]}
            components: {parameters: {Q: {name: q, in: query, required: true, schema: {type: integer}}}}
            """)
        #expect(
            api.operations[0].parameters.map { "\($0.name) \($0.location) \($0.isRequired) \($0.schema.short)" } == [
                "id path true string", "q query true int", "q header false any",
            ])
        #expect(api.operations[1].parameters.count == 2)
        #expect(api.operations.map(\.servers) == [[Server(url: "/shared")], [Server(url: "/own")]])
        #expect(api.notes.isEmpty)
    }

    @Test("G2 styles have the defaults of their locations")
    func styles() throws {
        let api = try api(
            operation: """
                parameters:
                  - {name: a, in: query, schema: {}}
                  - {name: b, in: query, schema: {}, explode: false}
                  - {name: c, in: query, schema: {}, style: deepObject, explode: true, allowReserved: true}
                  - {name: d, in: header, schema: {}}
                  - {name: e, in: cookie, schema: {}, deprecated: true, description: D, example: 1}
                  - {name: f, in: cookie, schema: {}, style: cookie}
                  - {name: g, in: query, schema: {}, style: pipeDelimited}
                  - {name: h, in: query, content: {application/json: {schema: {type: object}, example: {}}}}
                  - {name: i, in: query, schema: {}, style: odd}
                """)
        let parameters = try #require(api.operations.first?.parameters)
        #expect(
            parameters.map { "\($0.style) \($0.explodes)" } == [
                "form true", "form false", "deepObject true", "simple false", "form true", "form true",
                "pipeDelimited false", "form true", "form true",
            ])
        #expect(parameters[2].allowsReserved && !parameters[1].allowsReserved)
        #expect(parameters[4].isDeprecated && parameters[4].summary == "D" && parameters[4].examples.count == 1)
        #expect(parameters[7].mediaType == "application/json" && parameters[7].schema.short == "[:any]")
        #expect(parameters[7].examples.count == 1)
        #expect(api.notes.map(\.text) == ["the style `odd` is unknown; that of the location is used"])
    }

    @Test("G2 broken parameters are left out, and the fields that HTTP sets are ignored")
    func broken() throws {
        let api = try api(
            operation: """
                parameters:
                  - {in: query, schema: {}}
                  - {name: a, in: body, schema: {}}
                  - {name: a}
                  - {name: a, in: query}
                  - {name: Accept, in: header, schema: {}}
                  - {name: content-type, in: header, schema: {}}
                  - {name: Authorization, in: header, schema: {}}
                  - {name: p, in: path, schema: {}}
                  - {$ref: '#/components/parameters/None'}
                  - {$ref: '#/components/parameters/Loop'}
                  - 1
                """, more: "components: {parameters: {Loop: {$ref: '#/components/parameters/Loop'}}}")
        #expect(api.operations.first?.parameters.map { $0.name + " " + $0.schema.short } == ["a string"])
        #expect(
            api.noteTexts == [
                "7:11 (#/paths/~1a/post/parameters/0): the parameter is left out: it has no name",
                "8:11 (#/paths/~1a/post/parameters/1): the parameter `a` is left out: it can't be in `body`",
                "9:11 (#/paths/~1a/post/parameters/2): the parameter `a` is left out: it can't be in `nothing`",
                "10:11 (#/paths/~1a/post/parameters/3): `a` has no schema; it is taken as text",
                "15:18 (#/paths/~1a/post/parameters/8/$ref): the reference `#/components/parameters/None` can't be resolved: there is nothing at api.yaml#/components/parameters/None",
                "16:11 (#/paths/~1a/post/parameters/9): the references lead in a circle instead of to a parameter",
                "17:11 (#/paths/~1a/post/parameters/10): a parameter has to be an object, but is a number",
                "6:7 (#/paths/~1a/post): the parameter `p` is left out: the path `/a` doesn't have it",
            ])
    }

    @Test("G2 an operation has at most 500 parameters")
    func manyParameters() throws {
        let parameters = (0..<501).map { "{name: a\($0), in: query, schema: {}}" }.joined(separator: ", ")
        let api = try api(operation: "parameters: [\(parameters)]")
        #expect(api.operations.first?.parameters.count == 500)
        #expect(api.notes.map(\.text) == ["there are more than 500 parameters; the rest is left out"])
    }

    @Test("G2 a name in the path that isn't described becomes a required text")
    func template() throws {
        let api = try api("openapi: 3.1.0\ninfo: {title: T}\npaths: {'/a/{x}/{y}.{x}/{}/{z': {get: {}}}")
        let parameters = try #require(api.operations.first?.parameters)
        #expect(
            parameters.map { "\($0.name) \($0.location) \($0.isRequired) \($0.schema.short)" } == [
                "x path true string", "y path true string",
            ])
        #expect(api.notes.map(\.kind) == [.guess, .guess])
        #expect(api.notes.first?.text == "`x` of the path `/a/{x}/{y}.{x}/{}/{z` is not described; it is taken as text")
    }

    @Test("G2 bodies have all media types, encodings and examples")
    func bodies() throws {
        let api = try api(
            operation: """
                requestBody: {$ref: '#/components/requestBodies/B'}
                responses:
                  200:
                    description: OK
                    headers: {X-A: {schema: {type: integer}, required: true}, Content-Type: {schema: {}}, X-B: {$ref: '#/components/headers/H'}}
                    content:
                      'Application/JSON; charset=utf-8': {schema: {type: string}}
                      application/json: {schema: {type: integer}}
                      text/event-stream: {itemSchema: {type: object, properties: {data: {}}}}
                  2XX: {}
                  4xx: {$ref: '#/components/responses/R'}
                  default: {description: D}
                  x-other: 1
                  6XX: {}
                  OK: {}
                  500: {$ref: '#/nope'}
                """,
            more: """
                components:
                  requestBodies:
                    B:
                      required: true
                      description: D
                      content:
                        multipart/form-data:
                          schema: {type: object, properties: {file: {type: string, format: binary}}}
                          encoding: {file: {contentType: 'image/png, image/jpeg'}, x: {style: form, explode: false}}
                          example: {a: 1}
                          examples: {one: {value: 1}, two: {$ref: '#/components/examples/E'}, three: {externalValue: x}}
                  responses: {R: {description: Bad}}
                  headers: {H: {schema: {type: string}}}
                  examples: {E: {value: 2}}
                """)
        let operation = try #require(api.operations.first)
        let body = try #require(operation.body)
        #expect(body.isRequired && body.summary == "D")
        #expect(body.contents[0].mediaType == "multipart/form-data")
        #expect(body.contents[0].encodings["file"] == PartEncoding())
        #expect(body.contents[0].encodings["x"] == PartEncoding(style: .form, explodes: false))
        #expect(body.contents[0].examples.map(\.name) == [nil, "one", "two"])
        #expect(body.contents[0].examples.last?.value.text == "2")
        #expect(operation.responses.map(\.status) == [.code(200), .range(2), .range(4), .default])
        #expect(operation.responses.map(\.summary) == ["OK", nil, "Bad", "D"])
        #expect(
            operation.responses[0].headers.map { "\($0.name) \($0.style) \($0.isRequired) \($0.schema.short)" } == [
                "X-A simple true int", "X-B simple false string",
            ])
        #expect(operation.responses[0].contents.map(\.mediaType) == ["application/json", "text/event-stream"])
        #expect(operation.responses[0].contents.map { $0.itemSchema?.short } == [nil, "{data: any}"])
        #expect(
            api.notes.map(\.text) == [
                "the example `three` is left out: its value isn't in the document",
                "`application/json` is left out: `application/json` is described twice",
                "the response `6XX` is left out: that is not a status",
                "the response `OK` is left out: that is not a status",
                "the reference `#/nope` can't be resolved: there is nothing at api.yaml#/nope",
            ])
    }

    @Test("G2 a request body without a media type is left out")
    func emptyBody() throws {
        let api = try api(operation: "requestBody: {content: {}}")
        #expect(api.operations.first?.body == nil)
        #expect(
            api.noteTexts == [
                "6:20 (#/paths/~1a/post/requestBody): the request body is left out: it has no media type"
            ])
    }
}
