/// Swift source as it is written: lines, indented by four spaces, at most 120 columns wide where they can be broken.
struct SourceText {
    static let columns = 120

    private(set) var lines: [String] = []
    private var depth = 0

    /// The text, which ends with a line break.
    var text: String { lines.joined(separator: "\n") + "\n" }

    var margin: String { String(repeating: "    ", count: depth) }

    /// Adds a line; an empty one without indentation.
    mutating func line(_ text: String = "") {
        lines.append(text.isEmpty ? "" : margin + text)
    }

    /// Adds an empty line, unless there is one already or a block has just been opened.
    mutating func space() {
        guard let last = lines.last, !last.isEmpty, !last.hasSuffix("{") else { return }
        lines.append("")
    }

    /// Adds indented lines.
    mutating func indented(_ fill: (inout SourceText) -> Void) {
        depth += 1
        fill(&self)
        depth -= 1
    }

    /// Adds `head {`, indented lines and `}`.
    mutating func block(_ head: String, _ fill: (inout SourceText) -> Void) {
        line(head + " {")
        indented(fill)
        line("}")
    }

    /// Adds `head(items)tail`, broken as swift-format does if it is too long: the items on lines that are filled.
    ///
    /// - Parameter tail: Follows the last item: `) -> Endpoint<Article> {`.
    mutating func list(_ head: String, _ items: [String], _ tail: String) {
        let whole = head + items.joined(separator: ", ") + tail
        guard margin.count + whole.count > Self.columns, !items.isEmpty else { return line(whole) }
        line(head)
        indented { text in text.fill(items) }
        line(tail)
    }

    /// Adds `head(items)tail`, broken as swift-format does for calls: the tail follows the last item.
    mutating func call(_ head: String, _ items: [String], _ tail: String) {
        guard let last = items.last,
            margin.count + head.count + items.joined(separator: ", ").count + tail.count
                > Self.columns
        else { return line(head + items.joined(separator: ", ") + tail) }
        line(head)
        indented { text in text.fill(items.dropLast() + [last + tail]) }
    }

    /// Adds items, separated by commas, as many on a line as fit.
    mutating func fill(_ items: [String]) {
        var current = ""
        for (index, item) in items.enumerated() {
            let piece = item + (index == items.count - 1 ? "" : ",")
            if current.isEmpty {
                current = piece
            } else if margin.count + current.count + 1 + piece.count <= Self.columns {
                current += " " + piece
            } else {
                line(current)
                current = piece
            }
        }
        line(current)
    }

    /// Adds words of the document as a doc comment, wrapped between words. Adds nothing for `nil` or empty text.
    mutating func doc(_ words: String?) {
        for paragraph in Self.paragraphs(words ?? "") { docLines(paragraph) }
    }

    /// Adds one line of a doc comment; an empty one for an empty text.
    mutating func docLine(_ text: String) { line(text.isEmpty ? "///" : "/// " + text) }

    /// Adds that the document calls a declaration deprecated. An attribute would make the generated code warn about itself.
    mutating func docDeprecation(after summary: String?) {
        if summary?.isEmpty == false { docLine("") }
        docLine("- Warning: The API's document says that this is deprecated.")
    }

    private mutating func docLines(_ paragraph: String) {
        guard !paragraph.isEmpty else { return docLine("") }
        let width = Self.columns - margin.count - 4
        guard paragraph.count > width, !paragraph.hasPrefix("    "), !paragraph.hasPrefix("|") else {
            return docLine(paragraph)
        }
        let indent = String(paragraph.prefix { $0 == " " })
        var current = indent
        for word in paragraph.split(separator: " ") {
            if current.count > indent.count, current.count + 1 + word.count > width {
                docLine(current)
                current = indent + word
            } else {
                current += (current.count > indent.count ? " " : "") + word
            }
        }
        docLine(current)
    }

    /// The lines of a text without control characters, without empty lines at either end.
    private static func paragraphs(_ words: String) -> [String] {
        var lines = words.split(omittingEmptySubsequences: false) { $0.isNewline }.map { line in
            var text = String(line.map { $0.isControl ? " " : $0 })
            while text.last == " " { text.removeLast() }
            return text
        }
        while lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}

extension Character {
    /// Whether this is a control character, which could end a comment or hide what follows.
    fileprivate var isControl: Bool {
        if let byte = asciiValue { return byte < 0x20 || byte == 0x7F }
        return unicodeScalars.contains {
            $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
        }
    }
}
