extension SourceText {
    /// Adds a call as one line, or broken after its first `(` and between arguments as swift-format does.
    mutating func wrapped(_ call: String) {
        guard !fits(call) else { return line(call) }
        if let open = call.firstIndex(of: "("), let chain = Self.chain(of: call) {
            line(String(call[...open]))
            let rest = String(call[call.index(after: open)...].dropLast(chain.count))
            indented { $0.wrapped(rest) }
            return line(String(chain))
        }
        let items = SwiftScan.parts(of: call, at: ",")
        if items.count > 1 { return fill(items) }
        guard let open = call.firstIndex(of: "(") else { return line(call) }
        let rest = String(call[call.index(after: open)...])
        line(String(call[...open]))
        if rest.hasPrefix("\""), rest.hasSuffix("\")"), !fits("    " + rest) {
            indented { $0.line(String(rest.dropLast())) }
            return line(")")
        }
        indented { text in text.wrapped(rest) }
    }

    /// What follows the arguments of a call whose result has another call or a property: `).elements`.
    private static func chain(of call: String) -> Substring? {
        [").elements", ").decoded("].lazy.compactMap { mark in
            call.ranges(of: mark).last.map { call[$0.lowerBound...] }
        }.first { SwiftScan.depth(of: String(call[..<$0.startIndex])) == 1 }
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
