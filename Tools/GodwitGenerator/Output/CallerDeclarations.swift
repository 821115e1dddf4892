/// The declarations that a caller's code can name, read from generated Swift: an earlier generation is left as text only.
///
/// It reads what the generator writes: four spaces for each level, and a declaration on one line, but for its parameters.
struct CallerDeclarations {
    struct Parameter: Hashable {
        let label: String
        let type: String
        let hasDefault: Bool
    }

    enum Kind: Hashable {
        case type(isProtocol: Bool)
        case enumCase
        /// A property or another name of a type, with its type.
        case value(String)
        case function([Parameter], result: String)
    }

    struct Declaration: Hashable {
        /// The type that it belongs to, such as `Sighting.Status`; empty for a type that belongs to none.
        let owner: String
        let name: String
        let kind: Kind

        /// The owner and the name, such as `Sighting.Status.confirmed`.
        var path: String { owner.isEmpty ? name : "\(owner).\(name)" }
    }

    private enum Scope {
        case type(String)
        /// The statements of a function or a property, which nobody outside can name.
        case statements
    }

    /// In the order of the text.
    private(set) var all: [Declaration] = []
    private var scopes: [(indentation: Int, scope: Scope)] = []

    init(_ texts: [String]) {
        for text in texts { read(text) }
    }

    private mutating func read(_ text: String) {
        scopes = []
        var lines = text.split(separator: "\n")[...]
        while let line = lines.popFirst() {
            let indentation = line.prefix { $0 == " " }.count
            scopes.removeAll { $0.indentation >= indentation }
            var declaration = String(line.dropFirst(indentation))
            if case .statements? = scopes.last?.scope { continue }
            while Self.isOpen(declaration), let next = lines.first, Self.continues(next, indentation) {
                lines.removeFirst()
                declaration += " " + next.drop { $0 == " " }
            }
            read(declaration, indentation)
        }
    }

    /// Whether parentheses are open at the end, and not only a body.
    private static func isOpen(_ declaration: String) -> Bool {
        SwiftScan.depth(of: declaration) > (declaration.hasSuffix("{") ? 1 : 0)
    }

    /// Whether a line belongs to a declaration whose parentheses are open.
    private static func continues(_ line: Substring, _ indentation: Int) -> Bool {
        let content = line.drop { $0 == " " }
        return line.count - content.count > indentation || content.first == ")" || content.first == "]"
    }

    private mutating func read(_ line: String, _ indentation: Int) {
        var words = line.split(separator: " ")[...]
        while let word = words.first, Self.modifiers.contains(word) { words.removeFirst() }
        guard let keyword = words.popFirst() else { return }
        let rest = words.joined(separator: " ")
        let isOpen = line.hasSuffix("{")
        switch keyword {
        case "struct", "enum", "class", "actor", "protocol":
            let name = Self.name(rest)
            add(name, .type(isProtocol: keyword == "protocol"))
            scopes.append((indentation, .type(owner.isEmpty ? name : "\(owner).\(name)")))
        case "extension":
            scopes.append((indentation, .type(String(rest.prefix { !" :<{".contains($0) }))))
        case "case":
            for part in SwiftScan.parts(of: rest, at: ",") { add(Self.name(part), .enumCase) }
        case "var", "let", "typealias":
            add(Self.name(rest), .value(Self.type(rest)))
            if isOpen { scopes.append((indentation, .statements)) }
        default:
            // `init` has its parenthesis at once. What is private isn't named outside.
            if keyword == "func" { addFunction(rest) }
            if keyword.hasPrefix("init(") { addFunction("\(keyword) \(rest)") }
            if isOpen { scopes.append((indentation, .statements)) }
        }
    }

    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "open", "nonisolated", "static", "final", "indirect", "mutating",
        "convenience",
        "required", "override", "@Sendable",
    ]

    private var owner: String {
        guard case .type(let owner)? = scopes.last?.scope else { return "" }
        return owner
    }

    private mutating func add(_ name: String, _ kind: Kind) {
        if !name.isEmpty { all.append(Declaration(owner: owner, name: name, kind: kind)) }
    }

    private mutating func addFunction(_ text: String) {
        let name = Self.name(text)
        guard let open = text.firstIndex(of: "("), let close = SwiftScan.end(of: text, from: open) else { return }
        let parameters = SwiftScan.parts(of: String(text[text.index(after: open)..<close]), at: ",").map { part in
            Parameter(
                label: String(part.prefix { $0 != " " && $0 != ":" }), type: Self.type(part),
                hasDefault: SwiftScan.parts(of: part, at: "=").count > 1)
        }
        let result = text[close...].firstRange(of: "-> ").map { String(text[$0.upperBound...]) } ?? ""
        add(name, .function(parameters, result: Self.withoutBrace(result)))
    }

    /// The name at the start of a text, without backticks.
    private static func name(_ text: String) -> String {
        String(text.drop { $0 == "`" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    /// What follows the first colon, without a default value.
    private static func type(_ text: String) -> String {
        let parts = SwiftScan.parts(of: text, at: "=")
        guard let colon = parts.first?.firstIndex(of: ":"), let first = parts.first else {
            return parts.count > 1 ? withoutBrace(parts[1]) : ""
        }
        return withoutBrace(String(first[first.index(after: colon)...].drop { $0 == " " }))
    }

    /// What comes before a body, without spaces at the end.
    private static func withoutBrace(_ text: String) -> String {
        String(text.prefix { $0 != "{" }.reversed().drop { $0 == " " }.reversed())
    }
}
