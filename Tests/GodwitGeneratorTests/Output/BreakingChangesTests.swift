@testable import GodwitGenerator
import Testing

@Suite("G2 Changes that break callers")
struct BreakingChangesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let old: String
        let new: String
        let sentences: [String]

        init(_ name: String, _ old: String, _ new: String, _ sentences: String...) {
            testDescription = name
            self.old = old
            self.new = new
            self.sentences = sentences
        }
    }

    private static let model = "nonisolated public struct Bird: Codable {\n    public var name: String\n"

    static let cases = [
        Case("nothing", model + "}\n", model + "}\n"),
        Case("a new property", model + "}\n", model + "    public var wings: Int?\n}\n"),
        Case(
            "a property that is gone", model + "    public var wings: Int\n}\n", model + "}\n", "`Bird.wings` is gone"),
        Case(
            "a renamed property", model + "    public var wings: Int\n}\n",
            model + "    public var wingCount: Int\n}\n",
            "`Bird.wings` is gone; `wingCount` is new, and of the same form"),
        Case(
            "another type", model + "    public var wings: Int\n}\n", model + "    public var wings: Int?\n}\n",
            "`Bird.wings` was `Int` and is `Int?`"),
        Case(
            "a type that is gone, with all in it",
            model + "    nonisolated public enum Size: String {\n        case small\n    }\n}\n", model + "}\n",
            "`Bird.Size` is gone"),
        Case(
            "a renamed type", model + "}\n", model.replacing("Bird", with: "Fowl") + "}\n",
            "`Bird` is gone; `Fowl` is new, and of the same form"),
        Case(
            "cases of an enum", "public enum Size: String {\n    case small\n    case big = \"BIG\"\n}\n",
            "public enum Size: String {\n    case small\n    case huge = \"HUGE\"\n}\n", "`Size.big` is gone",
            "`Size.huge` is new: a `switch` without a default case doesn't compile"),
        Case(
            "a required argument",
            "extension Endpoint {\n    public static func birds(page: Int = 1) -> Endpoint<[Bird]> {\n        .get(\"birds\")\n    }\n}\n",
            """
            extension Endpoint {
                public static func birds(
                    page: Int = 1, region: String
                ) -> Endpoint<[Bird]> {
                    .get("birds")
                }
            }

            """, "`Endpoint.birds` needs `region:`, of type `String`"),
        Case(
            "an argument that may be left out",
            "extension Endpoint {\n    static func birds() -> Endpoint<[Bird]> { .get(\"birds\") }\n}\n",
            "extension Endpoint {\n    static func birds(sort: String = \"(\") -> Endpoint<[Bird]> { .get(\"birds\") }\n}\n"
        ),
        Case(
            "arguments of another type, without a default, and gone",
            "public func find(id: Int, name: String = \"a, b\", old: Bool, note: String) -> Bird {\n}\n",
            "public func find(id: UUID, name: String, note: String?) -> Bird? {\n}\n",
            "`find` takes `UUID` for `id:`, and took `Int`", "`find` needs `name:`, which could be left out",
            "`find` has no `old:` any more", "`find` returns `Bird?`, and returned `Bird`"),
        Case(
            "defaults with quotes, and closures",
            "func find(name: String = #\"a\"), (b\"#, make: () -> Int = { 1 }) -> Bird {\n}\nfunc last() {}\n",
            "func find(name: String = #\"a\"), (b\"#, make: () -> Int = { 1 }, note: Result<A, B>) -> Bird {\n}\nfunc last() {}\n",
            "`find` needs `note:`, of type `Result<A, B>`"),
        Case(
            "another order", "func find(id: Int, name: String) -> Bird {\n}\n",
            "func find(name: String, id: Int) -> Bird {\n}\n", "`find` has its arguments in another order"),
        Case(
            "a function that is gone, and a private one",
            "extension Endpoint {\n    static func bird(id: Int) -> Endpoint<Bird> { .get(\"a\") }\n    private static func b() {}\n}\n",
            "extension Endpoint {\n    static func fowl(id: Int) -> Endpoint<Bird> { .get(\"a\") }\n}\n",
            "`Endpoint.bird` is gone; `fowl` is new, and of the same form"),
        Case(
            "a property that becomes a function, and the other way round",
            "struct A {\n    static var a: Int { 1 }\n    func b() -> Int { 1 }\n}\n",
            "struct A {\n    static func a(x: Int, y: Int) -> Int { 1 }\n    var b: Int { 1 }\n}\n",
            "`A.a` is a function now: `a(x:y:)`", "`A.b` is a property now"),
        Case(
            "one of several forms that is gone",
            "protocol Birds {\n    func all(q: String?) -> Int\n}\nextension Birds {\n    func all() -> Int {\n    }\n}\n",
            "protocol Birds {\n    func all(q: String) -> Int\n}\n",
            "`Birds.all` takes `String` for `q:`, and took `String?`", "`Birds.all` can't be called as `all()` any more"
        ),
        Case(
            "the same in several types",
            "struct A {\n    func a(x: Int) {\n        let local = 1\n    }\n}\nstruct B {\n    func a(x: Int) {}\n}\n",
            "struct A {\n    func a(y: Int) {\n    }\n}\nstruct B {\n    func a(y: Int) {}\n}\n",
            "`a` needs `y:`, of type `Int` (A, B)", "`a` has no `x:` any more (A, B)"),
        Case(
            "a requirement of a protocol", "public protocol Birds: Sendable {\n    func all() async -> [Bird]\n}\n",
            "public protocol Birds: Sendable {\n    func all() async -> [Bird]\n    func one() async -> Bird\n}\n",
            "`Birds.one` is new: a type of yours that conforms to the protocol needs it"),
        Case(
            "words of statements and comments",
            "/// var a: Int\nstruct A {\n    var b: Int {\n        let c = 1\n        return c\n    }\n}\n",
            "struct A {\n    var b: Int {\n        2\n    }\n}\n"),
    ]

    @Test("G2 what callers must change is said in the words of their code", arguments: cases)
    func sentences(of example: Case) throws {
        let scratch = try ScratchFolder()
        try scratch.generate(["Sources/A.swift": example.old])
        let changes = try scratch.output.changes(for: [GeneratedFile(path: "Sources/A.swift", text: example.new)])
        #expect(changes.breakingChanges == example.sentences)
    }

    @Test(
        "G2 declarations that move to another file break nobody; those of deleted files do; tests and edited files don't count"
    )
    func files() throws {
        let scratch = try ScratchFolder()
        let (a, b) = ("public struct A {\n    public var x: Int\n}\n", "public struct B {}\n")
        try scratch.generate([
            "A.swift": a, "B.swift": b, "Tests/T.swift": "struct T {}\n", "Edited.swift": "struct E {}\n",
        ])
        try scratch.write("struct Mine {}\n", to: "Edited.swift")
        let moved = try scratch.output.changes(for: [GeneratedFile(path: "C.swift", text: b + a)])
        #expect(moved.breakingChanges == [])
        let gone = try scratch.output.changes(for: [GeneratedFile(path: "A.swift", text: a)])
        #expect(gone.breakingChanges == ["`B` is gone"])
    }

    @Test("G2 a first generation breaks nobody")
    func first() throws {
        let changes = try ScratchFolder().output.changes(for: [GeneratedFile(path: "A.swift", text: "struct A {}\n")])
        #expect(changes.breakingChanges == [])
    }
}
