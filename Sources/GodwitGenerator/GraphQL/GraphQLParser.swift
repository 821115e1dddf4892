/// Parses operations, fragments and schemas (GraphQL specification, sections 2 and 3).
struct GraphQLParser {
    /// Deeper documents are refused, as the parser calls itself for each level.
    private static let depthLimit = 100

    let source: SourceFile
    private let tokens: [GraphQLToken]
    private var index = 0
    private var depth = 0
    /// The variables in values since the definition's start.
    private var uses: [GraphQLName] = []

    private(set) var operations: [GraphQLOperationNode] = []
    private(set) var fragments: [GraphQLFragmentNode] = []
    private(set) var definitions: [(definition: GraphQLDefinition, isExtension: Bool)] = []
    /// The root types that a schema names, by `query`, `mutation` and `subscription`.
    var roots: [String: GraphQLName] = [:]

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

    private func isMark(_ text: String) -> Bool { current.kind == .mark && current.text == text }

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
    mutating func list(
        _ open: String, _ close: String, _ item: (inout GraphQLParser) throws(GenerationError) -> Void
    ) throws(GenerationError) {
        guard takes(open) else { return }
        try deeper { parser throws(GenerationError) in
            while !parser.takes(close) { try item(&parser) }
        }
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

    mutating func definition() throws(GenerationError) {
        uses = []
        let start = current.range.lowerBound
        let description = current.kind == .string ? advance().text : nil
        let isExtension = isWord("extend")
        if isExtension { advance() }
        if isMark("{") { throw fault("an operation needs a name: write query NAME { … }") }
        guard current.kind == .name else { throw unexpected("a definition") }
        if let kind = GraphQLOperationNode.Kind(rawValue: current.text) { return try operation(kind, start) }
        if let kind = GraphQLDefinition.Kind(rawValue: current.text) {
            return definitions.append((try type(kind, description), isExtension))
        }
        switch current.text {
        case "fragment": try fragment(start)
        case "schema": try schema()
        case "directive": try directive()
        default: throw unexpected("a definition")
        }
    }

    mutating func operation(_ kind: GraphQLOperationNode.Kind, _ start: Int) throws(GenerationError) {
        advance()
        let name = try name("a name for the \(kind)")
        var variables: [GraphQLVariable] = []
        try list("(", ")") { parser throws(GenerationError) in
            try parser.expect("$")
            let name = try parser.name()
            try parser.expect(":")
            let type = try parser.type()
            let hasDefault = parser.takes("=")
            if hasDefault { try parser.value() }
            _ = try parser.directives()
            variables.append(GraphQLVariable(name: name, type: type, hasDefault: hasDefault))
        }
        uses = []
        _ = try directives()
        let selections = try selectionSet()
        operations.append(
            GraphQLOperationNode(
                kind: kind, name: name, variables: variables, selections: selections, uses: uses,
                text: text(from: start)))
    }

    mutating func fragment(_ start: Int) throws(GenerationError) {
        advance()
        let name = try name()
        guard isWord("on") else { throw unexpected("\"on\"") }
        advance()
        let on = try self.name("a type")
        _ = try directives()
        let selections = try selectionSet()
        fragments.append(
            GraphQLFragmentNode(name: name, on: on, selections: selections, uses: uses, text: text(from: start)))
    }

    private func text(from start: Int) -> GraphQLText {
        GraphQLText(
            file: source, range: start..<max(start, tokens[max(0, min(index, tokens.count) - 1)].range.upperBound))
    }

    // MARK: Selections

    mutating func selectionSet() throws(GenerationError) -> GraphQLSelectionSet {
        guard isMark("{") else { throw unexpected("\"{\"") }
        var set = GraphQLSelectionSet(start: current.range.upperBound)
        let opening = place
        try list("{", "}") { parser throws(GenerationError) in set.selections.append(try parser.selection()) }
        if set.selections.isEmpty { throw fault("nothing is selected between { and }", at: opening) }
        return set
    }

    mutating func selection() throws(GenerationError) -> GraphQLSelection {
        guard takes("...") else { return .field(try field()) }
        if current.kind == .name, current.text != "on" {
            let name = try name()
            return .spread(name, isConditional: try directives())
        }
        var on: GraphQLName?
        if isWord("on") {
            advance()
            on = try name("a type")
        }
        let isConditional = try directives()
        return .inline(on: on, try selectionSet(), isConditional: isConditional)
    }

    mutating func field() throws(GenerationError) -> GraphQLFieldNode {
        let key = try name("a field")
        let name = takes(":") ? try self.name("a field") : key
        var arguments: [GraphQLName] = []
        try list("(", ")") { parser throws(GenerationError) in arguments.append(try parser.argument()) }
        let isConditional = try directives()
        let selections = isMark("{") ? try selectionSet() : nil
        return GraphQLFieldNode(
            key: key, name: name, arguments: arguments, isConditional: isConditional, selections: selections)
    }

    mutating func argument() throws(GenerationError) -> GraphQLName {
        let name = try name("an argument")
        try expect(":")
        try value()
        return name
    }

    /// Whether one of the directives can leave its place out, or delay it.
    mutating func directives() throws(GenerationError) -> Bool {
        var isConditional = false
        while takes("@") {
            let name = try name("a directive")
            if ["include", "skip", "defer"].contains(name.text) { isConditional = true }
            try list("(", ")") { parser throws(GenerationError) in _ = try parser.argument() }
        }
        return isConditional
    }

    mutating func value() throws(GenerationError) {
        if takes("$") { return uses.append(try name("a variable")) }
        if isMark("[") {
            return try list("[", "]") { parser throws(GenerationError) in try parser.value() }
        }
        if isMark("{") {
            return try list("{", "}") { parser throws(GenerationError) in _ = try parser.argument() }
        }
        guard current.kind == .name || current.kind == .number || current.kind == .string else {
            throw unexpected("a value")
        }
        advance()
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
