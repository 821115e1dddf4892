import Godwit
import Testing

/// SECURITY.md: each promise has a test.
@Suite("The promises")
struct PromiseTests {
    private static func rows() throws -> [(promise: String, test: String)] {
        let text = try Repository.text("SECURITY.md")
        let table = text.split(separator: "| promise | test |\n| --- | --- |\n", maxSplits: 1)[1].split(
            separator: "\n\n", maxSplits: 1)[0]
        return table.split(separator: "\n").map { line in
            let cells = line.split(separator: "|").map { $0.trimmingPrefix(" ") }
            return (promise: Self.trimmed(cells[0]), test: Self.trimmed(cells[1]))
        }
    }

    private static func trimmed(_ cell: Substring) -> String {
        String(cell.reversed().drop { $0 == " " }.reversed())
    }

    @Test("Each promise names a test that exists")
    func tests() throws {
        let sources = try Repository.sources(in: "Tests").map { try Repository.text($0) }.joined()
        let rows = try Self.rows()
        #expect(rows.count > 15)
        for row in rows { #expect(sources.contains("\"\(row.test)\""), "\(row.test)") }
    }

    @Test("Each sentence of the README's defaults is a promise")
    func defaults() throws {
        let readme = try Repository.text("README.md")
        let section = readme.split(separator: "## Defaults that matter\n\n", maxSplits: 1)[1].split(
            separator: "\n\n", maxSplits: 1)[0]
        let promises = try Self.rows().map(\.promise)
        for line in section.split(separator: "\n") where line.hasPrefix("- ") {
            #expect(promises.contains { line.dropFirst(2).hasPrefix($0) }, "\(line)")
        }
    }
}
