@testable import GodwitGenerator
import Testing

@Suite("G2 Endpoints")
struct EndpointWritingTests {
    private func text(_ operation: GodwitGenerator.Operation, _ schemas: (String, Schema)...) throws -> String {
        var description = APIDescription(title: "Sample API")
        description.schemas = schemas.map { APIDescription.NamedSchema(name: $0.0, schema: $0.1) }
        description.operations = [operation]
        return try description.text(of: "Endpoints/Endpoint+Things.swift")
    }

    private func sending(_ mediaType: String, _ schema: Schema) -> GodwitGenerator.Operation {
        var operation = GodwitGenerator.Operation("POST", "/things")
        operation.body = RequestPayload(
            isRequired: true, contents: [Content(mediaType: mediaType, schema: schema)])
        return operation
    }

    @Test("G2 a form that is too long for a line has its fields on lines of their own")
    func form() throws {
        let fields = (1...9).map { Schema.Property.required("field_number_\($0)", .text) }
        let schema = Schema(.object(Schema.Object(properties: fields)))
        let text = try text(sending("application/x-www-form-urlencoded", schema))
        #expect(
            text.contains(
                "        .post(\n            \"things\",\n            body: .form([\n                \"field_number_1\""
            ))
        #expect(text.contains("\"field_number_9\": fieldNumber9,\n            ]))\n"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= SourceText.columns })
    }

    @Test("G2 the parts of a multipart body are statements on lines of their own; objects are sent as JSON")
    func multipart() throws {
        let schema = Schema.object(
            .required("file", Schema(.string(format: "binary"))), .required("meta", .object(.required("a", .text))))
        #expect(
            try text(sending("multipart/form-data", schema)).contains(
                """
                        .post(
                            "things",
                            body: .multipart {
                                MultipartFile.add(file, named: "file", to: &$0)
                                TypedPart.add(json: meta, named: "meta", to: &$0)
                            })
                """))
    }

    @Test("G2 a union in the query is sent as plain text, JSON only if the document says so")
    func unionInQuery() throws {
        let union = Schema.union(Schema(.number(format: nil)), .text)
        var operation = GodwitGenerator.Operation("GET", "/things")
        operation.parameters = [Parameter(name: "dues", location: .query, schema: union, style: .form, explodes: true)]
        #expect(try text(operation).contains(".query(StyledText.members(\"dues\", dues))"))
        operation.parameters[0].mediaType = "application/json"
        #expect(try text(operation).contains("query: [\"dues\": JSONText.of(dues)]"))
    }

    @Test("G2 a long path and body are on lines of their own, with modifiers after the call")
    func longPath() throws {
        let path = "/things/" + String(repeating: "subordinate/", count: 7) + "end"
        var operation = GodwitGenerator.Operation(
            "POST", path, sending: .reference("Draft"), returning: .reference("Draft"))
        operation.security = []
        var description = APIDescription.of(("Draft", .object(.required("a", .text))), operations: [operation])
        description.securitySchemes = [SecurityScheme(name: "key", kind: .bearer)]
        let text = try description.text(of: "Endpoint+Things.swift")
        #expect(text.contains("            body: .json(draft)\n        )\n        .unauthenticated()\n"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= SourceText.columns })
    }

    @Test("G2 a summary that only repeats the name is left out")
    func repeatedSummary() throws {
        var operation = GodwitGenerator.Operation("GET", "/things/{id}", returning: .text)
        (operation.id, operation.summary) = ("read_thing", "Read Thing")
        #expect(try text(operation).contains("    /// `GET /things/{id}`\n    public static "))
        operation.summary = "Read a thing"
        #expect(try text(operation).contains("    /// Read a thing\n"))
    }

    @Test("G2 a query or a fragment in a document's path isn't sent as a part of the path")
    func queryInPath() throws {
        var beta = GodwitGenerator.Operation("GET", "/things/{id}?beta=a%20b&flag&page={page}#all")
        beta.parameters = ["id", "page"].map {
            Parameter(name: $0, location: .path, isRequired: true, schema: .text, style: .simple, explodes: false)
        }
        let text = try text(beta)
        #expect(text.contains("(id: String, page: String)"), "\(text)")
        #expect(
            text.contains(".get(\"things/\\(id)\", query: [\"beta\": \"a b\", \"flag\": \"\", \"page\": page])"),
            "\(text)")
    }

    @Test("G2 a last event that isn't JSON ends the sequence, if the document mentions it anywhere")
    func endMarker() throws {
        var stream = Schema(.boolean)
        stream.summary = "Streams events until `data: [DONE]`"
        let request = Schema.object(.required("options", .reference("Options")))
        for (summary, schema) in [("Ends with [DONE].", Schema.object()), (nil, .object(.optional("stream", stream)))] {
            var operation = GodwitGenerator.Operation("POST", "/things", sending: request)
            operation.summary = summary
            operation.responses[0].contents = [Content(mediaType: "text/event-stream", schema: .reference("Chunk"))]
            let schemas = [("Options", schema), ("Chunk", Schema.object(.required("id", .integer)))]
            let description = APIDescription.of(schemas[0], schemas[1], operations: [operation])
            let text = try description.text(of: "/SampleRepository.swift") { $0.layout = .package(godwit: .release) }
            #expect(text.contains(".decoded(as: Chunk.self, until: \"[DONE]\")"), "\(text)")
        }
    }

    @Test("G2 cookies of an operation are arguments, and one field together")
    func cookies() throws {
        var operation = GodwitGenerator.Operation("GET", "/things")
        operation.parameters = [("theme", Schema.text, true), ("visit", .integer, false)].map { name, schema, needed in
            Parameter(
                name: name, location: .cookie, isRequired: needed, schema: schema, style: .form, explodes: true)
        }
        let text = try text(operation)
        #expect(text.contains("static func getThings(theme: String, visit: Int? = nil)"), "\(text)")
        let field = #".header(.cookie, CookieText.of(["theme": theme, "visit": visit]))"#
        #expect(text.contains(field), "\(text)")
        #expect(try APIDescription.of(operations: [operation]).text(of: "CookieText.swift").contains("enum CookieText"))
    }
}
