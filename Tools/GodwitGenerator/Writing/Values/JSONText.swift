/// JSON as it is written into generated sources.
enum JSONText {
    /// Values that are nested deeper are not written.
    static let depthLimit = 64
    /// Longer texts are not written.
    static let sizeLimit = 16 << 10

    /// A value on several lines, indented by two spaces; `nil` if it is too deep or too long.
    static func pretty(_ node: DocumentNode) -> String? {
        var writer = Writer()
        guard writer.write(node, depth: 0) else { return nil }
        return writer.text
    }
}

extension JSONText {
    private struct Writer {
        var text = ""

        /// Adds a value; false if it is too deep or too long.
        mutating func write(_ node: DocumentNode, depth: Int) -> Bool {
            guard depth < JSONText.depthLimit, text.utf8.count < JSONText.sizeLimit else { return false }
            switch node.value {
            case .null: text += "null"
            case .bool(let value): text += value ? "true" : "false"
            case .number(let number): text += number
            case .string(let string): text += SwiftLiteral.json(string)
            case .array(let elements):
                return list("[", elements.map { (nil, $0) }, "]", depth)
            case .object(let members):
                return list("{", members.map { ($0.key, $0.value) }, "}", depth)
            }
            return text.utf8.count <= JSONText.sizeLimit
        }

        private mutating func list(
            _ open: String, _ values: [(key: String?, value: DocumentNode)], _ close: String, _ depth: Int
        ) -> Bool {
            guard !values.isEmpty else {
                text += open + close
                return true
            }
            text += open
            for (index, entry) in values.enumerated() {
                text += (index == 0 ? "\n" : ",\n") + indentation(depth + 1)
                if let key = entry.key { text += SwiftLiteral.json(key) + ": " }
                guard write(entry.value, depth: depth + 1) else { return false }
            }
            text += "\n" + indentation(depth) + close
            return true
        }

        private func indentation(_ depth: Int) -> String { String(repeating: "  ", count: depth) }
    }
}
