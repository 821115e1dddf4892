/// Checks an operation, or a fragment, against the schema (GraphQL specification, section 5).
///
/// A fragment is checked once for each operation: what is valid in it doesn't depend on where it is spread.
struct GraphQLOperationCheck {
    /// Deeper operations are refused, as the check calls itself for each level.
    private static let depthLimit = 200

    let schema: GraphQLSchemaIndex
    let fragments: [String: GraphQLFragmentNode]
    /// The fragments that the operation uses.
    private(set) var usedFragments: Set<String> = []
    /// Where the operation uses variables.
    var usages: [GraphQLVariableUsage] = []
    private var openFragments: [String] = []
    private var depth = 0
    private var errors = GenerationErrors()

    init(_ schema: GraphQLSchemaIndex, _ fragments: [String: GraphQLFragmentNode]) {
        self.schema = schema
        self.fragments = fragments
    }

    /// Throws `.invalid` for what a server would refuse: all mistakes of fields at once.
    mutating func check(_ operation: GraphQLOperationNode) throws(GenerationError) {
        let root = try schema.root(operation.kind, for: operation.name)
        try directives(operation.directives, at: operation.kind.rawValue.uppercased())
        try declarations(operation)
        walk(operation.selections, of: root)
        try errors.check()
        if operation.kind == .subscription { try checkRootField(operation) }
        try GraphQLOverlapCheck(schema, fragments).check(operation.selections, of: root)
        try checkVariables(operation)
    }

    /// Checks a fragment that no operation uses. Its variables are unknown.
    mutating func check(_ fragment: GraphQLFragmentNode) throws(GenerationError) {
        openFragments = [fragment.name.text]
        try walk(fragment)
        try errors.check()
        try GraphQLOverlapCheck(schema, fragments).check(fragment.selections, of: try composite(fragment.on))
    }

    // MARK: Selections

    private mutating func walk(_ fragment: GraphQLFragmentNode) throws(GenerationError) {
        try directives(fragment.directives, at: "FRAGMENT_DEFINITION")
        walk(fragment.selections, of: try composite(fragment.on))
    }

    /// A mistake doesn't hide those of the other fields.
    private mutating func walk(_ set: GraphQLSelectionSet, of type: GraphQLDefinition) {
        depth += 1
        defer { depth -= 1 }
        for selection in set.selections {
            do throws(GenerationError) {
                try check(selection, of: type)
            } catch {
                errors.add(error)
            }
        }
    }

    private mutating func check(_ selection: GraphQLSelection, of type: GraphQLDefinition) throws(GenerationError) {
        switch selection {
        case .field(let node): try field(node, of: type)
        case .inline(let condition, let set, let nodes):
            try directives(nodes, at: "INLINE_FRAGMENT")
            var target = type
            if let condition {
                target = try composite(condition)
                try checkOverlap(of: target, with: type, at: condition.place)
            }
            walk(set, of: target)
        case .spread(let name, let nodes):
            try directives(nodes, at: "FRAGMENT_SPREAD")
            try spread(name, in: type)
        }
    }

    private mutating func spread(_ name: GraphQLName, in type: GraphQLDefinition) throws(GenerationError) {
        guard let fragment = fragments[name.text] else {
            throw GenerationError(.invalid, "no fragment is named \(name.text)", at: name.place)
        }
        guard !openFragments.contains(name.text) else {
            throw GenerationError(.invalid, "the fragment \(name.text) contains itself", at: name.place)
        }
        try checkOverlap(of: try composite(fragment.on), with: type, at: name.place)
        guard usedFragments.insert(name.text).inserted else { return }
        guard depth < Self.depthLimit else {
            let reason = "fragments are nested deeper than \(Self.depthLimit) levels"
            throw GenerationError(.invalid, reason, at: name.place)
        }
        openFragments.append(name.text)
        defer { openFragments.removeLast() }
        try walk(fragment)
    }

    private func composite(_ name: GraphQLName) throws(GenerationError) -> GraphQLDefinition {
        let type = try schema.type(name)
        guard [.type, .interface, .union].contains(type.kind) else {
            throw GenerationError(.invalid, "\(name.text) has no fields", at: name.place)
        }
        return type
    }

    private func checkOverlap(
        of other: GraphQLDefinition, with type: GraphQLDefinition, at place: SourcePlace
    ) throws(GenerationError) {
        guard schema.possibleTypes(of: other).isDisjoint(with: schema.possibleTypes(of: type)) else { return }
        throw GenerationError(.invalid, "\(type.name.text) is never \(other.name.text)", at: place)
    }

    private mutating func field(_ node: GraphQLFieldNode, of type: GraphQLDefinition) throws(GenerationError) {
        let field = try schema.field(node.name, of: type)
        let whole = "\(type.name.text).\(field.name.text)"
        try arguments(node.arguments, field.arguments, of: whole, at: node.name.place)
        try directives(node.directives, at: "FIELD")
        let target = try schema.type(field.type.name)
        let isLeaf = [.scalar, .enum].contains(target.kind)
        if isLeaf, node.selections != nil {
            throw GenerationError(.invalid, "\(whole) is \(field.type), which has no fields", at: node.name.place)
        }
        if let selections = node.selections { return walk(selections, of: target) }
        if isLeaf { return }
        throw GenerationError(.invalid, "\(whole) is \(field.type): select some of its fields", at: node.name.place)
    }

    /// A subscription has one event stream, so one root field, which is always selected (section 5.2.4.1).
    private func checkRootField(_ operation: GraphQLOperationNode) throws(GenerationError) {
        var (keys, open, seen) = (Set<String>(), [operation.selections], Set<String>())
        while let set = open.popLast() {
            for selection in set.selections {
                let directives: [GraphQLDirectiveNode]
                switch selection {
                case .field(let node):
                    directives = node.directives
                    keys.insert(node.key.text)
                    guard !node.name.text.hasPrefix("__") else {
                        let reason = "a subscription can't select \(node.name.text)"
                        throw GenerationError(.invalid, reason, at: node.name.place)
                    }
                case .inline(_, let set, let nodes):
                    directives = nodes
                    open.append(set)
                case .spread(let name, let nodes):
                    directives = nodes
                    if let fragment = fragments[name.text], seen.insert(name.text).inserted {
                        open.append(fragment.selections)
                    }
                }
                guard let node = directives.first(where: { ["skip", "include"].contains($0.name.text) }) else {
                    continue
                }
                let reason = "the field of a subscription is always selected; remove @\(node.name.text)"
                throw GenerationError(.invalid, reason, at: node.name.place)
            }
        }
        guard keys.count > 1 else { return }
        let names = keys.sorted().joined(separator: ", ")
        let reason = "a subscription selects one field; \(operation.name.text) selects \(names)"
        throw GenerationError(.invalid, reason, at: operation.name.place)
    }

    // MARK: Directives

    mutating func directives(_ nodes: [GraphQLDirectiveNode], at location: String) throws(GenerationError) {
        var seen: Set<String> = []
        for node in nodes {
            let name = node.name.text
            guard let definition = schema.directives[name] else {
                throw GenerationError(.invalid, "the schema has no directive @\(name)", at: node.name.place)
            }
            guard definition.locations.contains(location) else {
                let places = definition.locations.joined(separator: ", ")
                throw GenerationError(.invalid, "@\(name) can't stand here, only at \(places)", at: node.name.place)
            }
            guard seen.insert(name).inserted || definition.isRepeatable else {
                throw GenerationError(.invalid, "@\(name) stands here twice", at: node.name.place)
            }
            try arguments(node.arguments, definition.arguments, of: "@\(name)", at: node.name.place)
        }
    }
}
