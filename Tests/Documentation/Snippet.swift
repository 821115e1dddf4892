import Godwit
import Testing

/// The code in `Snippets/*.swift`, `Recipes/*.swift`, the tests of real servers and those of bridges between `// snippet: NAME` and `// end`. Leaves out what is between
/// `// hidden` and `// shown`, and the text that `// hidden: TEXT` removes from the next line. All code that a page shows
/// is compiled: nothing can be shown in place of other code.
enum Snippet {
    /// All snippets by name. Throws if a name is used twice.
    static func all() throws -> [String: String] {
        var snippets: [String: String] = [:]
        let bridges = try ["HTTPTypes", "OpenAPI", "Logging", "Metrics", "Tracing", "Lifecycle"].flatMap { bridge in
            try Repository.sources(in: "Tests/Godwit\(bridge)Tests")
        }
        let files =
            try ["Documentation/Snippets", "Documentation/Recipes", "RealServers"].flatMap {
                try Repository.files(in: "Tests/\($0)")
            } + bridges
        for file in files {
            for (name, text) in try inText(Repository.text(file)) {
                try #require(snippets[name] == nil, "there are two snippets \(name)")
                snippets[name] = text
            }
        }
        return snippets
    }

    /// A snippet starts inside this one.
    struct Unclosed: Error {
        let snippet: String
    }

    /// The snippets of one file, in order. Each part is indented like the marker above it.
    static func inText(_ text: String) throws -> [(name: String, text: String)] {
        var snippets: [(name: String, text: String)] = []
        var open: (name: String, lines: [Substring])?
        var depth = 0
        var isShown = false
        var hidden: Substring?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let code = line.drop { $0 == " " }
            switch code {
            case "// end":
                if let open { snippets.append((open.name, open.lines.joined(separator: "\n"))) }
                open = nil
            case "// hidden" where open != nil:
                isShown = false
            case "// shown" where open != nil:
                (isShown, depth) = (true, line.count - code.count)
            case _ where code.hasPrefix("// snippet: "):
                if let open { throw Unclosed(snippet: open.name) }
                open = (String(code.dropFirst("// snippet: ".count)), [])
                (isShown, depth) = (true, line.count - code.count)
            case _ where code.hasPrefix("// hidden: "):
                hidden = code.dropFirst("// hidden: ".count)
            default:
                guard isShown else { continue }
                var shown = line.dropFirst(min(depth, line.count - code.count))
                if let hidden { shown.replace(hidden, with: "", maxReplacements: 1) }
                hidden = nil
                open?.lines.append(shown)
            }
        }
        return snippets
    }
}
