import GodwitGenerator
import Testing

/// What the specification's validation rules say (section 5), each with a place.
@Suite("G2 G3 operations are checked against the schema")
struct GraphQLCheckTests {
    static let schema = """
        directive @cost(weight: Int! = 1, why: String) repeatable on FIELD
        directive @live on QUERY
        scalar Any
        enum Sort { UP DOWN }
        input Range { from: Int! = 0, to: Int, sort: [Sort!], text: String }
        input Pick @oneOf { id: ID, name: String }
        interface Animal { name: String!, size: Int }
        type Dog implements Animal { name: String!, size: Int, barks: Boolean!, owner: Owner!, tag: String }
        type Cat implements Animal { name: String!, size: Int, lives: Int!, owner: Owner!, tag: String! }
        type Owner { name: String!, city: String }
        union Pet = Dog | Cat
        type Query {
          list(first: Int! = 10, size: Int!, ids: [ID!], range: Range, pick: Pick, any: Any, ratio: Float): [Pet!]!
          animal(id: ID!): Animal
          text(of: String): String
        }
        type Subscription { ticks: Int!, tocks: Int! }
        """

    private func generation(_ document: String) throws -> Generation {
        try GraphQLGenerator().generate(
            schema: SourceFile(name: "s.graphql", data: Data(Self.schema.utf8)),
            documents: [SourceFile(name: "q.graphql", data: Data(document.utf8))])
    }

    @Test(
        "G2 values, variables and fragments that fit are accepted",
        arguments: [
            "query Q { list(size: 1, ids: [1, \"b\"], range: {to: null, sort: UP}, pick: {id: 5}, ratio: 1) { __typename } }",
            "query Q { list(size: 1, ids: 7, any: {a: [1, {b: X}]}, ratio: 2.5e3) { __typename } }",
            // A nullable variable where a default makes up for it, in the operation or in the schema.
            "query Q($n: Int = 5) { list(size: $n) { __typename } }",
            "query Q($n: Int) { list(first: $n, size: 1) { __typename } }",
            "query Q($n: Int) { list(size: 1, range: {from: $n}) { __typename } }",
            "query Q($n: Int!, $ids: [ID!]!, $s: Sort!) { list(size: $n, ids: $ids, range: {sort: [$s]}) { __typename } }",
            "query Q($i: ID!) { list(size: 1, ids: [$i], pick: {id: $i}) { __typename } }",
            "query Q($a: Int, $b: Boolean!) { list(size: 1, any: {a: [$a]}) { ...F @skip(if: $b) } } fragment F on Pet { __typename }",
            "query Q($r: Range = {to: 5}) @live { list(size: 1, range: $r) @cost @cost(weight: 2) { __typename } }",
            // The same name for different fields of types that are never the same.
            "query Q { list(size: 1) { ... on Dog { owner { a: name } } ... on Cat { owner { a: name } x: lives } } }",
            "query Q { animal(id: 1) { name ... on Dog { name } ... on Cat { name } } }",
            "query Q { text(of: \"a\") text(of: \"a\") }",
            "subscription S { ticks ticks }",
        ])
    func accepted(document: String) throws {
        let generation = try generation(document)
        #expect(generation.notes.isEmpty)
    }

    @Test(
        "G2 a value that doesn't fit its place is refused",
        arguments: [
            ("query Q { list(size: 1.5) { __typename } }", "1:22: Query.list(size:) expects Int!, found 1.5"),
            ("query Q { list(size: 3000000000) { __typename } }", "expects Int!, found 3000000000"),
            ("query Q { list(size: null) { __typename } }", "Query.list(size:) expects Int!, found null"),
            ("query Q { list(size: 1, ids: [null]) { __typename } }", "Query.list(ids:) expects [ID!], found null"),
            ("query Q { list(size: 1, ids: [true]) { __typename } }", "expects [ID!], found true"),
            ("query Q { list(size: 1, range: {sort: LEFT}) { __typename } }", "1:39: Sort has no value LEFT"),
            (
                "query Q { list(size: 1, range: {sort: \"UP\"}) { __typename } }",
                #"Range.sort expects [Sort!], found "UP""#
            ),
            ("query Q { list(size: 1, range: {form: 1}) { __typename } }", "1:33: Range has no member form"),
            ("query Q { list(size: 1, range: {to: 1, to: 2}) { __typename } }", "1:40: Range.to is given twice"),
            ("query Q { list(size: 1, range: 5) { __typename } }", "Query.list(range:) expects Range, found 5"),
            ("query Q { list(size: 1, pick: {}) { __typename } }", "Pick needs exactly one of its members"),
            ("query Q { list(size: 1, pick: {id: 1, name: \"a\"}) { __typename } }", "Pick needs exactly one"),
            ("query Q { list(size: 1, pick: {id: null}) { __typename } }", "Pick.id expects ID!, found null"),
            ("query Q { list(size: 1, size: 1) { __typename } }", "1:25: Query.list has the argument size twice"),
            ("query Q { list { __typename } }", "1:11: Query.list needs the argument size: Int!"),
            ("query Q($r: Range = {to: \"a\"}) { list(size: 1, range: $r) { __typename } }", "Range.to expects Int"),
            ("query Q($n: Int! = null) { list(size: $n) { __typename } }", "1:20: $n expects Int!, found null"),
            ("query Q($n: Int = $m, $m: Int) { text }", "1:19: the default of $n can't have a variable"),
        ])
    func values(document: String, message: String) {
        let error = #expect(throws: GenerationError.self) { try generation(document) }
        #expect(error?.description.contains("q.graphql:") == true)
        #expect(error?.description.contains(message) == true, "\(error as Any)")
    }

    @Test(
        "G2 a variable that isn't used, or not allowed where it is used, is refused",
        arguments: [
            ("query Q($n: Int) { text }", "1:9: $n is not used in Q"),
            (
                "query Q($n: Int) { list(size: $n) { __typename } }",
                "1:31: $n is Int, but Query.list(size:) expects Int!: declare it as Int!, or give it a default"
            ),
            (
                "query Q($n: Int = null) { list(size: $n) { __typename } }",
                "$n is Int, but Query.list(size:) expects Int!"
            ),
            ("query Q($n: ID!) { list(size: $n) { __typename } }", "$n is ID!, but Query.list(size:) expects Int!"),
            (
                "query Q($i: ID!) { list(size: 1, ids: $i) { __typename } }",
                "$i is ID!, but Query.list(ids:) expects [ID!]"
            ),
            (
                "query Q($i: [ID]!) { list(size: 1, ids: $i) { __typename } }",
                "$i is [ID]!, but Query.list(ids:) expects [ID!]"
            ),
            (
                "query Q($i: ID) { list(size: 1, ids: [$i]) { __typename } }",
                "$i is ID, but Query.list(ids:) expects ID!"
            ),
            ("query Q($i: ID) { list(size: 1, pick: {id: $i}) { __typename } }", "$i is ID, but Pick.id expects ID!"),
            ("query Q($b: Boolean) { text @skip(if: $b) }", "$b is Boolean, but @skip(if:) expects Boolean!"),
            (
                "query Q($t: Int) { ...F }\nfragment F on Query { text(of: $t) }",
                "2:32: $t is Int, but Query.text(of:) expects String"
            ),
            (
                "query A($t: String) { ...F } query B { ...F } fragment F on Query { text(of: $t) }",
                "$t is not a variable of B"
            ),
        ])
    func variables(document: String, message: String) {
        let error = #expect(throws: GenerationError.self) { try generation(document) }
        #expect(error?.description.contains("q.graphql:") == true)
        #expect(error?.description.contains(message) == true, "\(error as Any)")
    }

    @Test(
        "G2 directives, fragments and fields that can't be merged are refused",
        arguments: [
            ("query Q { text @nope }", "1:17: the schema has no directive @nope"),
            ("query Q { text @live }", "@live can't stand here, only at QUERY"),
            ("query Q @live @live { text }", "1:16: @live stands here twice"),
            ("query Q { text @skip }", "@skip needs the argument if: Boolean!"),
            ("query Q { text @cost(wait: 1) }", "@cost has no argument wait"),
            ("query Q { text @include(if: 1) }", "@include(if:) expects Boolean!, found 1"),
            ("query Q { animal(id: 1) { ...F } } fragment F on Owner { name }", "1:30: Animal is never Owner"),
            ("query Q { ...F } fragment F on Sort { a }", "Sort has no fields"),
            (
                "query Q { ...F } fragment F on Query { text } fragment F on Query { text }",
                "the fragment F is defined twice"
            ),
            ("query Q { text } fragment F on Query { nope }", "Query has no field nope"),
            ("query Q { text } fragment F on Query { ...F }", "the fragment F contains itself"),
            ("query Q { text(of: \"a\") text(of: \"b\") }", "1:25: text is selected with different arguments"),
            (
                "query Q { list(size: 1) { ... on Dog { tag } ... on Cat { tag } } }",
                "tag has the types String and String!; give one an alias"
            ),
            (
                "query Q { list(size: 1) { ... on Dog { owner { a: name } } ... on Cat { owner { a: city } } } }",
                "a has the types String! and String; give one an alias"
            ),
            (
                "query Q { animal(id: 1) { x: name ... on Dog { x: size } } }",
                "x has the types String! and Int; give one an alias"
            ),
            ("subscription S { __typename }", "1:18: a subscription can't select __typename"),
            (
                "subscription S { ticks @skip(if: true) }",
                "the field of a subscription is always selected; remove @skip"
            ),
            ("query Q { list(size: 1, any: {a: 1, a: 2}) { __typename } }", "Query.list(any:) has the member a twice"),
            ("subscription S { ticks tocks }", "1:14: a subscription selects one field; S selects ticks, tocks"),
            ("subscription S { ...F ticks } fragment F on Subscription { a: tocks }", "S selects a, ticks"),
        ])
    func others(document: String, message: String) {
        let error = #expect(throws: GenerationError.self) { try generation(document) }
        #expect(error?.description.contains("q.graphql:") == true)
        #expect(error?.description.contains(message) == true, "\(error as Any)")
    }

    @Test("G2 a fragment that no operation uses is noted with its place")
    func unusedFragments() throws {
        let generation = try generation("query Q { text }\n  fragment F on Pet { ...G } fragment G on Dog { barks }")
        #expect(
            generation.notes.map(\.text) == ["no operation uses the fragment F", "no operation uses the fragment G"])
        #expect(generation.notes.first?.place?.description == "q.graphql:2:12")
        #expect(generation.files.map(\.path) == ["GENERATED.md", "QQuery.swift"])
        #expect(generation.files[1].text.contains("fragment") == false)
    }

    @Test("G2 all mistakes of all operations and fragments are told at once, each once")
    func severalMistakes() throws {
        let error = #expect(throws: GenerationError.self) {
            try generation(
                """
                query A { texd list(size: 1) { ...F ... on Dog { barkz owner { nam } } } }
                query B($x: Nothing) { text }
                query A { text }
                query C { ...F @include(if: true) text(off: 1) }
                fragment F on Pet { ... on Cat { livez } }
                fragment G on Cat { size sice }
                """)
        }
        let lines = try #require(error).description.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(
            lines == [
                "q.graphql:1:11:", "q.graphql:5:34:", "q.graphql:1:50:", "q.graphql:1:64:", "q.graphql:2:13:",
                "q.graphql:3:7:", "q.graphql:4:14:", "q.graphql:4:40:", "q.graphql:6:26:",
            ], "\(error as Any)")
        let unreadable = #expect(throws: GenerationError.self) {
            try GraphQLGenerator().generate(
                schema: SourceFile(name: "s.graphql", data: Data(Self.schema.utf8)),
                documents: ["query A {", "query B { texd }", "query { text }"].enumerated().map {
                    SourceFile(name: "\($0).graphql", data: Data($1.utf8))
                })
        }
        #expect(unreadable?.description.split(separator: "\n").map { $0.prefix(9) } == ["0.graphql", "2.graphql"])
    }

    @Test("G2 columns count characters, also after others than ASCII")
    func columns() throws {
        let error = #expect(throws: GenerationError.self) { try generation("# ü\nquery Q { text(of: \"äöü😀\") nope }") }
        #expect(error?.place?.position == .init(line: 2, column: 28))
    }

    @Test("G2 fragments that spread each other many times, or deeply, are refused or read without exhausting the stack")
    func chains() throws {
        func chain(_ count: Int) -> String {
            let links = (0..<count).map { "fragment F\($0) on Query { ...F\($0 + 1) }" }
            return "query Q { ...F0 } fragment F\(count) on Query { text } " + links.joined(separator: "\n")
        }
        #expect(try generation(chain(190)).files.count == 193)
        let error = #expect(throws: GenerationError.self) { try generation(chain(50_000)) }
        #expect(error?.reason.contains("nested deeper than 200 levels") == true)
    }
}
