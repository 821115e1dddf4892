import Testing

/// A page of the documentation: what of it can be checked.
struct Page: Sendable, CustomTestStringConvertible {
    /// Where the text of a block comes from.
    enum Source: Equatable {
        case snippet(String)
        case file(String)
        case unknown
    }

    struct Block {
        let line: Int
        let source: Source
        let text: String
    }

    let name: String
    private let lines: [Substring]

    init(name: String, text: String) {
        self.name = name
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    var testDescription: String { name }

    /// The fenced blocks of Swift.
    var swiftBlocks: [Block] {
        lines.indices.filter { lines[$0] == "```swift" }.map { start in
            let body = lines[(start + 1)...].prefix { $0 != "```" }
            let above = start > 0 ? lines[start - 1] : ""
            return Block(line: start + 1, source: Self.source(above), text: body.joined(separator: "\n"))
        }
    }

    /// The numbers of the lines of prose that are longer than 160 characters. Code and tables aren't prose.
    var longLines: [Int] {
        var isCode = false
        return lines.indices.filter { index in
            let line = lines[index]
            if line.hasPrefix("```") { isCode.toggle() }
            return !isCode && line.count > 160 && !line.hasPrefix("|") && !line.hasPrefix("    ")
        }.map { $0 + 1 }
    }

    /// The cells of tables that are longer than 120 characters.
    var longCells: [String] {
        lines.filter { $0.hasPrefix("|") }.flatMap { line in
            line.replacing("\\|", with: "  ").split(separator: "|").map { cell in
                cell.split(separator: " ").joined(separator: " ")
            }
        }.filter { $0.count > 120 }
    }

    /// The targets of links that are no URLs, without fragments.
    var relativeLinks: [String] {
        lines.flatMap { line in
            line.split(separator: "](").dropFirst().map { String($0.prefix { $0 != ")" && $0 != "#" }) }
        }
        .filter { !$0.isEmpty && !$0.contains("://") }
    }

    private static func source(_ marker: Substring) -> Source {
        guard marker.hasPrefix("<!-- "), marker.hasSuffix(" -->") else { return .unknown }
        let words = marker.dropFirst(5).dropLast(4).split(separator: ": ")
        guard words.count == 2 else { return .unknown }
        return switch words[0] {
        case "snippet": .snippet(String(words[1]))
        case "file": .file(String(words[1]))
        default: .unknown
        }
    }
}
