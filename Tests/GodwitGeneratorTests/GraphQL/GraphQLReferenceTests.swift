#if canImport(Glibc)
import Glibc
import GodwitGenerator
import TestSupport
import Testing

/// Compares what is refused with graphql-core, the reference implementation's port to Python.
@Suite(
    "G2 the checks of operations and the reference implementation's",
    .enabled(if: isAvailable, "needs the Python servers: script/servers start DIR; . DIR/env"),
    .timeLimit(.minutes(15)))
struct GraphQLReferenceTests {
    /// Texts that often fit where another of the same list does.
    private static let classes = [
        [
            "Int", "Int!", "ID", "ID!", "[ID!]", "[ID]", "[ID!]!", "String", "Boolean!", "Boolean", "Range", "Sort",
            "Sort!", "[Sort!]", "Float", "Any", "Pick",
        ],
        [
            "null", "1", "2.5", "\"a\"", "true", "UP", "DOWN", "$n", "$i", "$b", "$t", "$r", "$s", "[1]", "[$n]", "{}",
            "{a: $n}", "{from: $n}", "{to: 1}", "{id: $i}", "{id: 1}", "{to: 1, to: 2}",
        ],
        [
            "name", "size", "lives", "barks", "owner { name }", "owner { city }", "tag", "__typename", "text",
            "a: name",
            "a: size", "name: tag", "ticks", "tocks",
        ],
        ["Dog", "Cat", "Pet", "Animal", "Owner", "Query"],
        ["first", "size", "ids", "range", "pick", "any", "ratio", "of", "id", "from", "to", "sort"],
        ["@skip(if: true)", "@include(if: $b)", "@cost", "@live", "@cost(why: \"a\") @cost"], ["...P", "...A", "...F"],
    ]

    /// Valid documents, whose words are separated by blanks.
    private static let documents = [
        "query Q ( $n : Int = 5 , $i : ID! , $b : Boolean! ) { list ( size : $n , ids : $i ) @cost { __typename "
            + "...P ... on Dog @include(if: $b) { owner { name } tag } ... on Cat { lives } } } "
            + "fragment P on Pet { ... on Animal { name } }",
        "query Q ( $r : Range , $s : [Sort!] ) { list ( size : 1 , range : $r ) { __typename } "
            + "b: list ( size : 1 , range : { from : 1 , sort : $s } ) { ... on Dog { name barks } } }",
        "query Q ( $t : String ) { text ( of : $t ) animal ( id : 1 ) { name size ...A } } fragment A on Animal { name a: size }",
        "query A ( $i : ID! ) { list ( size : 1 , pick : { id : $i } , any : {a: $n} ) { ...F } } "
            + "fragment F on Dog { name tag } query B { text }",
        "query Q ( $n : Int ) { list ( first : $n , size : 1 , ratio : 2.5 , any : null ) { ... on Dog { a: name } "
            + "... on Cat { a: name } } }",
        "subscription S { ticks }", "subscription S { ...F } fragment F on Subscription { ticks }",
    ]

    private static let program = """
        import sys
        from graphql import GraphQLError, build_schema, parse, specified_rules, validate
        from graphql.validation import NoUnusedFragmentsRule
        schema = build_schema(open(sys.argv[1]).read())
        rules = [rule for rule in specified_rules if rule is not NoUnusedFragmentsRule]
        for text in open(sys.argv[2]).read().split("\\0"):
            try:
                print("-" if validate(schema, parse(text), rules) else "+", end="")
            except GraphQLError:
                print("-", end="")
            except Exception:
                print("?", end="")  # graphql-core itself fails
        """

    @Test(
        "G2 random documents are refused if and only if the reference implementation refuses them", arguments: [1, 2])
    func random(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let documents = Self.documents + (0..<500).map { _ in Self.changed(&random) }
        let expected = try await Self.reference(documents)
        try #require(expected.count == documents.count)
        let generator = GraphQLGenerator()
        let schema = SourceFile(name: "s", data: Data(GraphQLCheckTests.schema.utf8))
        for (document, isValid) in zip(documents, expected) {
            guard let isValid else { continue }
            let source = SourceFile(name: "q", data: Data(document.utf8))
            do {
                _ = try generator.generate(schema: schema, documents: [source])
                #expect(isValid, "\(document)")
            } catch {
                #expect(!isValid, "\(document): \(error)")
            }
        }
        #expect(expected.count { $0 == true } > 30 && expected.count { $0 == false } > 30)
    }

    /// A document in which some words are replaced by others of a similar kind.
    private static func changed(_ random: inout SplitMix) -> String {
        var words = (documents.randomElement(using: &random) ?? "").split(separator: " ").map(String.init)
        for _ in 0..<(Int.random(in: 0..<3, using: &random) == 0 ? 2 : 1) {
            let places = words.indices.filter { place in classes.contains { $0.contains(words[place]) } }
            guard let place = places.randomElement(using: &random) else { continue }
            let similar = classes.filter { $0.contains(words[place]) }.randomElement(using: &random) ?? []
            words[place] = similar.randomElement(using: &random) ?? ""
        }
        return words.joined(separator: " ")
    }

    /// Whether each of the documents is valid; `nil` if the reference implementation fails.
    private static func reference(_ documents: [String]) async throws -> [Bool?] {
        let folder = TemporaryFolder()
        let schema = try folder.file("schema.graphql", Data(GraphQLCheckTests.schema.utf8))
        let file = try folder.file("documents", Data(documents.joined(separator: "\0").utf8))
        let run = try await ChildProgram.output(
            of: [try #require(python), "-c", program, schema.path, file.path])
        #expect(run.code == 0)
        return run.text.map { $0 == "?" ? nil : $0 == "+" }
    }
}

private let python = getenv("GODWIT_TEST_PYTHON").map { String(cString: $0) }

/// Whether the interpreter has graphql-core. Asked once, as Python takes a while.
private let isAvailable: Bool = {
    guard let python, let test = try? ChildProgram([python, "-c", "import graphql"]) else { return false }
    return test.waitForEnd() == 0
}()
#endif
