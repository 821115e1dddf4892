/// The path to an array in a document: `data.items`, `results[0].rows`, `['a.b'].items`, or empty for the root.
struct ElementPath: Sendable, Hashable {
    enum Step: Sendable, Hashable {
        /// The member with this key, compared byte by byte.
        case key(String)
        /// The element at this index, from 0.
        case index(Int)
    }

    let steps: [Step]

    /// Parses a path. Brackets contain an index, or a key in quotes (RFC 9535 section 2.3.1, without escapes).
    init(_ text: String) throws(JSONElementError) {
        var steps: [Step] = []
        var rest = text[...]
        while !rest.isEmpty {
            let isFirst = steps.isEmpty
            if rest.first == "[" {
                steps.append(try Self.bracket(&rest, of: text))
                continue
            }
            if !isFirst {
                guard rest.first == "." else { throw .invalidPath(text, reason: "expected `.` or `[` after `]`") }
                rest.removeFirst()
            }
            let key = rest.prefix { $0 != "." && $0 != "[" }
            guard !key.isEmpty else { throw .invalidPath(text, reason: "a key is empty") }
            steps.append(.key(String(key)))
            rest = rest[key.endIndex...]
        }
        self.steps = steps
    }

    private static func bracket(_ rest: inout Substring, of text: String) throws(JSONElementError) -> Step {
        rest.removeFirst()
        if let quote = rest.first, quote == "'" || quote == "\"" {
            let key = rest.dropFirst().prefix { $0 != quote }
            rest = rest[key.endIndex...].dropFirst()
            guard rest.first == "]" else { throw .invalidPath(text, reason: "a quoted key needs \(quote)] at its end") }
            rest.removeFirst()
            return .key(String(key))
        }
        let digits = rest.prefix { $0 != "]" }
        guard digits.endIndex < rest.endIndex, let index = Int(digits), index >= 0, digits.first != "+" else {
            throw .invalidPath(text, reason: "brackets need an index or a quoted key, such as [0] or ['a.b']")
        }
        rest = rest[digits.endIndex...].dropFirst()
        return .index(index)
    }

    /// The first steps as text.
    func text(upTo count: Int) -> String {
        steps.prefix(count).reduce(into: "") { text, step in
            switch step {
            case .index(let index): text += "[\(index)]"
            case .key(let key) where key.isEmpty || key.contains { $0 == "." || $0 == "[" }: text += "['\(key)']"
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            }
        }
    }
}
