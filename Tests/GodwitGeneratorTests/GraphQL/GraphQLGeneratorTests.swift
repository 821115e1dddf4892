import GodwitGenerator
import Testing

@Suite("G2 G3 operations from a GraphQL schema")
struct GraphQLGeneratorTests {
    private static let schema = """
        "A scalar." scalar Moment
        enum Status { DRAFT, UNKNOWN, default, in_review @deprecated }
        interface Node { id: ID! }
        interface Named { name: String }
        type Author implements Node & Named { id: ID! name: String }
        type Article implements Node { id: ID!, title(length: Int! = 3, kind: Status): String!, status: Status
          moments: [[Moment!]]!, author: Author!, self: Article }
        union Result = Article | Author
        input Filter { status: Status = DRAFT, and: [Filter!], in: String! }
        input Loop { next: Step }
        input Choice @oneOf { one: Choice, many: [Filter!] }
        input Step { loop: Loop! }
        type Query { article(id: ID!): Article, node: Node, results: [Result!], count(filter: Filter, loop: Loop): Int
          choose(choice: Choice!, allCases: Int): Int }
        extend type Query { extra: Boolean, other: Boolean }
        """

    private func files(_ document: String, schema: String = Self.schema) throws -> [String: String] {
        let generation = try GraphQLGenerator().generate(
            schema: SourceFile(name: "s.graphql", data: Data(schema.utf8)),
            documents: [SourceFile(name: "q.graphql", data: Data(document.utf8))])
        return Dictionary(uniqueKeysWithValues: generation.files.map { ($0.path, $0.text) })
    }

    @Test("G2 members have the types, the nullability and the lists of the schema, and reserved words are quoted")
    func members() throws {
        let files = try files(
            "query Q { article(id: 1) { id title status moments default: self { class: title } } count extra }")
        let text = try #require(files["QQuery.swift"])
        for line in [
            "let article: Article?", "let id: String", "let title: String", "let status: Status?",
            "let moments: [[JSONValue]?]", "let `default`: Default?", "let `class`: String", "let count: Int?",
            "let extra: Bool?", "import Godwit",
        ] {
            #expect(text.contains("\(line)\n"), "\(line)")
        }
        let types = try #require(files["GraphQLTypes.swift"])
        #expect(types.contains("case `default`") && types.contains(#"case "in_review": self = .inReview"#))
        #expect(types.contains("case unknown(String)") && !types.contains("case unknown\n"))
    }

    @Test("G2 types that differ have a member each, and __typename is asked for where it is needed alone")
    func variants() throws {
        let files = try files(
            """
            query Q { results { ...All ... on Article { title } ... on Named { name } } node { id ... on Node { same: id } } }
            fragment All on Node { id }
            """)
        let text = try #require(files["QQuery.swift"])
        #expect(text.contains("let asArticle: AsArticle?") && text.contains("let asNamed: AsNamed?"))
        #expect(text.contains("results { __typename ...All") && text.contains("node { id ... on Node { same: id } }"))
        #expect(text.contains(#"["Author"].contains(typename)"#))
    }

    @Test("G2 __typename is a member once, and read once")
    func typename() throws {
        let files = try files(
            "query Q { results { __typename ... on Article { title } ... on Author { __typename id } } }")
        let text = try #require(files["QQuery.swift"])
        #expect(text.ranges(of: "let typename: String").count == 1)
        #expect(text.ranges(of: "forKey: .typename").count == 1)
    }

    @Test("G2 a scalar without a Swift type stands in GENERATED.md, with the command that repeats the generation")
    func report() throws {
        let generation = try GraphQLGenerator(command: "godwit generate --graphql s").generate(
            schema: SourceFile(name: "s.graphql", data: Data(Self.schema.utf8)),
            documents: [SourceFile(name: "a/q.graphql", data: Data("query Q { article(id: 1) { moments } }".utf8))])
        let page = try #require(generation.files.first { $0.path == "GENERATED.md" }?.text)
        #expect(page.contains("from q.graphql.") && page.contains("| operations | 1 |\n| files | 2 |"))
        #expect(page.contains("- the scalar Moment is JSONValue; --scalar Moment=TYPE makes it"), "\(page)")
        #expect(page.contains("(`s.graphql:1:20`)") && page.contains("```sh\ngodwit generate --graphql s\n```"))
    }

    @Test("G2 a fragment's fields are merged with those of the same name, and @skip makes them optional")
    func merging() throws {
        let files = try files(
            """
            query Q($a: Boolean!) { article(id: 1) { author { id } ...A @skip(if: $a) title @include(if: $a) } }
            fragment A on Article { author { name } status }
            """)
        let text = try #require(files["QQuery.swift"])
        #expect(text.contains("let author: Author\n") && text.contains("let title: String?\n"))
        #expect(text.contains("let name: String?\n") && text.contains("static func q(a: Bool) -> Self"))
    }

    @Test(
        "G2 what doesn't fit the schema is refused, with its line and column",
        arguments: [
            ("query Q {\n  nope }", "q.graphql:2:3: Query has no field nope"),
            ("query Q { article { id } }", "q.graphql:1:11: Query.article needs the argument id: ID!"),
            ("query Q { article(id: 1, x: 2) { id } }", "q.graphql:1:26: Query.article has no argument x"),
            ("query Q { article(id: 1) }", "Query.article is Article: select some of its fields"),
            ("query Q { count { id } }", "Query.count is Int, which has no fields"),
            ("query Q { article(id: $id) { id } }", "q.graphql:1:23: $id is not a variable of Q"),
            ("query Q($a: Nope) { count }", "q.graphql:1:13: the schema has no type Nope"),
            ("query Q($a: Article) { count }", "a variable can't be of the type Article"),
            ("query Q($a: Int, $a: Int) { count }", "$a is declared twice"),
            ("query Q { ...F }", "no fragment is named F"),
            ("query Q { ...F } fragment F on Query { ...F }", "the fragment F contains itself"),
            ("query Q { article(id: 1) { ... on Author { id } } }", "Article is never Author"),
            ("query Q { a: extra a: other }", "extra and other are both named a; give one an alias"),
            ("query Q { count } query Q { count }", "two operations are named Q"),
            ("{ count }", "an operation needs a name"), ("mutation M { a }", "the schema has no mutation type"),
            ("query Q { }", "nothing is selected"), ("query Q { count", "found the end of the document"),
            ("query Q { count(a: \"x)\n}", "the string doesn't end on its line"),
            ("query Q { \u{1} }", "unexpected character"),
            ("fragment F on Query { count }", "the documents have no operation"),
        ])
    func refused(document: String, message: String) throws {
        let error = #expect(throws: GenerationError.self) { try files(document) }
        #expect(error?.description.contains(message) == true, "\(error as Any)")
    }

    @Test("G2 an input type that leads back to itself is kept indirectly, except in a list")
    func recursion() throws {
        let types = try #require(
            files("query Q($l: Loop, $f: Filter) { count(loop: $l, filter: $f) }")["GraphQLTypes.swift"])
        #expect(
            types.contains("var next: GraphQLIndirect<Step>?") && types.contains("var loop: GraphQLIndirect<Loop>\n"))
        #expect(types.contains("var and: [Filter]?") && types.contains("import GodwitGraphQL"))
    }

    @Test("G2 members and variables that can be null are named in an enum; one of several members is a case")
    func nulls() throws {
        let files = try files(
            "query Q($c: Choice!, $allCases: Int, $l: Loop) { count(loop: $l) choose(choice: $c, allCases: $allCases) }"
        )
        let (query, types) = (try #require(files["QQuery.swift"]), try #require(files["GraphQLTypes.swift"]))
        for line in [
            "enum Nullable: String, CaseIterable, Sendable {", #"case allCases2 = "allCases""#, "case l\n",
            "static func q(c: Choice, allCases2: Int? = nil, l: Loop? = nil, nulls: Set<QQuery.Nullable> = []) -> Self {",
            #"["c": c, "allCases": allCases2, "l": l], nulls: nulls.map(\.rawValue)"#,
        ] {
            #expect(query.contains(line), "\(line)")
        }
        for line in [
            "indirect enum Choice: Encodable, Sendable {", "case one(Choice)", "case many([Filter])",
            "case .one(let value): try container.encode(value, forKey: .one)",
            "if self.next != nil || self.nulls.contains(.next) {",
        ] {
            #expect(types.contains(line), "\(line)")
        }
    }

    @Test("G2 deep nesting and fragments that grow without bounds are refused")
    func bombs() {
        let deep = "query Q { count(filter: " + String(repeating: "[", count: 100_000) + ") }"
        let error = #expect(throws: GenerationError.self) { try files(deep) }
        #expect(error?.reason.contains("nested deeper") == true)
        let fragments = (0..<40).map { "fragment F\($0) on Query { ...F\($0 + 1) ... on Query { ...F\($0 + 1) } }" }
        let bomb = "query Q { ...F0 } fragment F40 on Query { count } " + fragments.joined(separator: "\n")
        let limit = #expect(throws: GenerationError.self) { try files(bomb) }
        #expect(limit?.reason.contains("selects more than") == true)
    }

    @Test("G2 a damaged schema or document is refused or read, and never traps")
    func damage() {
        var random = Xorshift(state: 42)
        let document =
            "query Q($f: Filter = {in: \"\"\"a\\\"\"\"\"\"\"}) { count(filter: $f) results { ... on Author { a: name } } }"
        var outcomes = (read: 0, refused: 0)
        for _ in 0..<4000 {
            let isSchema = random.next() % 2 == 0
            var bytes = Array((isSchema ? Self.schema : document).utf8)
            for _ in 0...(random.next() % 4) {
                let index = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 3 {
                case 0: bytes.remove(at: index)
                case 1: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                default: bytes.insert(Array("{}()[]!:$@\"#&|=\\".utf8)[Int(random.next() % 16)], at: index)
                }
            }
            let damaged = SourceFile(name: "d", data: Data(bytes))
            let schema = isSchema ? damaged : SourceFile(name: "s", data: Data(Self.schema.utf8))
            let query = isSchema ? SourceFile(name: "q", data: Data(document.utf8)) : damaged
            let generation = try? GraphQLGenerator().generate(schema: schema, documents: [query])
            if generation == nil { outcomes.refused += 1 } else { outcomes.read += 1 }
        }
        #expect(outcomes.read > 0 && outcomes.refused > 0)
    }
}

/// Makes the same numbers in each run.
private struct Xorshift {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
