import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G4 G1 godwit mock checks requests against a document", .timeLimit(.minutes(15)))
struct MockRequestTests {
    private let folder = TemporaryFolder()

    private static let document = """
        openapi: 3.1.0
        info: {title: Ports, version: '1'}
        servers: [{url: /v2}]
        paths:
          /ports:
            get:
              parameters:
                - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
                - {name: kind, in: query, required: true, schema: {enum: [sea, river]}}
                - {name: tags, in: query, schema: {type: array, items: {type: integer}, maxItems: 2}}
                - {name: near, in: query, style: deepObject, explode: true, schema: {type: object, required: [lat], properties: {lat: {type: number}}}}
                - {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer}}}
                - {name: X-Trace, in: header, schema: {type: string, format: uuid}}
                - {name: filter, in: query, content: {application/json: {schema: {type: object, required: [a]}}}}
              responses: {'200': {description: Ports, content: {application/json: {schema: {type: array, items: {type: string}}}}}}
            post:
              requestBody:
                required: true
                content:
                  application/json: {schema: {$ref: '#/components/schemas/Port'}}
                  application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Port'}}
              responses: {'201': {description: A port, content: {application/json: {schema: {$ref: '#/components/schemas/Port'}}}}}
          /ports/{id}:cancel:
            post:
              parameters: [{name: id, in: path, required: true, schema: {type: integer, exclusiveMinimum: 0}}]
              responses: {'204': {description: Canceled}}
          /wrong:
            get:
              responses: {'200': {description: Wrong, content: {application/json: {schema: {type: integer, minimum: 9}, example: 1}}}}
        components:
          schemas:
            Port:
              type: object
              required: [id, name, depth]
              additionalProperties: false
              properties:
                id: {type: integer, readOnly: true, minimum: 1000}
                name: {type: string, minLength: 3, maxLength: 10}
                depth: {type: number, exclusiveMinimum: 20, multipleOf: 0.5}
                code: {type: string, pattern: '^[A-Z]{5}$'}
                password: {type: string, minLength: 12, writeOnly: true}
        """

    /// Sends requests to a mock of the document.
    private func withMock(_ body: (_ send: (String...) async -> Run) async throws -> Void) async throws {
        let server = try await ServedMock(
            [folder.write(Self.document, to: "api.yaml"), "--no-page"], clock: TestClock())
        try await body { arguments in
            var arguments = arguments
            arguments[1] = server.url + arguments[1]
            return await Run.godwit(arguments + ["-i"])
        }
        #expect(await server.stop() == .interrupted)
    }

    private static func errors(_ run: Run) throws -> [String] {
        #expect(run.output.contains("application/problem+json"), "\(run.output)")
        let start = try #require(run.output.firstRange(of: "{"))
        let root = try JSONDocument(parsing: Data(run.output[start.lowerBound...].utf8)).root
        #expect(
            root["title"]?.string != nil && root["detail"]?.string != nil && root["status"]?.integer(Int.self) != nil)
        let errors = try #require(root["errors"])
        return errors.elements.map { error in
            let parts = ["in", "name", "pointer", "detail"].compactMap { error[$0]?.string }
            return parts.filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    @Test("G4 a body that the schema refuses is answered with 422 and each violation at its JSON pointer")
    func bodies() async throws {
        try await withMock { send async throws in
            let good = await send("post", "v2/ports", "--json", #"{"name": "North", "depth": 20.5}"#)
            #expect(good.code == .success && good.output.contains("201"), "\(good.output)")
            let bad = await send(
                "post", "ports", "--json",
                #"{"name": "N", "depth": 20.25, "code": "abc", "password": "s3cret", "extra": 1}"#)
            #expect(bad.output.contains("422"))
            #expect(
                try Self.errors(bad) == [
                    "body /extra is not allowed", "body /name must have at least 3 characters",
                    "body /depth must be a multiple of 0.5", "body /code must match the pattern ^[A-Z]{5}$",
                    "body /password must have at least 12 characters",
                ])
            #expect(!bad.output.contains("s3cret"))
            let form = await send(
                "post", "ports", "--data", "name=North&depth=21", "-H",
                "Content-Type: application/x-www-form-urlencoded")
            #expect(form.code == .success, "\(form.output)")
            let deep = await send(
                "post", "ports", "--data", "name=North&depth=deep", "-H",
                "Content-Type: application/x-www-form-urlencoded")
            #expect(try Self.errors(deep) == ["body /depth must be a number, but is a string"])
        }
    }

    @Test("G4 a body that is missing, isn't JSON or is of another media type is refused: 422, 400 and 415")
    func bodyKinds() async throws {
        try await withMock { send async throws in
            let none = await send("post", "ports")
            #expect(none.output.contains("422"))
            #expect(try Self.errors(none) == ["body is required"])
            let broken = await send(
                "post", "ports", "--data", #"{"name": "s3cret"#, "-H", "Content-Type: application/json")
            #expect(broken.output.contains("400") && !broken.output.contains("s3cret"))
            #expect(try Self.errors(broken).first?.hasPrefix("body is not valid JSON at line 1, column ") == true)
            let xml = await send("post", "ports", "--data", "<port/>", "-H", "Content-Type: application/xml")
            #expect(xml.output.contains("415"))
            #expect(
                try Self.errors(xml) == ["body must be application/json, application/x-www-form-urlencoded"])
        }
    }

    @Test(
        "G4 parameters of path, query and header fields are checked in their styles",
        arguments: [
            ("ports?kind=sea", []), ("ports?kind=sea&limit=100&tags=1&tags=2&ids=1,2&near[lat]=5.5", []),
            ("ports", ["query kind is required"]),
            ("ports?kind=lake", [#"query kind must be one of "sea", "river""#]),
            ("ports?kind=sea&limit=0", ["query limit must be at least 1"]),
            ("ports?kind=sea&limit=many", ["query limit must be an integer, but is a string"]),
            ("ports?kind=sea&tags=1&tags=2&tags=3", ["query tags must have at most 2 elements"]),
            ("ports?kind=sea&ids=1,b", ["query ids /1 must be an integer, but is a string"]),
            ("ports?kind=sea&near[lat]=north", ["query near /lat must be a number, but is a string"]),
            ("ports?kind=sea&near[lon]=5", ["query near /lat is required"]),
            ("ports?kind=sea&filter=%7B%22a%22:1%7D", []),
            ("ports?kind=sea&filter=%7B%7D", ["query filter /a is required"]),
            ("ports?kind=sea&filter=%7B", ["query filter is not valid JSON"]),
        ] as [(String, [String])])
    func query(target: String, problems: [String]) async throws {
        try await withMock { send async throws in
            let run = await send("get", target)
            #expect(run.output.contains(problems.isEmpty ? "200" : "422"), "\(run.output)")
            if !problems.isEmpty { #expect(try Self.errors(run) == problems) }
        }
    }

    @Test("G4 a parameter in a part of a segment and a header field are checked")
    func pathAndField() async throws {
        try await withMock { send async throws in
            #expect(await send("post", "v2/ports/7:cancel").output.contains("204"))
            #expect(try Self.errors(await send("post", "ports/0:cancel")) == ["path id must be greater than 0"])
            let field = await send("get", "ports?kind=sea", "-H", "X-Trace: 7")
            #expect(try Self.errors(field) == ["header X-Trace must be a UUID"])
        }
    }

    @Test("G4 a made example keeps the limits of its schema; the document's own example is served as it is")
    func examples() async throws {
        try await withMock { send async throws in
            let made = await send("post", "ports", "--json", #"{"name": "North", "depth": 20.5}"#)
            #expect(
                made.output.hasSuffix(#"{"id": 1000, "name": "name", "depth": 20.5, "code": "AAAAA"}"#),
                "\(made.output)")
            #expect(await send("get", "wrong").output.last == "1")
        }
    }
}
