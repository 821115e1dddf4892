/// Parses operations, fragments and schemas (GraphQL specification, sections 2 and 3).
struct GraphQLParser {
    /// Deeper documents are refused, as the parser calls itself for each level.
    private static let depthLimit = 100

    let source: SourceFile
    private let tokens: [GraphQLToken]
    private var index = 0
    private var depth = 0
    private(set) var operations: [GraphQLOperationNode] = []
    private(set) var fragments: [GraphQLFragmentNode] = []
    private(set) var definitions: [(definition: GraphQLDefinition, isExtension: Bool)] = []
    private(set) var directiveDefinitions: [GraphQLDirectiveDefinition] = []
    /// The root types that a schema names, by `query`, `mutation` and `subscription`.
    var roots: [String: GraphQLName] = [:]
    /// Whether the document has a schema definition, not only extensions of it.
    private(set) var definesSchema = false
    /// The descriptions in the current operation.
    private var descriptions: [Range<Int>] = []

    init(_ source: SourceFile) throws(GenerationError) {
        self.source = source
        var lexer = try GraphQLLexer(source)
        tokens = try lexer.tokens()
        while current.kind != .end { try definition() }
    }

    // MARK: Tokens

    var current: GraphQLToken { tokens[min(index, tokens.count - 1)] }

    private var place: SourcePlace { SourcePlace(file: source.name, position: current.position) }

    private func fault(_ reason: String, at place: SourcePlace? = nil) -> GenerationError {
        GenerationError(.invalid, reason, at: place ?? self.place)
    }

    func unexpected(_ wanted: String) -> GenerationError {
        let found = current.kind == .end ? "the end of the document" : "\"\(current.text.prefix(40))\""
        return fault("expected \(wanted), found \(found)")
    }

    @discardableResult
    mutating func advance() -> GraphQLToken {
        defer { index += 1 }
        return current
    }

    func isMark(_ text: String) -> Bool { current.kind == .mark && current.text == text }

    func isWord(_ text: String) -> Bool { current.kind == .name && current.text == text }

    mutating func takes(_ mark: String) -> Bool {
        guard isMark(mark) else { return false }
        advance()
        return true
    }

    mutating func expect(_ mark: String) throws(GenerationError) {
        guard takes(mark) else { throw unexpected("\"\(mark)\"") }
    }

    mutating func name(_ what: String = "a name") throws(GenerationError) -> GraphQLName {
        guard current.kind == .name else { throw unexpected(what) }
        let place = place
        return GraphQLName(text: advance().text, place: place)
    }

    /// Items between two marks; none if the first mark is missing.
    ///
    /// - Parameter isEmptyAllowed: Whether nothing may stand between the marks, as in values.
    mutating func list(
        _ open: String, _ close: String, isEmptyAllowed: Bool = false,
        _ item: (inout GraphQLParser) throws(GenerationError) -> Void
    ) throws(GenerationError) {
        guard takes(open) else { return }
        if !isEmptyAllowed, isMark(close) { throw fault("nothing stands between \(open) and \(close)") }
        try deeper { parser throws(GenerationError) in
            while !parser.takes(close) { try item(&parser) }
        }
    }

    /// The description before a definition; `nil` if there is none.
    mutating func description() -> String? {
        guard current.kind == .string else { return nil }
        descriptions.append(current.range)
        return advance().text
    }

    mutating func deeper(
        _ body: (inout GraphQLParser) throws(GenerationError) -> Void
    ) throws(GenerationError) {
        depth += 1
        guard depth <= Self.depthLimit else { throw fault("nested deeper than \(Self.depthLimit) levels") }
        try body(&self)
        depth -= 1
    }

    // MARK: Definitions

    mutating func add(_ definition: GraphQLDirectiveDefinition) { directiveDefinitions.append(definition) }

    mutating func definition() throws(GenerationError) {
        let opening = place
        let description = description()
        let start = current.range.lowerBound
        descriptions = []
        let isExtension = isWord("extend")
        if isExtension { advance() }
        if isExtension, description != nil { throw fault("an extension has no description", at: opening) }
        if isMark("{") { throw fault("an operation needs a name: write query NAME { … }") }
        guard current.kind == .name else { throw unexpected("a definition") }
        if let kind = GraphQLDefinition.Kind(rawValue: current.text) {
            return definitions.append((try type(kind, description), isExtension))
        }
        if current.text == "schema" {
            definesSchema = definesSchema || !isExtension
            return try schema(isExtension: isExtension)
        }
        guard !isExtension else { throw unexpected("a type or the schema to extend") }
        if let kind = GraphQLOperationNode.Kind(rawValue: current.text) { return try operation(kind, start) }
        switch current.text {
        case "fragment": try fragment(start)
        case "directive": try directive()
        default: throw unexpected("a definition")
        }
    }

    mutating func operation(_ kind: GraphQLOperationNode.Kind, _ start: Int) throws(GenerationError) {
        advance()
        let name = try name("a name for the \(kind)")
        var variables: [GraphQLVariable] = []
        try list("(", ")") { parser throws(GenerationError) in
            _ = parser.description()
            let place = parser.place
            try parser.expect("$")
            let name = GraphQLName(text: try parser.name().text, place: place)
            try parser.expect(":")
            let type = try parser.type()
            let defaultValue = parser.takes("=") ? try parser.value() : nil
            let directives = try parser.directives()
            variables.append(
                GraphQLVariable(name: name, type: type, defaultValue: defaultValue, directives: directives))
        }
        let directives = try directives()
        let selections = try selectionSet()
        operations.append(
            GraphQLOperationNode(
                kind: kind, name: name, variables: variables, directives: directives, selections: selections,
                text: text(from: start)))
    }

    mutating func fragment(_ start: Int) throws(GenerationError) {
        advance()
        if isWord("on") { throw unexpected("a name for the fragment") }
        let name = try name()
        guard isWord("on") else { throw unexpected("\"on\"") }
        advance()
        let on = try self.name("a type")
        let directives = try directives()
        let selections = try selectionSet()
        fragments.append(
            GraphQLFragmentNode(
                name: name, on: on, directives: directives, selections: selections, text: text(from: start)))
    }

    private func text(from start: Int) -> GraphQLText {
        GraphQLText(
            file: source, range: start..<max(start, tokens[max(0, min(index, tokens.count) - 1)].range.upperBound),
            descriptions: descriptions)
    }

    // MARK: Selections

    mutating func selectionSet() throws(GenerationError) -> GraphQLSelectionSet {
        guard isMark("{") else { throw unexpected("\"{\"") }
        var set = GraphQLSelectionSet(start: current.range.upperBound)
        let opening = place
        try list("{", "}", isEmptyAllowed: true) { parser throws(GenerationError) in
            set.selections.append(try parser.selection())
        }
        if set.selections.isEmpty { throw fault("nothing is selected between { and }", at: opening) }
        return set
    }

    mutating func selection() throws(GenerationError) -> GraphQLSelection {
        guard takes("...") else { return .field(try field()) }
        if current.kind == .name, current.text != "on" {
            let name = try name()
            return .spread(name, try directives())
        }
        var on: GraphQLName?
        if isWord("on") {
            advance()
            on = try name("a type")
        }
        let directives = try directives()
        return .inline(on: on, try selectionSet(), directives)
    }

    mutating func field() throws(GenerationError) -> GraphQLFieldNode {
        let key = try name("a field")
        let name = takes(":") ? try self.name("a field") : key
        let arguments = try arguments()
        let directives = try directives()
        let selections = isMark("{") ? try selectionSet() : nil
        return GraphQLFieldNode(
            key: key, name: name, arguments: arguments, directives: directives, selections: selections)
    }

    mutating func directives() throws(GenerationError) -> [GraphQLDirectiveNode] {
        var directives: [GraphQLDirectiveNode] = []
        while takes("@") {
            let name = try name("a directive")
            directives.append(GraphQLDirectiveNode(name: name, arguments: try arguments()))
        }
        return directives
    }

    // MARK: Values

    private mutating func arguments(
        _ open: String = "(", _ close: String = ")", isEmptyAllowed: Bool = false
    ) throws(GenerationError) -> [GraphQLArgument] {
        var arguments: [GraphQLArgument] = []
        try list(open, close, isEmptyAllowed: isEmptyAllowed) { parser throws(GenerationError) in
            let name = try parser.name("an argument")
            try parser.expect(":")
            arguments.append(GraphQLArgument(name: name, value: try parser.value()))
        }
        return arguments
    }

    mutating func value() throws(GenerationError) -> GraphQLValue {
        let place = place
        return GraphQLValue(content: try content(), place: place)
    }

    private mutating func content() throws(GenerationError) -> GraphQLValue.Content {
        if takes("$") { return .variable(try name("a variable").text) }
        if isMark("[") {
            var values: [GraphQLValue] = []
            try list("[", "]", isEmptyAllowed: true) { parser throws(GenerationError) in
                values.append(try parser.value())
            }
            return .list(values)
        }
        if isMark("{") { return .object(try arguments("{", "}", isEmptyAllowed: true)) }
        switch current.kind {
        case .string: return .string(advance().text)
        case .number:
            let text = advance().text
            return text.contains { ".eE".contains($0) } ? .float(text) : .integer(text)
        case .name:
            let text = advance().text
            return ["true": .boolean(true), "false": .boolean(false), "null": .null][text] ?? .enum(text)
        default: throw unexpected("a value")
        }
    }

    mutating func type() throws(GenerationError) -> GraphQLType {
        var type: GraphQLType?
        try deeper { parser throws(GenerationError) in
            if parser.takes("[") {
                type = .list(try parser.type())
                try parser.expect("]")
            } else {
                type = .named(try parser.name("a type"))
            }
        }
        guard let type else { throw unexpected("a type") }
        return takes("!") ? .nonNull(type) : type
    }
}
