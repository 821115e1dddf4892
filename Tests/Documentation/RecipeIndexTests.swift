import Godwit
import Testing

/// docs/recipes: whatever the tests prove of the library can be looked up by whoever wants to use it.
@Suite("The recipes")
struct RecipeIndexTests {
    /// The rows of the index: a capability's ID, and the page that its row links to.
    private static func rows() throws -> [(id: String, page: String)] {
        try Repository.text("docs/recipes/README.md").matches(of: /(?m)^\| ([A-Z]\d+) \|.*\]\(([^)]+)\) \|$/).map {
            (String($0.1), String($0.2))
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

    @Test("Each capability that a test names has one row in the index, and no other has")
    func complete() throws {
        let ids = try Self.rows().map(\.id)
        let proven = try Self.proven()
        #expect(proven.count > 80)
        #expect(proven.subtracting(ids).sorted() == [])
        #expect(Set(ids).subtracting(proven).sorted() == [])
        #expect(ids.count == Set(ids).count)
    }

    @Test("Each row leads to a page of its own that is named after it, and each page has a row")
    func pages() throws {
        let rows = try Self.rows()
        for (id, page) in rows {
            #expect(page.hasPrefix("\(id)-"))
            #expect(try Repository.text("docs/recipes/\(page)").hasPrefix("# \(id) · "), "\(page)")
        }
        let files = try Repository.files(in: "docs/recipes").map { String($0.dropFirst("docs/recipes/".count)) }
        #expect(files.sorted() == (rows.map(\.page) + ["README.md"]).sorted())
    }

    @Test("Each page is a question, code, an answer and where to read on")
    func parts() throws {
        for (_, page) in try Self.rows() {
            let text = try Repository.text("docs/recipes/\(page)")
            #expect(text.contains("```swift\n") || text.contains("```sh\n"), "\(page) shows nothing")
            #expect(text.contains(/(?m)^\*.*\?\*$/), "\(page) asks nothing")
            #expect(text.contains(/(?m)^Read on: \[/), "\(page) leads nowhere")
            #expect(text.split(separator: "\n").count < 90, "\(page) is no recipe any more")
        }
    }
}
