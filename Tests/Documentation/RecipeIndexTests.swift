import Godwit
import Testing

/// docs/recipes: each capability that a test proves has a page for users.
@Suite("The recipes")
struct RecipeIndexTests {
    private struct Row {
        /// The capability's ID.
        let id: String
        let question: String
        let title: String
        /// The name of the file that the row links to.
        let page: String

        func text() throws -> String { try Repository.text("docs/recipes/\(page)") }
    }

    private static func rows() throws -> [Row] {
        let row = /(?m)^\| ([A-Z]\d+) \| (.*) \| \[(.*)\]\(([^)]+)\) \|$/
        return try Repository.text("docs/recipes/README.md").matches(of: row).map {
            Row(id: String($0.1), question: String($0.2), title: String($0.3), page: String($0.4))
        }
    }

    /// The IDs that begin the display names of tests: `@Test("A3 S2 …")`.
    private static func proven() throws -> Set<String> {
        var ids: Set<String> = []
        for path in try ["Tests", "Examples"].flatMap(Repository.sources) {
            for match in try Repository.text(path).matches(of: /@(?:Test|Suite)\(\s*"((?:[A-Z]\d+ )+)/) {
                ids.formUnion(match.1.split(separator: " ").map(String.init))
            }
        }
        return ids
    }

    @Test("Each capability that a test names has a row in the index, and no others do")
    func complete() throws {
        let ids = try Self.rows().map(\.id)
        let proven = try Self.proven()
        #expect(proven.count > 80)
        #expect(proven.subtracting(ids).sorted() == [])
        #expect(Set(ids).subtracting(proven).sorted() == [])
    }

    @Test("Each row links to its own page, and each page has a row with its title and question")
    func pages() throws {
        let rows = try Self.rows()
        for row in rows {
            #expect(row.page.hasPrefix("\(row.id)-"))
            #expect(try row.text().hasPrefix("# \(row.id) · \(row.title)\n"), "\(row.page)")
            #expect(try row.text().contains("\n*\(row.question)*\n"), "\(row.page)")
        }
        let files = try Repository.files(in: "docs/recipes").map { String($0.dropFirst("docs/recipes/".count)) }
        #expect(files.sorted() == (rows.map(\.page) + ["README.md"]).sorted())
    }

    @Test("Pages that say how many recipes there are say it right")
    func count() throws {
        let count = try Self.rows().count
        for page in ["README.md", "docs/README.md"] {
            let said = try Repository.text(page).matches(of: /(\d+) questions/).map { String($0.1) }
            #expect(said == ["\(count)"], "\(page)")
        }
    }

    @Test(
        "Recipes show an app's code, not a test's",
        arguments: [
            "server.url", "transport: mock)", "127.0.0.1", "withLock", "continuation", "thrownError", "MockTransport",
            "MockServer", "TestClock", "PathFeed", "#expect", ".milliseconds(1)", "for _ in", "said =", "seen",
        ])
    func scaffolding(text: String) throws {
        for (row, block) in try Self.appCode() {
            #expect(!block.text.contains(text), "\(row.page):\(block.line)")
        }
    }

    @Test("Recipes pass a transport along with a base URL only if they make it")
    func transports() throws {
        for (row, block) in try Self.appCode() where block.text.contains("\", transport: transport)") {
            #expect(block.text.contains("let transport"), "\(row.page):\(block.line)")
        }
    }

    /// The code of all recipes but those about tests.
    private static func appCode() throws -> [(Row, Page.Block)] {
        try rows().filter { !$0.id.hasPrefix("X") }.flatMap { row in
            Page(name: row.page, text: try row.text()).swiftBlocks.map { (row, $0) }
        }
    }

    @Test("Each page has a question, code, an answer and links")
    func parts() throws {
        for row in try Self.rows() {
            let (page, text) = (row.page, try row.text())
            #expect(text.contains("```swift\n") || text.contains("```sh\n"), "\(page) shows nothing")
            #expect(text.contains(/(?m)^\*.*\?\*$/), "\(page) asks nothing")
            #expect(text.contains(/(?m)^Read on: \[/), "\(page) leads nowhere")
            #expect(text.split(separator: "\n").count < 90, "\(page) is too long for a recipe")
        }
    }
}
