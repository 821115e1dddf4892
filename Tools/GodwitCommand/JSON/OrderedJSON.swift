import Godwit

/// A JSON text as a tree that preserves the order of members and the spelling of numbers and strings.
indirect enum OrderedJSON: Sendable, Hashable {
    /// A number, `true`, `false`, `null` or a string with its quotes, as in the source.
    case token(String)
    case array([OrderedJSON])
    case object([Member])

    /// A name with its quotes, as in the source, and its value.
    struct Member: Sendable, Hashable {
        let name: String
        let value: OrderedJSON
    }

    /// Parses a JSON text.
    init(parsing data: Data) throws(JSONSyntaxError) {
        self.init(try JSONDocument(parsing: data).root)
    }

    init(_ element: JSONElement) {
        switch element.kind {
        case .array: self = .array(element.elements.map(OrderedJSON.init))
        case .object: self = .object(element.members.map { Member(name: $0.keySource, value: OrderedJSON($0.value)) })
        default: self = .token(String(decoding: element.source, as: UTF8.self))
        }
    }

    static let null = OrderedJSON.token("null")

    static func bool(_ value: Bool) -> OrderedJSON { .token(value ? "true" : "false") }

    static func number(_ value: some BinaryInteger) -> OrderedJSON { .token(String(value)) }

    /// A number with at most three decimal places.
    static func decimal(_ value: Double) -> OrderedJSON { .token(String((value * 1000).rounded() / 1000)) }

    static func string(_ text: String) -> OrderedJSON { .token(quoted(text)) }

    /// An object from unquoted names. Members that are `nil` are omitted.
    static func object(_ members: KeyValuePairs<String, OrderedJSON?>) -> OrderedJSON {
        .object(members.compactMap { name, value in value.map { Member(name: quoted(name), value: $0) } })
    }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case ..<" ": quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension OrderedJSON {
    enum Layout: Sendable, Hashable {
        /// Without whitespace.
        case compact
        /// One member or element per line, indented by two spaces.
        case pretty
    }

    /// The text, without a final line break.
    func text(_ layout: Layout, colors: Colors = .none) -> String {
        var text = ""
        write(to: &text, layout, colors, depth: 0)
        return text
    }

    private func write(to text: inout String, _ layout: Layout, _ colors: Colors, depth: Int) {
        switch self {
        case .token(let token):
            text += colors.token(token)
        case .array(let elements):
            Self.write(elements, in: ("[", "]"), to: &text, layout, depth: depth) { element, text in
                element.write(to: &text, layout, colors, depth: depth + 1)
            }
        case .object(let members):
            Self.write(members, in: ("{", "}"), to: &text, layout, depth: depth) { member, text in
                text += colors.paint(member.name, .name) + (layout == .compact ? ":" : ": ")
                member.value.write(to: &text, layout, colors, depth: depth + 1)
            }
        }
    }

    private static func write<Item>(
        _ items: [Item], in brackets: (String, String), to text: inout String, _ layout: Layout, depth: Int,
        each write: (Item, inout String) -> Void
    ) {
        text += brackets.0
        for (index, item) in items.enumerated() {
            if index > 0 { text += "," }
            if layout == .pretty { text += "\n" + String(repeating: "  ", count: depth + 1) }
            write(item, &text)
        }
        if layout == .pretty, !items.isEmpty { text += "\n" + String(repeating: "  ", count: depth) }
        text += brackets.1
    }
}
