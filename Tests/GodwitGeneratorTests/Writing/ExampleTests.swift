@testable import GodwitGenerator
import Testing

@Suite("G2 Examples that types decode")
struct ExampleTests {
    private let index = ModelIndex(LibraryPlan.models)

    private func json(_ type: SwiftType, _ members: ExampleMaker.Members = .all) -> String? {
        ExampleMaker(models: index).value(of: type, members)?.json
    }

    @Test("G2 a made value has all members, or those that must be there")
    func members() {
        #expect(
            json(.model(LibraryPlan.book))
                == #"{"id": 1, "title": "title", "genre": "novel", "published": "2026-03-01"}"#)
        #expect(json(.model(LibraryPlan.book), .required) == #"{"id": 1, "title": "title", "genre": "novel"}"#)
    }

    @Test(
        "G2 every type of Swift and Godwit has a value that it decodes",
        arguments: [
            "Bool", "Int", "Int64", "UInt64", "Double", "Decimal", "String", "Date", "Day", "UUID", "URL", "Data",
            "JSONValue",
        ])
    func builtins(name: String) throws {
        let value = try #require(ExampleMaker(models: index).value(of: .builtin(name)))
        #expect(ExampleCheck(models: index).fits(value, .builtin(name)))
        #expect(ExampleCheck(models: index).fits(DocumentNode(.null), .optional(.builtin(name))))
        #expect(name == "JSONValue" || !ExampleCheck(models: index).fits(DocumentNode(.null), .builtin(name)))
    }

    @Test("G2 a type that contains itself has a finite value, or none")
    func recursion() {
        let tree = TypeName("Tree")
        func index(_ type: SwiftType) -> ModelIndex {
            ModelIndex([LibraryPlan.structure("Tree", [LibraryPlan.property("child", type)])])
        }
        let optional = ExampleMaker(models: index(.optional(.indirect(.model(tree)))))
        #expect(optional.value(of: .model(tree), .required)?.json == "{}")
        let endless = ExampleMaker(models: index(.indirect(.model(tree))))
        #expect(endless.value(of: .model(tree)) == nil)
        let list = ExampleMaker(models: index(.array(.model(tree))))
        #expect(list.value(of: .model(tree)) != nil)
    }

    @Test("G2 wide types that contain each other don't multiply")
    func width() throws {
        let properties = (0..<30).map { LibraryPlan.property("p\($0)", .array(.model(TypeName("Wide")))) }
        let models = ModelIndex([LibraryPlan.structure("Wide", properties)])
        let value = try #require(ExampleMaker(models: models).value(of: .model(TypeName("Wide"))))
        #expect(value.json.count < 100_000)
    }

    @Test("G2 the tag of a union is that of its first case")
    func union() {
        let pet = ModelPlan(
            name: TypeName("Pet"),
            kind: .union(
                UnionPlan(
                    cases: [.init(name: "problem", type: .model(TypeName("Problem")), tags: ["p"])],
                    discriminator: "kind")),
            direction: .response)
        let models = ModelIndex(LibraryPlan.models + [pet])
        let value = ExampleMaker(models: models).value(of: .model(pet.name), .required)
        #expect(value?.json == #"{"kind": "p"}"#)
        let check = ExampleCheck(models: models)
        #expect(value.map { check.fits($0, .model(pet.name)) } == true)
        #expect(!check.fits(DocumentNode(.object([])), .model(pet.name)))
    }

    @Test(
        "G2 examples that contradict their type aren't used",
        arguments: [
            ("id", DocumentNode.Value.string("7")), ("id", .number("1.5")), ("title", .null), ("genre", .number("1")),
            ("published", .string("2026-13-01")), ("published", .string("yesterday")),
        ])
    func contradiction(key: String, value: DocumentNode.Value) throws {
        let type = SwiftType.model(LibraryPlan.book)
        let good = try #require(ExampleMaker(models: index).value(of: type))
        #expect(ExampleCheck(models: index).fits(good, type))
        #expect(!ExampleCheck(models: index).fits(good.setting(key, to: DocumentNode(value)), type))
    }

    @Test("G2 an example of the document that contradicts its type is noted, and one is made")
    func notes() {
        var plan = LibraryPlan.plan
        plan.models[0].examples = [
            DocumentNode(.object([])), DocumentNode(.string(String(repeating: "x", count: 17 << 10))),
        ]
        let set = ExampleSet(plan)
        #expect(set.models.first?.whole.first?.name == "book")
        #expect(
            set.notes.map(\.text) == [
                "An example of the type `Book` isn't used: it contradicts the schema: `id` is missing",
                "An example of the type `Book` isn't used: it has more than 16 KB",
            ])
    }

    @Test(
        "G2 an example with a date that doesn't come back, and a null for a type that isn't one, say so or are no examples"
    )
    func awkward() {
        var plan = LibraryPlan.plan
        let good = ExampleMaker(models: index).value(of: .model(LibraryPlan.book)) ?? DocumentNode(.null)
        let check = ExampleCheck(
            models: ModelIndex([LibraryPlan.structure("Visit", [LibraryPlan.property("at", .builtin("Date"))])]))
        let visit = DocumentNode(
            .object([.init(key: "at", value: DocumentNode(.string("2026-03-01T12:30:00.123456789Z")))]))
        #expect(
            check.problem(in: visit, .model(TypeName("Visit"))) == "`at` has more digits than dates are sent with")
        plan.models[0].examples = [DocumentNode(.null), good]
        let set = ExampleSet(plan)
        #expect(set.notes.isEmpty && set.models.first?.whole.count == 1)
    }

    @Test(
        "G2 dates are those that come back as they were written",
        arguments: [
            ("2026-03-01T12:30:00Z", true), ("2026-03-01T12:30:00.123+01:00", true), ("2026-03-01", true),
            ("0001-01-01T00:00:00Z", true), ("0000-01-01T00:00:00Z", false), ("0001-01-01", false),
            ("2026-03-01T12:30:00.123456Z", false), ("2026-03-01T25:30:00Z", false), ("2026-03-01T12:30:00", false),
            ("2026-00-01", false), ("1 March", false), ("", false),
        ])
    func dates(text: String, isDate: Bool) {
        #expect(ExampleCheck(models: index).fits(DocumentNode(.string(text)), .builtin("Date")) == isDate)
    }
}
