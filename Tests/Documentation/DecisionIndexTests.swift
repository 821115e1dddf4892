import Godwit
import Testing

/// docs/decisions/README.md lists each decision once, under its own title.
@Suite("The index of decisions")
struct DecisionIndexTests {
    @Test("Each decision is listed once, with its number and title")
    func entries() throws {
        let index = try Repository.text("docs/decisions/README.md")
        let listed = index.split(separator: "\n").filter { $0.hasPrefix("- [") }.map(String.init).sorted()
        let expected = try Repository.files(in: "docs/decisions").filter { !$0.hasSuffix("README.md") }.map { path in
            let title = try #require(try Repository.text(path).split(separator: "\n").first?.dropFirst("# 001. ".count))
            let name = path.split(separator: "/").last ?? ""
            return "- [\(name.prefix(3))](\(name)) \(title)"
        }
        // A status may follow.
        #expect(listed.count == expected.count)
        for (line, entry) in zip(listed, expected.sorted()) { #expect(line.hasPrefix(entry)) }
    }
}
