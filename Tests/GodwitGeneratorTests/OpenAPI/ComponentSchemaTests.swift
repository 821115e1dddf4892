@testable import GodwitGenerator
import Testing

@Suite("G2 Schemas that are written in place in components")
struct ComponentSchemaTests {
    private static let error = "{type: object, required: [message], properties: {message: {type: string}}}"

    private func plan(_ operations: [String], _ components: String) throws -> ClientPlan {
        let paths = operations.enumerated().map { "  /p\($0.offset): \($0.element)" }.joined(separator: "\n")
        let text = "openapi: 3.1.0\ninfo: {title: T}\npaths:\n\(paths)\ncomponents:\n\(components)\n"
        return try Planner.plan(try api(text), GeneratorOptions())
    }

    private func get(_ name: String, _ status: String, _ reference: String) -> String {
        "{get: {operationId: \(name), responses: {204: {description: D}, \(status): {$ref: '\(reference)'}}}}"
    }

    @Test("G2 a response that several operations refer to is one type with its name, also through other references")
    func responses() throws {
        let plan = try plan(
            [
                get("a", "'401'", "#/components/responses/Unauthorized"),
                get("b", "'401'", "#/components/responses/Unauthorized"),
                get("c", "'401'", "#/components/responses/Alias"),
            ],
            """
              responses:
                Alias: {$ref: '#/components/responses/Unauthorized'}
                Unauthorized: {description: U, content: {application/json: {schema: \(Self.error)}}}
            """)
        #expect(plan.models.map(\.name.text) == ["Unauthorized"])
        #expect(
            plan.operations.map { $0.failures.first?.type?.text } == ["Unauthorized", "Unauthorized", "Unauthorized"])
        #expect(plan.failures == [FailurePlan(type: TypeName("Unauthorized"), message: ["message"])])
        #expect(plan.notes.isEmpty)
    }

    @Test("G2 bodies, parameters, forms, lists and envelopes in components are one type each")
    func others() throws {
        let reference = "{$ref: '#/components/"
        let operation = { (name: String) in
            """
            {post: {operationId: \(name), parameters: [\(reference)parameters/list_order'}], \
            requestBody: \(reference)requestBodies/Order'}, responses: {'200': \(reference)responses/Orders'}}}, \
            put: {operationId: \(name)Form, requestBody: \(reference)requestBodies/Upload'}, \
            responses: {'200': \(reference)responses/Receipt'}}}}
            """
        }
        let plan = try plan(
            [operation("a"), operation("b")],
            """
              parameters:
                list_order: {name: sort, in: query, schema: {type: string, enum: [up, down]}}
              requestBodies:
                Order: {content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}
                Upload: {content: {multipart/form-data: {schema: {type: object, properties: {kind: {type: string, enum: [x, y]}}}}}}
              responses:
                Orders: {description: L, content: {application/json: {schema: {type: array, items: {type: object, properties: {b: {type: string}}}}}}}
                Receipt: {description: R, content: {application/json: {schema: {type: object, required: [data], properties: {data: {type: object, properties: {c: {type: string}}}}}}}}
            """)
        #expect(
            plan.models.map(\.name.text) == ["ListOrder", "Order", "Order2", "ReceiptData", "UploadKind"])
        #expect(plan.operations.map(\.response.type.text) == ["[Order2]", "ReceiptData", "[Order2]", "ReceiptData"])
    }

    @Test("G2 a component with the name of a schema, a number or another file's name gets a name of its own")
    func names() throws {
        let api = try api(
            """
            openapi: 3.1.0
            info: {title: T}
            paths:
              /a: {get: {operationId: a, responses: {'401': {$ref: '#/components/responses/Error'}, '404': {$ref: '#/components/responses/404'}, '500': {$ref: 'failures.yaml#/Broken'}}}}
              /b: {get: {operationId: b, responses: {'401': {$ref: '#/components/responses/Error'}, '404': {$ref: '#/components/responses/404'}, '500': {$ref: 'failures.yaml#/Broken'}}}}
            components:
              schemas: {Error: {type: object, properties: {a: {type: string}}}}
              responses:
                Error: {description: E, content: {application/json: {schema: \(Self.error)}}}
                '404': {description: N, content: {application/json: {schema: \(Self.error)}}}
            """,
            files: ["failures.yaml": "Broken: {description: B, content: {application/json: {schema: \(Self.error)}}}"])
        #expect(api.schemas.map(\.name) == ["Error", "Error2", "Response 404", "Broken"])
        let plan = try Planner.plan(api, GeneratorOptions())
        #expect(
            plan.operations.map { $0.failures.compactMap { $0.type?.text } } == [
                ["Error2", "Response404", "Broken"], ["Error2", "Response404", "Broken"],
            ])
    }

    @Test("G2 a component whose schema is a reference, or one text, adds no type")
    func referred() throws {
        let plan = try plan(
            [get("a", "'400'", "#/components/responses/Bad"), get("b", "'400'", "#/components/responses/Plain")],
            """
              schemas: {Problem: \(Self.error)}
              responses:
                Bad: {description: B, content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
                Plain: {description: P, content: {application/json: {schema: {type: string}}}}
            """)
        #expect(plan.models.map(\.name.text) == ["Problem"])
    }
}
