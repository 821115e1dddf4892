@testable import GodwitGenerator
import Testing

@Suite("G2 Responses")
struct ResponsePlanningTests {
    /// The operation of a document with these responses, in YAML.
    private func operation(_ responses: String) throws -> OperationPlan {
        let api = try api(operation: "operationId: go\nresponses: \(responses)")
        let plan = try Planner.plan(api, GeneratorOptions())
        return try #require(plan.operations.first)
    }

    private static let one = "content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}"
    private static let other = "content: {application/json: {schema: {type: object, properties: {b: {type: string}}}}}"

    @Test(
        "G2 the type of a response is that of all successes together",
        arguments: [
            ("{200: {ONE}}", "GoResponse"), ("{200: {ONE}, 204: {description: None}}", "GoResponse?"),
            ("{202: {description: Later}, 201: {ONE}}", "GoResponse?"), ("{204: {description: None}}", "Void"),
            ("{200: {ONE}, 201: {ONE}}", "GoResponse"), ("{default: {ONE}}", "GoResponse"),
            ("{200: {ONE}, default: {OTHER}}", "GoResponse"), ("{2XX: {ONE}}", "GoResponse"),
            ("{200: {ONE}, 201: {OTHER}}", "GoResponse"), ("{404: {ONE}, default: {OTHER}}", "GoResponse"),
            ("{302: {description: Moved}, default: {OTHER}}", "Void"),
            ("{200: {content: {text/plain: {}}}, 204: {description: None}}", "String"),
        ])
    func types(responses: String, type: String) throws {
        let text = responses.replacing("ONE", with: Self.one).replacing("OTHER", with: Self.other)
        #expect(try operation(text).response.type.text == type)
    }

    @Test("G2 successes with different bodies are an enum, the ranges last")
    func byStatus() throws {
        let plan = try operation("{2XX: {\(Self.other)}, 200: {\(Self.one)}, 204: {description: None}}")
        guard case .byStatus(let responses) = plan.response else {
            Issue.record("not an enum: \(plan.response)")
            return
        }
        #expect(responses.cases.map(\.name) == ["ok", "noContent", "other"])
        #expect(responses.cases.map(\.status) == [.code(200), .code(204), .range(2)])
    }

    @Test("G2 another media type than JSON is asked for, and each kind of content has an endpoint")
    func mediaTypes() throws {
        let vendor = "{200: {content: {application/vnd.a+json: {schema: {type: object, properties: {a: {}}}}}}}"
        #expect(try operation(vendor).accept == "application/vnd.a+json")
        let several =
            "{200: {content: {text/csv: {}, application/json: {schema: {type: array, items: {type: string}}}}}}"
        let plan = try Planner.plan(try api(operation: "responses: \(several)"), GeneratorOptions())
        #expect(plan.operations.map(\.name) == ["createA", "createACsv"])
        #expect(plan.operations.map(\.accept) == [nil, "text/csv"])
        #expect(plan.notes.map(\.text) == ["`createACsv` reads the response of POST /a as text/csv"])
    }

    @Test(
        "G2 every kind of content that a success has can be had: data first, then the others, each with its own Accept",
        arguments: [
            ("application/octet-stream: {}, text/event-stream: {}", "go Data octet-stream, goStream Void"),
            ("text/html: {}, video/*: {}", "go String html, goVideo Data *"),
            ("image/png: {}, text/plain: {}", "go String plain, goPng Data png"),
            (
                "text/csv: {}, application/json: {schema: {type: array, items: {type: string}}}",
                "go [String], goCsv String csv"
            ),
            ("application/json: {schema: {ONE}}, application/xml: {schema: {ONE}}", "go GoResponse"),
            (
                "application/json: {schema: {ONE}}, application/vnd.a.star+json: {schema: {OTHER}}",
                "go GoResponse, goAStarJson GoResponse2 vnd.a.star+json"
            ),
            (
                "application/json: {schema: {ONE}}, text/event-stream: {}, application/x-ndjson: {}",
                "go GoResponse, goStream Void, goLines Void"
            ),
            ("application/pdf: {}, application/zip: {}, '*/*': {}", "go JSONValue, goPdf Data pdf, goZip Data zip"),
        ])
    func kinds(contents: String, endpoints: String) throws {
        let one = "type: object, properties: {a: {type: string}}"
        let other = "type: object, properties: {b: {type: string}}"
        let text = contents.replacing("ONE", with: one).replacing("OTHER", with: other)
        let api = try api(operation: "operationId: go\nresponses: {200: {content: {\(text)}}}")
        let plan = try Planner.plan(api, GeneratorOptions())
        let found = plan.operations.map { operation in
            let accept = operation.accept?.split(separator: "/").last.map { " \($0)" } ?? ""
            return "\(operation.name) \(operation.response.type.text)\(accept)"
        }
        #expect(found.joined(separator: ", ") == endpoints)
        #expect(MockRoutePlan.hidden(in: plan).isEmpty || endpoints.contains("goLines"))
    }

    @Test("G2 other kinds of content stay within reach if the successes are an enum")
    func kindsOfSeveralSuccesses() throws {
        let first = Self.one.replacing("content: {", with: "content: {text/csv: {}, ")
        let plan = try Planner.plan(
            try api(operation: "operationId: go\nresponses: {200: {\(first)}, 202: {\(Self.other)}}"),
            GeneratorOptions())
        #expect(plan.operations.map(\.response.type.text) == ["GoResponse", "String"])
        #expect(plan.operations.map(\.accept) == [nil, "text/csv"])
    }

    /// The readers of the errors of operations, each with its responses.
    private func readers(_ operations: [String]) throws -> (readers: [String], notes: [String]) {
        let description = try api(
            "openapi: 3.1.0\ninfo: {title: T}\npaths:\n"
                + operations.enumerated().map {
                    "  /\($0): {get: {operationId: get\($0), responses: {204: {description: D}, \($1)}}}\n"
                }
                .joined()
                    + """
                    components:
                      schemas:
                        Refusal: {type: object, required: [message], properties: {message: {type: string}}}
                        Conflict: {type: object, required: [message, holder], properties: {message: {type: string}, holder: {type: string}}}
                        Loose: {type: object, properties: {message: {type: string}}}
                        Problem: {type: object, properties: {title: {type: string}, detail: {type: string}, status: {type: integer}}}
                        Word: {type: string}

                    """)
        let plan = try Planner.plan(description, GeneratorOptions())
        let writer = FailureWriter(plan: plan, options: GeneratorOptions())
        return (writer.readers, plan.notes.map(\.text))
    }

    private func error(_ status: String, _ name: String) -> String {
        "'\(status)': {description: D, content: {application/json: {schema: {$ref: '#/components/schemas/\(name)'}}}}"
    }

    @Test("G2 error bodies of several types are read by status, and the type of most for any other")
    func failures() throws {
        let single = try readers([error("404", "Refusal")])
        #expect(single.readers == [".type(Refusal.self)"] && single.notes.isEmpty)
        let several = try readers([
            error("404", "Refusal") + ", " + error("409", "Conflict"), error("4XX", "Refusal"),
            error("403", "Refusal") + ", " + error("401", "Refusal") + ", " + error("5XX", "Loose"),
        ])
        #expect(
            several.readers == [
                ".type(Conflict.self, for: [409])",
                ".type(Refusal.self, for: Set([401, 403, 404]).union(400..<500))",
                ".type(Loose.self, for: 500..<600)", ".type(Refusal.self)",
            ])
        #expect(several.notes.isEmpty)
        let any = try readers([
            error("default", "Refusal"), error("404", "Conflict"), error("500", "Word"), error("502", "Problem"),
        ])
        #expect(any.readers == [".type(Conflict.self, for: [404])", ".type(Refusal.self)"])
        #expect(any.notes.isEmpty)
    }

    @Test("G2 an error type that isn't told from another is noted; problem documents are the client's own")
    func indistinguishableFailures() throws {
        let same = try readers([
            error("404", "Refusal"), error("404", "Loose"), error("404", "Conflict"), error("404", "Refusal"),
        ])
        #expect(
            same.readers == [
                ".type(Conflict.self, for: [404])", ".type(Refusal.self, for: [404])", ".type(Loose.self, for: [404])",
                ".type(Refusal.self)",
            ])
        #expect(
            same.notes == [
                "error bodies of the type `Loose`, such as for 404 of `get1`, are read as `Refusal` if they have its required "
                    + "members"
            ])
        let problems = try readers([error("404", "Problem"), error("409", "Conflict")])
        #expect(problems.readers == [".type(Conflict.self, for: [409])"])
        #expect(try readers([error("404", "Problem")]).readers.isEmpty)
    }

    @Test("G2 what a body of a sequence says of its elements is noted if it is read as a whole")
    func sequences() throws {
        let records = "{200: {content: {application/json-seq: {itemSchema: {type: object}}}}}"
        let plan = try Planner.plan(try api(operation: "responses: \(records)"), GeneratorOptions())
        #expect(
            plan.notes.map(\.text) == ["`itemSchema` of application/json-seq is left out: the body is read as a whole"])
        #expect(plan.notes.first?.place != nil)
    }

    @Test("G2 a parameter of a media type that isn't sent is noted, except charset")
    func mediaTypeParameters() throws {
        let charset = "{200: {content: {'application/json; charset=utf-8': {schema: {type: string}}}}}"
        #expect(try api(operation: "responses: \(charset)").notes.isEmpty)
        let verbose = "{200: {content: {'application/json;odata=verbose': {schema: {type: string}}}}}"
        #expect(
            try api(operation: "responses: \(verbose)").notes.map(\.text) == [
                "`application/json;odata=verbose` is sent and asked for as `application/json`, without `odata=verbose`"
            ])
    }

    @Test("G2 a response to HEAD has no body")
    func head() throws {
        let api = try api("openapi: 3.1.0\ninfo: {title: T}\npaths: {/a: {head: {responses: {200: {\(Self.one)}}}}}")
        #expect(try Planner.plan(api, GeneratorOptions()).operations.first?.response == ResponsePlan.none)
    }
}
