import Godwit
import Testing

/// The parts of `Snippets/*.swift` and `Recipes/*.swift` between `// snippet: NAME` and `// end`, without what stands
/// between `// hidden` and `// shown`, nor what `// hidden: TEXT` takes out of the next line. A part's indentation is that of the marker above it.
enum Snippet {
    /// All of them by name. A name that stands twice is an error.
    static func all() throws -> [String: String] {
        var snippets: [String: String] = [:]
        let files = try ["Snippets", "Recipes"].flatMap { try Repository.files(in: "Tests/Documentation/\($0)") }
        for file in files {
            for (name, text) in try inText(Repository.text(file)) {
                try #require(snippets[name] == nil, "there are two snippets \(name)")
                snippets[name] = text
            }
        }
        return snippets
    }

    /// A snippet begins before this one has ended.
    struct Unclosed: Error {
        let snippet: String
    }

    /// Those of one file, in their order.
    static func inText(_ text: String) throws -> [(name: String, text: String)] {
        var snippets: [(name: String, text: String)] = []
        var open: (name: String, lines: [Substring])?
        var depth = 0
        var isShown = false
        var change: Substring?
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
                change = code.dropFirst("// hidden: ".count)
            default:
                guard isShown else { continue }
                open?.lines.append(rewritten(line.dropFirst(min(depth, line.count - code.count)), hiding: change))
                change = nil
            }
        }
        return snippets
    }

    /// A line without what the comment above it hides: `A` leaves out A, `A => B` shows B instead.
    private static func rewritten(_ line: Substring, hiding change: Substring?) -> Substring {
        guard let words = change?.split(separator: " => ", maxSplits: 1), let old = words.first else { return line }
        return Substring(line.replacing(old, with: words.count == 2 ? words[1] : "", maxReplacements: 1))
    }
}
