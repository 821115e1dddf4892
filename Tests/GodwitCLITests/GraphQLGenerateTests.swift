import Godwit
import GodwitCommand
import TestSupport
import Testing

@Suite("G2 godwit generate --graphql", .timeLimit(.minutes(15)))
struct GraphQLGenerateTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../GodwitGraphQLTests")

    private static func path(_ name: String) -> String { folder.appending(path: name).path }

    private static let sources = [
        "generate", "--graphql", path("Peers/schema.graphql"), path("Peers/articles.graphql"), "--scalar",
        "Moment=Date",
    ]

    @Test("G2 the operations that the tests of GraphQL use are what is generated")
    func current() async throws {
        let run = await Run.godwit(Self.sources + ["--into", Self.path("Generated"), "--dry-run"])
        // Its command line has the paths that were given.
        let changes = run.output.split(separator: "\n").dropLast().filter { $0 != "update  GENERATED.md" }
        #expect(run.code == .success && changes.isEmpty, "\(run.output)\(run.errors)")
    }

    @Test("G2 the files are written once, and not again")
    func written() async throws {
        let folder = TemporaryFolder()
        let into = ["--into", folder.path("API"), "--access", "public"]
        let first = await Run.godwit(Self.sources + into)
        #expect(first.code == .success, "\(first.errors)")
        let text = try String(contentsOfFile: folder.path("API/CountSubscription.swift"), encoding: .utf8)
        let page = try String(contentsOfFile: folder.path("API/GENERATED.md"), encoding: .utf8)
        #expect(page.contains("articles.graphql --scalar Moment=Date --access public --into "), "\(page)")
        #expect(
            text.contains("public import GodwitGraphQL") && text.contains("public nonisolated enum CountSubscription"))
        #expect(await Run.godwit(Self.sources + into + ["--check"]).code == .success)
    }

    @Test("G2 a fragment that no operation uses is reported with its place")
    func unused() async throws {
        let folder = TemporaryFolder()
        let query = try folder.write("query Q { token }\nfragment F on Author { name }", to: "q.graphql")
        let run = await Run.godwit(
            "generate", "--graphql", Self.path("Peers/schema.graphql"), query, "--into", folder.path("API"))
        #expect(run.code == .success)
        #expect(run.output.contains("1 omission: see \(folder.path("API"))/GENERATED.md"), "\(run.output)")
        let page = try String(contentsOfFile: folder.path("API/GENERATED.md"), encoding: .utf8)
        #expect(page.contains("- no operation uses the fragment F (`") && page.contains("q.graphql:2:10`)"), "\(page)")
    }

    @Test("G2 an error names the file, the line and the column, and nothing is written")
    func refused() async throws {
        let folder = TemporaryFolder()
        let query = try folder.write("query Q {\n  nope\n}", to: "q.graphql")
        let run = await Run.godwit(
            "generate", "--graphql", Self.path("Peers/schema.graphql"), query, "--into", folder.path("API"))
        #expect(run.code == .document)
        #expect(run.errors.contains("q.graphql:2:3: Query has no field nope"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("API")))
    }

    @Test(
        "G2 a line that lacks something is refused",
        arguments: [
            (["--graphql", "s.graphql", "--into", "A"], "needs the files with operations"),
            (["--graphql", "s.graphql", "q.graphql"], "--graphql needs --into"),
            (["--graphql", "s", "q", "--into", "A", "--scalar", "x"], "--scalar needs NAME=TYPE"),
            (["--openapi", "a.yaml", "--scalar", "A=B"], "--scalar is for --graphql"),
            (["--graphql", "s", "q", "--openapi", "a", "--into", "A"], "can't be combined"),
            (["--graphql", "s", "q", "--into", "A", "--name", "B"], "--name is for other sources"),
            (["--graphql", "s", "q", "--into", "A", "--only", "B"], "--only is for other sources"),
            (["--graphql", "s", "q", "--into", "A", "--screens"], "--screens is for other sources"),
            (["--graphql", "s", "q", "--into", "A", "--guess-enums"], "--guess-enums is for other sources"),
            (["--graphql", "s", "q", "--into", "A", "--base-url", "https://a"], "--base-url is for other sources"),
            (["--graphql", "s", "q", "--into", "A", "--godwit", ".."], "--godwit is for other sources"),
        ])
    func usage(words: [String], reason: String) async {
        let run = await Run.godwit(["generate"] + words)
        #expect(run.code == .usage)
        #expect(run.errors.contains(reason), "\(run.errors)")
    }
}
