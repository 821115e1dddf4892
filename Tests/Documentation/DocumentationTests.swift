import Godwit
import Testing

/// README.md and docs/ show nothing that does not compile: each block of Swift names the code it is a copy of, which is
/// part of this target (`snippet:`) or of the package of the first example (`file:`).
@Suite("The documentation")
struct DocumentationTests {
    static let pages = Repository.pages()

    @Test("There are a README and a page for each room")
    func isThere() {
        let names = Self.pages.map(\.name)
        #expect(names.contains("README.md"))
        for page in [
            "errors", "testing", "streaming", "transport", "middleware", "caching", "authentication", "security",
            "connectivity", "recording", "ui",
        ] {
            #expect(names.contains("docs/\(page).md"))
        }
    }

    @Test("Every block of Swift compiles", arguments: pages)
    func blocks(of page: Page) throws {
        let snippets = try Snippet.all()
        for block in page.swiftBlocks {
            let place = "\(page.name):\(block.line)"
            switch block.source {
            case .snippet(let name): #expect(snippets[name] == block.text, "\(place) is not snippet \(name)")
            case .file(let path): #expect(try Repository.text(path) == block.text + "\n", "\(place) is not \(path)")
            case .unknown: Issue.record("\(place) has no <!-- snippet: NAME --> or <!-- file: PATH --> above it")
            }
        }
    }

    @Test("Every snippet is shown somewhere")
    func isUsed() throws {
        let shown = Self.pages.flatMap(\.swiftBlocks).compactMap { block in
            if case .snippet(let name) = block.source { name } else { nil }
        }
        let unused = Set(try Snippet.all().keys).subtracting(shown)
        #expect(unused == [])
    }

    @Test("Every link to a file resolves", arguments: pages)
    func links(of page: Page) {
        for target in page.relativeLinks {
            #expect(Repository.has(target, from: page.name), "\(page.name) links to \(target)")
        }
    }

    @Test("No line of prose is longer than 160 characters", arguments: pages)
    func lineLengths(of page: Page) { #expect(page.longLines == []) }

    @Test("No cell of a table is longer than 120 characters", arguments: pages)
    func cells(of page: Page) { #expect(page.longCells == []) }

    @Test("The picture of a call's way has the places of the table that it is drawn from")
    func pictureOfCall() throws {
        let rows = try Repository.text("docs/middleware.md").matches(of: /(?m)^\| \d* ?\| (.+?) \| .*\|$/)
        let names = rows.map { Self.plain($0.1) }
        #expect(names.count > 20)
        let drawn = try Self.texts(of: "call")
        #expect(names.filter { !drawn.contains($0) } == [], "run script/pictures")
        #expect(drawn.filter(names.contains) == names, "run script/pictures")
    }

    @Test("The picture of what is sent again has the cells of the table that it is drawn from")
    func pictureOfResending() throws {
        let lines = try Repository.text("docs/resilience.md").split(separator: "\n").filter { $0.hasPrefix("|") }
        let rows = lines.map { $0.split(separator: "|").map(Self.plain) }.filter { $0.count == 5 && $0[1] != "---" }
        #expect(rows.count > 20)
        // The head of the first column isn't drawn: what it names are the titles of the boxes.
        let cells: [String] = rows.joined().dropFirst().filter { !$0.isEmpty }
        #expect(try Self.texts(of: "resend") == cells, "run script/pictures")
    }

    /// The words of a cell, without code marks and links.
    private static func plain(_ cell: Substring) -> String {
        let words = cell.replacing("`", with: "").replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.1) }
        return words.split(separator: " ").joined(separator: " ")
    }

    /// The texts of a picture, in order.
    private static func texts(of picture: String) throws -> [String] {
        try Repository.text("docs/images/\(picture).svg").matches(of: /<text [^>]*>([^<]*)<\/text>/)
            .map { String($0.1) }
    }

    @Test("The README has fewer than 200 lines")
    func length() throws {
        #expect(try Repository.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count < 200)
    }

    @Test("docs/README.md leads to every page in docs/, and to the indexes of recipes, decisions and guides")
    func map() throws {
        let map = try #require(Self.pages.first { $0.name == "docs/README.md" })
        let folder = Self.pages.map(\.name).filter { $0.hasPrefix("docs/") && $0.split(separator: "/").count == 2 }
        let wanted = folder.map { String($0.dropFirst("docs/".count)) }.filter { $0 != "README.md" }
        #expect(wanted.count > 30)
        let indexes = ["recipes/README.md", "decisions/README.md", "guides/README.md"]
        #expect(Set(wanted + indexes).subtracting(map.relativeLinks).sorted() == [])
    }
}
