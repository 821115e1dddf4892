import GodwitGenerator
import Testing

@Suite("G2 G3 conditions, names and types in generated operations")
struct GraphQLNamesTests {
    private static let schema = """
        directive @cached(ttl: Int) on QUERY | FIELD
        scalar Blob
        scalar Money
        enum Level { NONE SOME HIGH }
        enum Result { OK }
        enum Amount { SMALL }
        input Pick @oneOf { none: Int some: Int }
        type Viewer { id: ID! name: String! friend: Viewer! blob: Blob! level: Level! amount: Price price: Money }
        type Price { money: Money! result: Result! size: Amount! }
        type Query { viewer: Viewer! user(id: ID): Viewer pick(pick: Pick): Int }
        type Subscription { ticks: Int! }
        """

    /// Without `GENERATED.md`.
    private func generation(
        _ document: String, scalars: [String: String] = [:], schema: String = Self.schema
    ) throws -> Generation {
        var generation = try GraphQLGenerator(scalars: scalars).generate(
            schema: SourceFile(name: "s.graphql", data: Data(schema.utf8)),
            documents: [SourceFile(name: "q.graphql", data: Data(document.utf8))])
        generation.files.removeAll { $0.path == "GENERATED.md" }
        return generation
    }

    private func text(_ file: String, _ document: String, scalars: [String: String] = [:]) throws -> String {
        try #require(try generation(document, scalars: scalars).files.first { $0.path == "\(file).swift" }?.text)
    }

    @Test(
        "G2 a merged selection keeps the condition of each part: what may be left out of an object is optional",
        arguments: [
            "query Q($a: Boolean!) { viewer { id } ...F @include(if: $a) } fragment F on Query { viewer { name } }",
            "query Q($a: Boolean!) { viewer { id } viewer @include(if: $a) { name } }",
            "query Q { viewer { id } ... @defer { viewer { name } } }",
            "query Q($a: Boolean!) { viewer { id } ... @skip(if: $a) { ... { viewer { name } } } }",
            "query Q($a: Boolean!) { viewer { id } viewer { name @include(if: $a) } }",
        ])
    func conditions(document: String) throws {
        let text = try text("QQuery", document)
        #expect(text.contains("let viewer: Viewer\n"))
        #expect(text.contains("let id: String\n") && text.contains("let name: String?\n"))
    }

    @Test("G2 parts with different conditions are optional, and parts with the same one only as a whole")
    func differentConditions() throws {
        let different = try text(
            "QQuery",
            "query Q($a: Boolean!, $b: Boolean!) { viewer @include(if: $a) { id } viewer @include(if: $b) { name } }")
        for line in ["let viewer: Viewer?\n", "let id: String?\n", "let name: String?\n"] {
            #expect(different.contains(line))
        }
        let same = try text(
            "QQuery", "query Q($a: Boolean!) { viewer @include(if: $a) { id } viewer @include(if: $a) { name } }")
        for line in ["let viewer: Viewer?\n", "let id: String\n", "let name: String\n"] {
            #expect(same.contains(line))
        }
        let deep = try text(
            "QQuery",
            "query Q($a: Boolean!) { viewer { friend { id } } ... @include(if: $a) { viewer { friend { name } } } }")
        for line in ["let friend: Friend\n", "let id: String\n", "let name: String?\n"] {
            #expect(deep.contains(line))
        }
        let alone = try text(
            "QQuery", "query Q($a: Boolean!) { viewer { id ... @include(if: $a) { friend { name } } } }")
        for line in ["let friend: Friend?\n", "let name: String\n"] { #expect(alone.contains(line)) }
    }

    @Test("G2 a fragment is one type: of what selects nothing else, and a member of what selects more")
    func fragments() throws {
        let files = try generation(
            """
            query A { viewer { ...Who } }
            query B { viewer { id ...Who friend { ...Who name } } }
            query C($a: Boolean!) { viewer { ...Who @include(if: $a) } }
            query D { viewer { id friend { ...Who } ...Who } }
            fragment Who on Viewer { label: name friend { id } level }
            """
        ).files
        #expect(
            files.map(\.path) == ["AQuery", "BQuery", "CQuery", "DQuery", "GraphQLTypes", "Who"].map { "\($0).swift" })
        let text = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) })
        #expect(try #require(text["AQuery.swift"]).contains("let viewer: Who\n"))
        let merged = try #require(text["BQuery.swift"])
        for line in [
            "let viewer: Viewer\n", "let who: Who\n", "var label: String { who.label }", "let friend: Friend\n",
            "var level: Level { who.level }", "self.who = try Who(from: decoder)",
        ] {
            #expect(merged.contains(line), "\(line)")
        }
        // What a condition can leave out has no type of its own.
        let conditional = try #require(text["CQuery.swift"])
        #expect(conditional.contains("let label: String?\n") && !conditional.contains("Who("))
        // An object that both select has the fields of both.
        let both = try #require(text["DQuery.swift"])
        #expect(both.contains("let friend: Friend\n") && both.contains("let who: Who\n"))
        let fragment = try #require(text["Who.swift"])
        #expect(fragment.contains("nonisolated struct Who: Decodable") && fragment.contains("struct Friend: Decodable"))
    }

    @Test("G2 a fragment for some types is the type of the variant; one for all types is asked for with the variants")
    func fragmentsOfTypes() throws {
        let schema = """
            interface Node { id: ID! }
            type Dog implements Node { id: ID! bark: String! }
            type Cat implements Node { id: ID! mew: String! }
            type Query { pets: [Node!]! }
            """
        let document = """
            query Q { pets { __typename ...Barking ...Mewing ...Known } }
            fragment Barking on Dog { bark }
            fragment Mewing on Cat { mew ...Known }
            fragment Known on Node { id }
            """
        let text = try #require(
            try generation(document, schema: schema).files.first { $0.path == "QQuery.swift" }?.text)
        for line in [
            "let pets: [Pet]\n", "let known: Known\n", "var id: String { known.id }", "let asDog: Barking?\n",
            "let asCat: Mewing?\n", "try Barking(from: decoder) : nil", "pets { __typename ...Barking",
        ] {
            #expect(text.contains(line), "\(line)")
        }
        #expect(!text.contains("struct AsDog"))
    }

    @Test("G2 a nested type doesn't hide that of a fragment, and a fragment doesn't hide an enum of the schema")
    func fragmentNames() throws {
        let text = try text(
            "QQuery",
            "query Q { viewer { id friend { ...Viewer ...Level } } } fragment Viewer on Viewer { name level } "
                + "fragment Level on Viewer { id }")
        for line in [
            "struct Viewer2: Decodable", "let viewer: Viewer\n", "let level2: Level2\n",
            "var level: Level { viewer.level }",
        ] {
            #expect(text.contains(line), "\(line)")
        }
    }

    @Test("G2 a member of an input type named self is no parameter of that name")
    func selfMember() throws {
        let schema = "type Query { a(i: In): Int } input In { self: Int other: Int }"
        let types = try #require(
            try generation("query A($i: In) { a(i: $i) }", schema: schema).files.first {
                $0.path == "GraphQLTypes.swift"
            })
        #expect(types.text.contains("var self2: Int?") && types.text.contains(#"case self2 = "self""#))
    }

    @Test("G2 scalars without a type in Swift are listed with their places and the option that gives them one")
    func scalars() throws {
        let notes = try generation("query Q { viewer { blob price } }", scalars: ["Money": "Decimal"]).notes
        #expect(
            notes.map(\.text) == [
                "the scalar Blob is JSONValue; --scalar Blob=TYPE makes it a Codable type, such as Date, URL or one of yours"
            ])
        #expect(notes.first?.place?.description == "s.graphql:2:8")
    }

    @Test("G2 a type of a scalar isn't hidden by a generated type of the same name")
    func scalarTypes() throws {
        let blob = try text("QQuery", "query Q { viewer { blob } }", scalars: ["Blob": "Data"])
        #expect(blob.contains("struct Data2: Decodable") && blob.contains("let blob: Data\n"))
        #expect(blob.contains("where Value == QQuery.Data2 {"))
        let money = try text(
            "QQuery", "query Q { viewer { amount { money size } price } }", scalars: ["Money": "Amount"])
        #expect(money.contains("struct Amount3: Decodable") && money.contains("let money: Amount\n"))
        #expect(money.contains("let size: Amount2\n") && money.contains("let price: Amount?\n"))
    }

    @Test("G2 types at the top level don't hide those of Swift, Foundation and Godwit")
    func topLevel() throws {
        let types = try text("GraphQLTypes", "query Q { viewer { amount { result } } }")
        #expect(types.contains("enum Result2:"))
    }

    @Test("G2 values named none and some aren't taken for those of Optional")
    func optionalCases() throws {
        let types = try text(
            "GraphQLTypes", "query Q($p: Pick) { viewer { level } pick(pick: $p) }")
        #expect(types.contains("case none2\n") && types.contains("case some2\n"))
        #expect(types.contains(#"case "NONE": self = .none2"#))
        #expect(types.contains("case none2(Int)") && types.contains(#"case none2 = "none""#))
    }

    @Test("G2 operations whose names differ only in case have functions of their own")
    func operationNames() throws {
        let files = try generation(
            "query getUser { user { id } } query GetUser { user { name } } query query { viewer { id } }"
        ).files
        let lines = files.flatMap { file in file.text.split(separator: "\n").map(String.init) }
        let functions = lines.compactMap { line in
            line.split(separator: "static func ").last.map(String.init)
        }.filter { $0.hasSuffix("() -> Self {") }
        #expect(Set(functions) == ["getUser() -> Self {", "getUser2() -> Self {", "query2() -> Self {"])
    }

    @Test("G2 descriptions of operations, fragments and variables are read, and not sent")
    func descriptions() throws {
        let text = try text(
            "QQuery",
            """
            "Finds a user." query Q("The \\"ID\\"." $id: ID \"\"\"More\"\"\" $b: Boolean!) { user(id: $id) { ...F @skip(if: $b) } }
            "Parts." fragment F on Viewer { id }
            """)
        #expect(text.contains("query Q( $id: ID  $b: Boolean!) { user(id: $id)"))
        #expect(!text.contains("Finds") && !text.contains("Parts.") && !text.contains("More"))
    }

    @Test("G2 a description in a block string loses its indentation")
    func blockStrings() throws {
        let schema = """
            type Query {
                \"\"\"

                The first.
                  Indented, \\\"\"\"quoted\\\"\"\".

                Last.
                \"\"\"
                a: Int
                "With \\u00fc and \\u{1F426}."
                b: Int
            }
            """
        let generation = try generation("query Q { a b }", schema: schema)
        let text = try #require(generation.files.first?.text)
        #expect(text.contains("/// The first.\n") && text.contains("Indented, \"\"\"quoted\"\"\"."), "\(text)")
        #expect(text.contains("/// With ü and 🐦."))
    }

    @Test("G2 introspection can be asked for, and the usual root types stay if the schema is only extended")
    func introspection() throws {
        let text = try text(
            "QQuery",
            "query Q { __schema { queryType { name } } __type(name: \"Viewer\") { kind fields { name } } }")
        #expect(text.contains("= \"__schema\"") && text.contains("= \"__type\""))
        let schema = "type Query { a: Int } type M { b: Int } extend schema { mutation: M } extend schema @link(url: 1)"
        let directive = " directive @link(url: Int) on SCHEMA"
        let generation = try generation("query Q { a } mutation R { b }", schema: schema + directive)
        #expect(generation.files.count == 2)
        #expect(throws: GenerationError.self) {
            try self.generation("query Q { a }", schema: "type Query { a: Int } schema { mutation: Query }")
        }
    }

    @Test(
        "G2 a Swift type for what is not a custom scalar is refused, and the scalars are named",
        arguments: [
            ("Blub", "the schema has no scalar Blub; custom scalars are Blob, Money"),
            ("Level", "Level is of the kind enum, not a scalar"), ("ID", "ID is a scalar of GraphQL itself"),
        ])
    func wrongScalar(name: String, message: String) {
        let error = #expect(throws: GenerationError.self) {
            try generation("query Q { viewer { id } }", scalars: [name: "Date"])
        }
        #expect(error?.reason.contains(message) == true, "\(error as Any)")
    }

    @Test("G2 a variable that only a directive of the operation uses is used, also with a default")
    func directiveVariables() throws {
        #expect(try generation("query Q($ttl: Int = 60) @cached(ttl: $ttl) { viewer { id } }").files.count == 1)
        let error = #expect(throws: GenerationError.self) {
            try generation("query Q($ttl: Int = $x, $x: Int) @cached(ttl: $ttl) { viewer { id } }")
        }
        #expect(error?.reason == "the default of $ttl can't have a variable")
    }

    @Test("G2 a fragment that no operation uses is checked for fields that can't be merged")
    func unusedFragment() {
        let error = #expect(throws: GenerationError.self) {
            try generation("query Q { viewer { id } } fragment F on Viewer { a: id a: name }")
        }
        #expect(error?.reason.contains("a has the types ID! and String!") == true)
    }

    @Test(
        "G2 documents that no server can parse are refused, with their place",
        arguments: [
            ("query Q { user(id: 12ab) { id } }", "1:20: \"12ab\" is not a number"),
            ("query Q { user(id: -) { id } }", "1:20: a digit is missing"),
            ("query Q { user(id: 01) { id } }", "1:20: a number can't start with 0"),
            ("query Q { user(id: 1.) { id } }", "1:20: a digit is missing"),
            ("query Q { user(id: 1e) { id } }", "1:20: a digit is missing"),
            ("query Q { user(id: 1.5.2) { id } }", "1:20: \"1.5.2\" is not a number"),
            ("query Q { user(id: 0xFF) { id } }", "1:20: \"0xFF\" is not a number"),
            (#"query Q { user(id: "\q") { id } }"#, #"1:20: the string has an unknown escape: \q"#),
            (#"query Q { user(id: "\u12") { id } }"#, "1:20: the string has an escape that is not"),
            (#"query Q { user(id: "\ud800") { id } }"#, "1:20: the string has an escape that is not"),
            (#"query Q { user(id: "\u{110000}") { id } }"#, "1:20: the string has an escape that is not"),
            ("query Q() { viewer { id } }", "1:9: nothing stands between ( and )"),
            ("query Q { user() { id } }", "1:16: nothing stands between ( and )"),
            ("extend query Q { viewer { id } }", "1:8: expected a type or the schema to extend"),
            ("query Q { viewer { id } }\rquery R { nope }", "2:11: Query has no field nope"),
            ("# a\rquery Q { nope }", "2:11: Query has no field nope"),
            ("query Q { user(id: \"a\rb\") { id } }", "1:20: the string doesn't end on its line"),
            ("fragment on on Viewer { id } query Q { viewer { id } }", "1:10: expected a name for the fragment"),
        ])
    func grammar(document: String, message: String) {
        let error = #expect(throws: GenerationError.self) { try generation(document) }
        #expect(error?.description.contains("q.graphql:\(message)") == true, "\(error as Any)")
    }

    @Test(
        "G2 documents that servers parse are accepted",
        arguments: [
            "query Q { user(id: 0) { id } a: user(id: -0) { id } }",
            #"query Q { user(id: "\ud83d\ude00\/\b") { id } }"#,
            "\u{FEFF}query Q\u{FEFF} { viewer { id } }", "query Q {\r\n  viewer { id } # a\r\n}",
        ])
    func accepted(document: String) throws {
        #expect(try generation(document).files.count >= 1)
    }
}
