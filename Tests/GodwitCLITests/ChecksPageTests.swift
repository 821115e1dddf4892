import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

/// docs/checks.md and its recipe: each command line, file and table row is run.
@Suite("G1 G7 The page on checks", .timeLimit(.minutes(15)))
struct ChecksPageTests {
    static let pages = ["docs/checks.md", "docs/recipes/G7-checks.md"]

    private static let article = #"""
        {"id": 42, "title": "Spring tides", "tags": ["sea", "moon"], "author": {"name": "Ann", "email": null}, "price": 9.5,
        "created": "2023-01-23T18:25:43Z", "html": "a &lt; b", "data": "c2Vh", "path": "a%20b", "ids": "3, 4", "notes": [],
        "link": "https://example.com/?page=2", "raw": "{\"a\": 1}"}
        """#

    private let folder = TemporaryFolder()

    private static func page(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: name), encoding: .utf8)
    }

    /// The blocks of code in a language, between backquotes or tildes.
    private static func blocks(_ language: String, in page: String) -> [String] {
        var blocks: [String] = []
        var lines = page.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst() {
            guard let fence = ["```", "~~~"].first(where: { line == $0 + language }) else { continue }
            blocks.append(lines.prefix { $0 != fence }.map { $0 + "\n" }.joined())
        }
        return blocks
    }

    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            switch character {
            case quote: quote = nil
            case "'" where quote == nil: (quote, word) = (character, word ?? "")
            case " " where quote == nil:
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }

    private func command(_ output: CapturedOutput, _ errors: CapturedOutput) -> Command {
        var command = Command(input: ScriptedInput([]), output: output, errors: errors, environment: [:]) { _ in
            MockTransport { route in
                route.get("/v1/articles/42").reply { _ in
                    MockResponse(
                        fields: [
                            "Content-Type": "application/json", "Set-Cookie": "session=s1; Path=/; HttpOnly",
                            "Vary": "Accept",
                            "Vary": "Cookie",
                        ],
                        body: .bytes(Data(Self.article.utf8)))
                }
                route.get("/v1/none").reply(.text("none", status: .notFound))
                route.get("/v1/old").reply(.redirect(to: "/v1/articles/42"))
                route.post("/v1/login").reply { request in
                    MockResponse(
                        status: request.text.contains("secret") ? .ok : .forbidden,
                        fields: ["Set-Cookie": "session=s1"], body: #"{"token": "t-1"}"#)
                }
                route.get("/v1/articles").where { $0.fields["Authorization"] == "Bearer t-1" }.reply(
                    MockResponse(
                        fields: ["Content-Type": "application/json"],
                        body: #"{"items": [{"id": 42, "title": "Spring tides"}, {"id": 43}]}"#))
                route.post("/v1/echo").reply { MockResponse(body: .bytes($0.body)) }
            }
        }
        command.clock = ImmediateClock()
        return command
    }

    /// Runs a command line. The files that it names are in the folder.
    private func run(_ words: [String]) async -> Run {
        let files: Set = [".hurl", ".vars", ".xml", ".json"]
        let arguments = words.map { word in
            files.contains { word.hasSuffix($0) } && !word.contains("/") ? folder.path(word) : word
        }
        let (output, errors) = (CapturedOutput(), CapturedOutput())
        let code = await command(output, errors).run(arguments)
        return Run(code: code, output: output.text, errors: errors.text)
    }

    @Test("G7 every command line and file of the page succeeds", arguments: pages)
    func lines(page name: String) async throws {
        let page = try Self.page(name)
        _ = try folder.write("Remember the tide.\n", to: "note.txt")
        _ = try folder.write("user=ann\npassword=secret\n", to: "staging.vars")
        for block in Self.blocks("hurl", in: page) {
            let file = try #require(block.split(separator: "\n").first).dropFirst(2)
            _ = try folder.write(block, to: String(file))
            let run = await run(["run", String(file), "--variables-file", "staging.vars"])
            #expect(run.code == .success, "\(file): \(run.output)\(run.errors)")
            #expect(!run.output.contains("0 requests"))
        }
        var count = 0
        for block in Self.blocks("sh", in: page) {
            for line in block.split(separator: "\n") where line.hasPrefix("godwit ") {
                let run = await run(Array(Self.words(String(line)).dropFirst()))
                #expect(run.code == .success, "\(line): \(run.output)\(run.errors)")
                count += 1
            }
        }
        #expect(count >= 4)
    }

    @Test("G7 every example in the tables of queries, filters and predicates holds")
    func tables() async throws {
        let text = try Self.page("docs/checks.md")
        let start = try #require(text.firstRange(of: "\n## Queries\n"))
        let checks = text[start.upperBound...].split(separator: "\n").compactMap { line -> String? in
            let cells = line.split(separator: " | ")
            guard cells.count == 3, let cell = cells.last, cell.hasPrefix("`"), cell.hasSuffix("` |") else {
                return nil
            }
            return String(cell.dropFirst().dropLast(3))
        }
        #expect(checks.count > 40)
        let file = "GET https://api.example.com/v1/articles/42\nHTTP 200\n[Asserts]\n" + checks.joined(separator: "\n")
        _ = try folder.write(file, to: "tables.hurl")
        let run = await run(["run", "tables.hurl", "--variable", "user=ann"])
        #expect(run.code == .success, "\(run.output)\(run.errors)")
    }

    @Test("G7 the messages of the page are those that are printed")
    func messages() async throws {
        let page = try Self.page("docs/checks.md")
        let failed = await run(
            ["get", "https://api.example.com/v1/articles/42", "-q", "--expect", #".tags == ["sea"]"#])
        #expect(Self.blocks("text", in: page).contains(failed.errors))
        let file = try #require(Self.blocks("hurl", in: page).first)
        _ = try folder.write(file.replacing("{{user}}", with: "{{usr}}"), to: "articles.hurl")
        let fault = await run([
            "run", "articles.hurl", "--variables-file", try folder.write("user=a\npassword=b", to: "a.vars"),
        ])
        #expect(fault.code == .usage)
        let printed = fault.errors.replacing(folder.path("articles.hurl"), with: "articles.hurl")
        #expect(Self.blocks("text", in: page).contains(printed), "\(printed)")
    }

    @Test("G7 the page names each option of a request, each filter and each predicate")
    func complete() throws {
        let page = try Self.page("docs/checks.md")
        let names = [
            "location", "max-redirs", "retry", "retry-interval", "delay", "repeat", "skip", "variable", "user",
            "connect-timeout", "max-time", "compressed", "isNumber", "isObject", "utf8Encode", "urlQueryParam",
            "replaceRegex",
        ]
        for name in names { #expect(page.contains("`\(name)"), "\(name)") }
    }
}
