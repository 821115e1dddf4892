extension SourceText {
    /// Adds a call as one line, or broken after its first `(` as swift-format does.
    mutating func wrapped(_ call: String) {
        guard !fits(call), let open = call.firstIndex(of: "(") else { return line(call) }
        line(String(call[...open]))
        indented { text in text.wrapped(String(call[call.index(after: open)...])) }
    }

    /// Adds `head = value` on one line or on two.
    mutating func assignment(_ head: String, _ value: String) {
        guard !fits("\(head) = \(value)") else { return line("\(head) = \(value)") }
        line("\(head) =")
        indented { text in text.line(value) }
    }

    /// Whether a line isn't too long.
    func fits(_ text: String) -> Bool { margin.count + text.count <= Self.columns }
}
