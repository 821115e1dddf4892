@testable import GodwitGenerator
import Testing

@Suite("G2 Names and words of plans")
struct NamePlanningTests {
    @Test("G2 cases of a union leave out the words that they share with it")
    func cases() {
        let names = ["ChatMessageUserParam", "ChatMessageSystemParam"]
        #expect(SwiftName.withoutSharedWords(names, in: ["ChatMessage"]) == ["User", "System"])
        #expect(
            SwiftName.withoutSharedWords(["NetworkPolicyOff", "NetworkPolicyList"], in: ["Tool", "NetworkPolicy"]) == [
                "Off", "List",
            ])
    }

    @Test("G2 shared words stay if the union doesn't have them, or if nothing usable remains")
    func keptWords() {
        for names in [["UserCreated", "UserDeleted"], ["event_2d", "event_3d"], ["Event", "EventList"]] {
            #expect(SwiftName.withoutSharedWords(names, in: ["Event"]) == names)
        }
    }

    @Test("G2 titles that only repeat a name aren't documentation")
    func titles() throws {
        var token = Schema.text
        token.title = "Access Token"
        var kind = Schema.text
        kind.title = "Error Kind"
        var schema = Schema.object(.required("access_token", token), .required("kind", kind))
        schema.title = "Session"
        let text = try APIDescription.of(("Session", schema)).text(of: "Models/Session.swift")
        #expect(!text.contains("/// Access Token") && !text.contains("/// Session"))
        #expect(text.contains("    /// Error Kind\n"))
    }

    @Test("G2 a constant with a default is sent unless the caller says otherwise: it tells shapes apart")
    func constantWithDefault() throws {
        var kind = Schema.choice("sail")
        kind.defaultValue = DocumentNode(.string("sail"))
        let text = try APIDescription.of(("Sail", .object(.optional("type", kind)))).text(of: "Models/Sail.swift")
        #expect(text.contains("init(type: String? = \"sail\")"))
        kind.defaultValue = nil
        let plain = try APIDescription.of(("Sail", .object(.optional("type", kind)))).text(of: "Models/Sail.swift")
        #expect(plain.contains("init(type: String? = nil)"))
    }

    @Test("G2 FastAPI's names of directions and bodies become those that a person would give")
    func frameworkNames() {
        let schemas = ["Plan-Input", "Plan-Output", "Body_quote_quote_post", "Log-Input"]
        var operation = GodwitGenerator.Operation("POST", "/quote")
        operation.id = "quote_quote_post"
        var description = APIDescription.of(operations: [operation])
        description.schemas = schemas.map { APIDescription.NamedSchema(name: $0, schema: .object()) }
        #expect(
            FrameworkNames.names(for: description) == [
                "Plan-Input": "PlanDraft", "Plan-Output": "Plan", "Body_quote_quote_post": "QuoteRequest",
            ])
        description.schemas.append(APIDescription.NamedSchema(name: "Plan", schema: .object()))
        #expect(FrameworkNames.names(for: description)["Plan-Output"] == nil)
    }

    @Test("G2 long declarations are broken between protocols, long cases after the colon")
    func longDeclarations() {
        var text = SourceText()
        let name = String(repeating: "Long", count: 20)
        text.declaration("nonisolated public struct \(name)", ["Codable", "Sendable", "Hashable"]) { _ in }
        #expect(text.lines == ["nonisolated public struct \(name): Codable,", "    Sendable, Hashable", "{", "}"])
        text = SourceText()
        text.branch("case .\(name)(let value):", "try container.encode(value)")
        #expect(text.lines == ["case .\(name)(let value):", "    try container.encode(value)"])
    }
}
