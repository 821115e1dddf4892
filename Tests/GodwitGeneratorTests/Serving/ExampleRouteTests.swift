import GodwitGenerator
import Testing

@Suite("G4 Examples of a document, as a server answers")
struct ExampleRouteTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: Tides, version: '1'}
        servers: [{url: 'https://{region}.example.com/v1/', variables: {region: {default: eu}}}]
        paths:
          /ports/{id}:
            get:
              responses:
                '200':
                  description: A port
                  headers: {ETag: {schema: {type: string}, example: '"v1"'}, X-Odd: {schema: {type: array}}}
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Port'}
                      examples:
                        wrong: {value: {id: many}}
                        north: {value: {id: 7, name: North}}
                    text/csv: {example: "id,name\\n7,North\\n"}
                '404': {description: None, content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
                default: {description: Any}
            delete: {responses: {'204': {description: Gone}}}
          /ports/nearest:
            get:
              responses: {'200': {description: A port, content: {application/json: {schema: {$ref: '#/components/schemas/Port'}}}}}
          /live:
            get:
              responses:
                '200':
                  description: Ports
                  content:
                    text/event-stream: {itemSchema: {$ref: '#/components/schemas/Port'}}
                    application/json: {schema: {$ref: '#/components/schemas/Port'}}
        components:
          schemas:
            Port: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}
            Problem: {type: object, required: [message], properties: {message: {type: string}}}
        """

    private func examples(_ text: String) throws -> ExampleAPI {
        try Generator().examples(of: SourceFile(name: "tides.yaml", data: Data(text.utf8))) {
            name throws(GenerationError) in
            throw GenerationError(.file, "\(name) isn't loaded")
        }
    }

    private func route(_ method: String, _ pattern: String) throws -> ExampleRoute {
        try #require(try examples(Self.document).routes.first { $0.method == method && $0.pattern == pattern })
    }

    private func text(_ reply: ExampleReply?) -> String { String(decoding: reply?.body ?? Data(), as: UTF8.self) }

    @Test("G4 the base path comes from the first server; a fixed path comes before one with a parameter")
    func order() throws {
        let api = try examples(Self.document)
        #expect(api.title == "Tides" && api.basePath == "/v1")
        #expect(api.notes.map(\.text).first?.contains("`/ports/{id}` is not described") == true)
        let patterns = api.routes.map { "\($0.method) \($0.pattern)" }
        let (fixed, parameter) = (
            patterns.firstIndex(of: "GET /ports/nearest"), patterns.firstIndex(of: "GET /ports/:id")
        )
        #expect(try #require(fixed) < #require(parameter))
    }

    @Test("G4 the first reply is the document's example that fits its schema; all others can be asked for")
    func replies() throws {
        let replies = try route("GET", "/ports/:id").replies
        #expect(replies.map(\.name) == ["north", "wrong", nil, nil, nil])
        #expect(replies.map(\.status) == [200, 200, 200, 404, 500])
        #expect(text(replies.first) == #"{"id": 7, "name": "North"}"#)
        #expect(text(replies[2]) == "id,name\n7,North\n" && replies[2].mediaType == "text/csv")
        #expect(text(replies[3]) == #"{"message": "message"}"# && replies[4].mediaType == nil)
        #expect(replies[0].fields.map { "\($0.name): \($0.value)" } == [#"ETag: "v1""#])
    }

    @Test("G4 a reply is made where the document has no example; one without a body has none")
    func made() throws {
        #expect(text(try route("GET", "/ports/nearest").replies.first) == #"{"id": 1, "name": "name"}"#)
        let gone = try #require(try route("DELETE", "/ports/:id").replies.first)
        #expect(gone.status == 204 && gone.mediaType == nil && gone.body.isEmpty)
    }

    @Test("G4 each kind of response that is made keeps the limits of its schema; the document's own example is kept")
    func limits() throws {
        let routes = try examples(
            """
            openapi: 3.2.0
            info: {title: Limits, version: '1'}
            paths:
              /several:
                get:
                  responses:
                    '200': {description: A, content: {application/json: {schema: {type: integer, minimum: 7}}}}
                    '202': {description: B, content: {application/json: {schema: {type: string, minLength: 9}}}}
                    '404': {description: C, content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
              /lines:
                get:
                  responses: {'200': {description: A, content: {application/jsonl: {itemSchema: {type: integer, minimum: 8}}}}}
              /own:
                get:
                  responses: {'200': {description: A, content: {application/json: {schema: {$ref: '#/components/schemas/Own'}}}}}
            components:
              schemas:
                Problem: {type: object, required: [code], properties: {code: {type: string, pattern: '^E\\d{3}$'}}}
                Own: {type: object, required: [a], properties: {a: {type: integer, minimum: 5}}, example: {a: 1}}
            """
        ).routes
        func replies(_ pattern: String) -> [String] {
            routes.first { $0.pattern == pattern }?.replies.map { "\($0.status) \(text($0))" } ?? []
        }
        #expect(replies("/several") == ["200 7", #"202 "text text""#, #"404 {"code": "E111"}"#])
        #expect(replies("/lines") == ["200 8\n"])
        #expect(replies("/own") == [#"200 {"a": 1}"#])
    }

    @Test("G4 events are a route of their own, for requests that accept them")
    func events() throws {
        let routes = try examples(Self.document).routes.filter { $0.pattern == "/live" }
        #expect(routes.map(\.neededType) == ["text/event-stream", nil])
        #expect(text(routes.first?.replies.first) == "data: {\"id\": 1, \"name\": \"name\"}\n\n")
        #expect(text(routes.last?.replies.first) == #"{"id": 1, "name": "name"}"#)
    }

    @Test("G4 one route has a reply for each kind of content, made where the document has no example")
    func contents() throws {
        let routes = try examples(
            """
            openapi: 3.1.0
            info: {title: Tides, version: '1'}
            paths:
              /tides:
                get: {responses: {'200': {description: A, content: {text/csv: {}, application/json: {schema: {type: integer}}}}}}
            """
        ).routes
        #expect(routes.count == 1 && routes[0].neededType == nil)
        #expect(routes[0].replies.map(\.mediaType) == ["application/json", "text/csv"])
    }

    @Test("G4 a document that can't be read has no examples")
    func refused() {
        #expect(throws: GenerationError.self) { try examples("swagger: '2.0'\n") }
        #expect(throws: GenerationError.self) { try examples("openapi: 3.1.0\n") }
    }
}
