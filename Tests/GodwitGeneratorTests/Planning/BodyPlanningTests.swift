@testable import GodwitGenerator
import Testing

@Suite("G2 Forms and parts")
struct BodyPlanningTests {
    private func plan(_ body: String) throws -> ClientPlan {
        try Planner.plan(
            try api(operation: "operationId: go\nrequestBody: \(body)\nresponses: {204: {description: Done}}"),
            GeneratorOptions())
    }

    private func factory(_ body: String) throws -> String {
        let text = BodyArgument(try #require(plan(body).operations.first?.body))
        return try #require(text.inline)
    }

    private static let form = "application/x-www-form-urlencoded"

    @Test(
        "G2 a form that can be left out is sent if it has a field; one with required fields always is, which is noted")
    func optional() throws {
        let open = "{type: object, properties: {a: {type: string}}}"
        #expect(try factory("{content: {\(Self.form): {schema: \(open)}}}") == #"body: .formIfAny(["a": a])"#)
        #expect(
            try factory("{required: true, content: {\(Self.form): {schema: \(open)}}}") == #"body: .form(["a": a])"#)
        #expect(
            try factory("{content: {multipart/form-data: {schema: \(open)}}}")
                == #"body: .multipartIfAny { $0.field("a", a) }"#)
        let closed = "{type: object, required: [a], properties: {a: {type: string}}}"
        #expect(try factory("{content: {\(Self.form): {schema: \(closed)}}}") == #"body: .form(["a": a])"#)
        #expect(
            try plan("{content: {\(Self.form): {schema: \(closed)}}}").notes.map(\.text) == [
                "the form of POST /a is always sent, although it can be left out: `a` must be in it"
            ])
    }

    @Test("G2 a request of several kinds has an endpoint for each, unless one says no more than another")
    func severalContents() throws {
        let text = "{type: object, properties: {a: {type: string}}}"
        let file = "{type: object, properties: {a: {type: string, format: binary}}}"
        func endpoints(_ contents: String) throws -> (kinds: [String], notes: [String]) {
            let plan = try plan("{required: true, content: {\(contents)}}")
            let kinds = plan.operations.map { operation in
                let body = operation.body.map { BodyArgument($0).inline ?? "" } ?? ""
                return "\(operation.name) \(body.prefix { $0 != "(" && $0 != "{" && $0 != "[" })"
            }
            return (kinds, plan.notes.map(\.text))
        }
        let both = try endpoints(
            "application/json: {schema: \(text)}, multipart/form-data: {schema: \(file)}, text/csv: {}")
        #expect(both.kinds == ["go body: .json", "goForm body: .multipart ", "goCsv body: .text"])
        #expect(both.notes.first == "`goForm` sends the body of POST /a as multipart/form-data")
        // The same schema: a file can't stand in JSON as it is.
        let sameFile = try endpoints("application/json: {schema: \(file)}, multipart/form-data: {schema: \(file)}")
        #expect(sameFile.kinds == ["go body: .json", "goForm body: .multipart "])
        let same = try endpoints(
            "application/json: {schema: \(text)}, application/xml: {schema: \(text)}, \(Self.form): {schema: \(text)}")
        #expect(same.kinds == ["go body: .json"])
        #expect(
            same.notes == [
                "the body of POST /a is sent as application/json, not as application/x-www-form-urlencoded, application/xml"
            ])
    }

    @Test("G2 what a form's encoding says and makes no difference is noted")
    func encodings() throws {
        let notes = try plan(
            "{required: true, content: {\(Self.form): {schema: {type: object, properties: {a: {type: string}}}, "
                + "encoding: {a: {contentType: text/csv}}}}}"
        ).notes
        #expect(
            notes.map(\.text) == [
                "the media type text/csv of the field `a` of POST /a is ignored: it is sent as text or JSON"
            ])
        let fields = try plan(
            "{required: true, content: {\(Self.form): {schema: {type: object, properties: {a: {type: string}}}, "
                + "encoding: {a: {headers: {X-B: {schema: {type: string}}}}}}}}"
        ).notes
        #expect(
            fields.map(\.text) == ["the header fields of the field `a` of POST /a are ignored: only parts have some"])
        let parts = try plan(
            "{required: true, content: {multipart/form-data: {schema: {type: object, properties: {a: {type: array, items: "
                + "{type: string}}, b: {type: string, format: binary}}}, encoding: {a: {explode: false, contentType: "
                + "text/csv}, b: {style: form}}}}}"
        ).notes
        #expect(
            parts.map(\.text) == [
                "the media type of the part `a` of POST /a is ignored: it has a style",
                "the style of the part `b` of POST /a is ignored: it is a file",
            ])
    }
}
