@testable import GodwitGenerator
import Testing

@Suite("G2 Responses in envelopes")
struct ResponseEnvelopeTests {
    private static let boat = Schema.object(.required("id", .integer), .required("name", .text))

    /// `Endpoint+Things.swift` of an API with `GET /things`, and its models.
    private func files(
        _ schema: Schema, _ others: (String, Schema)..., changing change: (inout APIDescription) -> Void = { _ in }
    ) throws -> [String: String] {
        var description = APIDescription(title: "Sample API")
        description.schemas = ([("Boat", Self.boat)] + others).map { .init(name: $0.0, schema: $0.1) }
        description.operations = [GodwitGenerator.Operation("GET", "/things", returning: schema)]
        change(&description)
        var options = GeneratorOptions()
        options.layout = .package(godwit: .release)
        let files = try Generator(options).generation(of: description).files
        return Dictionary(
            uniqueKeysWithValues: files.map { (String($0.path.split(separator: "/").last ?? ""), $0.text) })
    }

    @Test("G2 a response with one member is that member's value, and its envelope becomes no type")
    func unwrapped() throws {
        for member in [Schema.reference("Boat"), .array(.reference("Boat"))] {
            let wrapper = Schema.object(.required("data", member))
            for (schema, others) in [(wrapper, []), (Schema.reference("BoatResponse"), [("BoatResponse", wrapper)])] {
                let files = try files(schema, ("Other", Self.boat)) { description in
                    description.schemas += others.map { .init(name: $0.0, schema: $0.1) }
                }
                let result = member.kind == .reference("Boat") ? "Boat" : "[Boat]"
                let text = try #require(files["Endpoint+Things.swift"])
                #expect(text.contains("Endpoint<\(result)> {\n        .get(\"things\").unwrapping(\"data\")\n"))
                #expect(files["BoatResponse.swift"] == nil && files["GetThingsResponse.swift"] == nil)
            }
        }
    }

    @Test("G2 an inline type in a named envelope has the name that the envelope is for")
    func names() throws {
        let files = try files(.reference("PierResponse"), ("PierResponse", .object(.required("data", Self.boat))))
        #expect(files["Endpoint+Things.swift"]?.contains("Endpoint<Pier>") == true)
        #expect(files["Pier.swift"] != nil && files["PierResponse.swift"] == nil)
    }

    @Test("G2 tests and the mock server answer with the whole envelope")
    func examples() throws {
        let wrapper = Schema.object(.required("boat", .reference("Boat")))
        let files = try files(wrapper) { description in
            let example = DocumentNode(
                .object([
                    .init(
                        key: "boat",
                        value: DocumentNode(
                            .object([
                                .init(key: "id", value: DocumentNode(.number("7"))),
                                .init(key: "name", value: DocumentNode(.string("Skua"))),
                            ])))
                ]))
            description.operations[0].responses[0].contents[0].examples = [Example(value: example)]
        }
        let text = try #require(files["SampleExamples+ThingsOperations.swift"])
        #expect(text.contains("\"boat\": {") && text.contains("\"name\": \"Skua\""))
        let made = try #require(try self.files(wrapper)["SampleExamples+ThingsOperations.swift"])
        #expect(made.contains("\"boat\": {") && made.contains("\"id\": 1"))
    }

    @Test("G2 what says something itself is no envelope: other members, null, single values, types used elsewhere")
    func kept() throws {
        let boat = Schema.reference("Boat")
        let tree = Schema.object(.required("children", .array(.reference("Tree"))))
        let shared = Schema.object(.required("data", boat))
        for schema in [
            Schema.object(.required("data", boat), .optional("meta", .text)), .object(.optional("data", boat)),
            .object(.required("data", boat.nullable)), .object(.required("count", .integer)),
            .object(.required("data", boat), additional: .text), .object(.required("a.b", boat)),
            .object(.required("data", boat)).nullable, .reference("Tree"), .reference("Shared"),
        ] {
            let files = try files(
                schema, ("Tree", tree), ("Shared", shared),
                ("Owner", .object(.optional("shared", .reference("Shared")))))
            let text = try #require(files["Endpoint+Things.swift"])
            #expect(!text.contains("unwrapping"), "\(text)")
        }
    }
}
