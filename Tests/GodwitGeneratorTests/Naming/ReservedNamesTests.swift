@testable import GodwitGenerator
import Testing

@Suite("G2 Names that the language has for itself")
struct ReservedNamesTests {
    private static let names = [
        "Protocol", "protocol", "Type", "type", "Self", "self", "init", "Any", "inout", "class",
    ]

    @Test("G2 a name that Swift refuses in a place is another one there", arguments: names)
    func tables(name: String) {
        for place in ReservedNames.Place.allCases {
            var members = NameTable.members(in: place)
            #expect(!ReservedNames.language(place).contains(members.take(name)))
        }
        var types = NameTable.types()
        #expect(!ReservedNames.language(.type).contains(types.take(name)))
        #expect(!ReservedNames.language(.type).contains(ReservedNames.nested(SwiftName.type(name))))
    }

    @Test("G2 the values of a server's variable are an enum with a name that Swift takes")
    func serverVariables() throws {
        let variables = ["protocol", "type", "string", "book"].map { "\($0): {default: a, enum: [a, self]}" }
        let api = try api(
            """
            openapi: 3.1.0
            info: {title: Library}
            servers: [{url: 'https://a.example.com/{protocol}/{type}/{string}/{book}', variables: {\(variables.joined(separator: ", "))}}]
            paths: {/a: {get: {operationId: a, responses: {'200': {description: A, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}}}}}
            components: {schemas: {Book: {type: object, properties: {a: {type: string}}}}}
            """)
        let plan = try Planner.plan(api, GeneratorOptions())
        let text = ClientFiles(plan: plan, options: GeneratorOptions()).sources.first {
            $0.path.hasSuffix("LibraryAPI.swift")
        }?.text
        for name in ["ProtocolValue", "Kind", "StringValue", "Book2"] {
            #expect(text?.contains("enum \(name): String, Sendable") == true, "\(name)")
        }
        #expect(
            text?.contains("protocol: ProtocolValue = .a") == true && text?.contains("case self2 = \"self\"") == true)
    }

    @Test("G2 labels have backticks where they are declared, and in calls only if they need them there")
    func labels() {
        #expect(["inout", "let", "class", "a"].map(SwiftLiteral.label) == ["`inout`", "`let`", "class", "a"])
        #expect(["inout", "let", "class", "a"].map(SwiftLiteral.argument) == ["`inout`", "let", "class", "a"])
    }
}
