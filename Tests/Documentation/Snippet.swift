import Godwit
import Testing

/// The parts of `Snippets/*.swift` and `Recipes/*.swift` between `// snippet: NAME` and `// end`, their indentation taken off.
enum Snippet {
    /// All of them by name. A name that stands twice is an error.
    static func all() throws -> [String: String] {
        var snippets: [String: String] = [:]
        let files = try ["Snippets", "Recipes"].flatMap { try Repository.files(in: "Tests/Documentation/\($0)") }
        for file in files {
            let lines = try Repository.text(file).split(separator: "\n", omittingEmptySubsequences: false)
            for start in lines.indices where lines[start].contains("// snippet: ") {
                let name = String(lines[start].drop { $0 == " " }.dropFirst("// snippet: ".count))
                let body = lines[(start + 1)...].prefix { $0.drop { $0 == " " } != "// end" }
                try #require(snippets[name] == nil, "there are two snippets \(name)")
                snippets[name] = dedented(Array(body))
            }
        }
        return snippets
    }

    private static func dedented(_ lines: [Substring]) -> String {
        let depths = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
        let depth = depths.min() ?? 0
        return lines.map { $0.dropFirst(depth) }.joined(separator: "\n")
    }
}
