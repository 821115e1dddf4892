@testable import GodwitGenerator
import Testing

@Suite("G2 Values for the arguments of calls")
struct ArgumentMakerTests {
    private let maker = ArgumentMaker(models: ModelIndex(LibraryPlan.models), examples: "Examples")

    @Test(
        "G2 each type has an expression",
        arguments: [
            (SwiftType.string, "\"text\""), (.integer, "1"), (.builtin("Bool"), "true"),
            (.builtin("Date"), "Date(timeIntervalSince1970: 0)"), (.array(.integer), "[1]"),
            (.dictionary(.string), "[\"key\": \"text\"]"), (.optional(.integer), "1"), (.patch(.integer), ".value(1)"),
            (.open(TypeName("Genre")), "Open(.novel)"), (.indirect(.string), "Indirect(\"text\")"),
            (.model(LibraryPlan.book), "Book(id: 1, title: \"text\", genre: Open(.novel))"),
            (.model(TypeName("Problem")), "Problem()"),
            (.builtin("UUID"), "Examples.value(#\"\"7F4C1B2A-0D3E-4A5B-8C6D-9E0F1A2B3C4D\"\"#)"),
        ])
    func expressions(type: SwiftType, expression: String) {
        #expect(maker.value(of: type)?.expression == expression)
    }

    @Test("G2 a type that contains itself, or an unknown one, has no expression")
    func none() {
        let tree = LibraryPlan.structure("Tree", [LibraryPlan.property("child", .model(TypeName("Tree")))])
        let maker = ArgumentMaker(models: ModelIndex([tree]), examples: "Examples")
        #expect(maker.value(of: .model(TypeName("Tree"))) == nil)
        #expect(maker.value(of: .model(TypeName("Other"))) == nil)
    }

    @Test("G2 the text of a value is known if nothing in it is encoded")
    func texts() {
        #expect(maker.value(of: .open(TypeName("Genre")))?.text == "novel")
        #expect(maker.value(of: .builtin("Date"))?.text == nil)
        let odd = ModelPlan(
            name: TypeName("Odd"),
            kind: .enumeration(EnumerationPlan(base: .string, cases: [.init(name: "one", rawValue: "a b")])),
            direction: .request)
        let maker = ArgumentMaker(models: ModelIndex([odd]), examples: "Examples")
        #expect(maker.value(of: .open(TypeName("Odd")))?.text == nil)
    }
}
