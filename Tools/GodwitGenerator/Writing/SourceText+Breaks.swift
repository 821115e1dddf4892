extension SourceText {
    /// Adds a call as one line, or broken after its first `(` and between arguments as swift-format does.
    mutating func wrapped(_ call: String) {
        guard !fits(call) else { return line(call) }
        let items = SourceArguments(call).items
        if items.count > 1 { return fill(items) }
        guard let open = call.firstIndex(of: "(") else { return line(call) }
        line(String(call[...open]))
        indented { text in text.wrapped(String(call[call.index(after: open)...])) }
    }

    /// Adds `guard condition else { exit }`, on three lines if it is too long for one.
    mutating func guarding(_ condition: String, _ exit: String) {
        let line = "guard \(condition) else { \(exit) }"
        if fits(line) { return self.line(line) }
        block("guard \(condition) else") { text in text.wrapped(exit) }
    }

    /// Whether a line isn't too long.
    func fits(_ text: String) -> Bool { margin.count + text.count <= Self.columns }
}
