/// A selection set with the file it stands in.
struct GraphQLSource: Sendable {
    var set: GraphQLSelectionSet
    let file: String
    /// What can leave the set out, or delay it, up to the same object of the result.
    var conditions: [String] = []
    /// Whether the set is for all types that the value can have.
    var applies = true
    /// The fragment that the object selects, without a condition, and that has the set.
    var part: String?
}

/// What is selected of an object: its fields in order, the types that conditions name, and the fragments.
struct GraphQLCollection {
    /// A field with all of its selections.
    struct Field {
        let field: GraphQLFieldDefinition
        /// Whether each selection has a condition.
        var isConditional: Bool
        var sources: [GraphQLSource]
        /// The fragments that select it; `nil` is the object itself.
        var parts: Set<String?>
    }

    private(set) var keys: [String] = []
    private(set) var fields: [String: Field] = [:]
    private(set) var conditions: [GraphQLName] = []
    /// The fragments that the object selects without a condition.
    var parts: [String] = []
    /// The fields that the object selects itself.
    private var own: Set<String> = []
    /// Whether the object has a condition of its own.
    private var hasCondition = false

    /// The fragment that is all that is selected.
    ///
    /// - Parameter isVariant: Whether the value has its `__typename` in any case.
    func onlyPart(isVariant: Bool) -> String? {
        let isOnly = !hasCondition && parts.count == 1 && own.isSubset(of: isVariant ? ["__typename"] : [])
        return isOnly ? parts.first : nil
    }

    mutating func insert(_ field: Field, as key: String) {
        if field.parts.contains(nil) { own.insert(key) }
        guard var known = fields[key] else {
            keys.append(key)
            fields[key] = field
            return
        }
        known.isConditional = known.isConditional && field.isConditional
        known.sources += field.sources
        known.parts.formUnion(field.parts)
        fields[key] = known
    }

    mutating func remove(_ key: String) {
        keys.removeAll { $0 == key }
        fields[key] = nil
    }

    /// A condition that some of the possible types meet.
    mutating func insert(_ condition: GraphQLName, from source: GraphQLSource) {
        if source.part == nil || !parts.contains(where: { $0 == source.part }) { hasCondition = true }
        if !conditions.contains(where: { $0.text == condition.text }) { conditions.append(condition) }
    }

    mutating func insert(_ part: String) {
        if !parts.contains(part) { parts.append(part) }
    }
}
