extension SourceText {
    /// Adds a type, indented lines and `}`: the protocols are broken as swift-format does if the line is too long.
    mutating func declaration(_ head: String, _ protocols: [String], _ fill: (inout SourceText) -> Void) {
        let whole = "\(head): \(protocols.joined(separator: ", "))"
        guard !fits(whole + " {") else { return block(whole, fill) }
        var count = protocols.count - 1
        while count > 1, !fits("\(head): \(protocols.prefix(count).joined(separator: ", ")),") { count -= 1 }
        line("\(head): \(protocols.prefix(count).joined(separator: ", ")),")
        indented { $0.line(protocols.dropFirst(count).joined(separator: ", ")) }
        line("{")
        indented(fill)
        line("}")
    }

    /// Adds `case a, b:`, on several lines if it is too long.
    mutating func cases(_ patterns: [String]) {
        guard let last = patterns.last else { return }
        var line = "case"
        var isFirst = true
        for pattern in patterns.dropLast().map({ $0 + "," }) + [last + ":"] {
            let longer = line.isEmpty ? pattern : line + " " + pattern
            if fits(isFirst ? longer : "    " + longer) {
                line = longer
                continue
            }
            if isFirst { self.line(line) } else { indented { $0.line(line) } }
            line = pattern
            isFirst = false
        }
        if isFirst { self.line(line) } else { indented { $0.line(line) } }
    }

    /// Adds a case of a `switch` with one statement, on one line or on two.
    mutating func branch(_ label: String, _ statement: String) {
        guard !fits("\(label) \(statement)") else { return line("\(label) \(statement)") }
        line(label)
        indented { $0.line(statement) }
    }

    /// Adds an array or dictionary, with a comma after the last element if it is broken.
    mutating func array(_ head: String, _ elements: [String], _ tail: String) {
        let whole = head + elements.joined(separator: ", ") + tail
        guard !fits(whole), let last = elements.last else { return line(whole) }
        list(head, elements.dropLast() + [last + ","], tail)
    }
}
