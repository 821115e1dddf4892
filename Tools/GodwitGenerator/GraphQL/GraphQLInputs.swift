/// The enums and input types that operations use, with those that these use.
struct GraphQLInputs {
    private(set) var types: [GraphQLDefinition] = []

    init(_ schema: GraphQLSchemaIndex, _ names: Set<String>) {
        var (open, seen) = (names.sorted(), names)
        while let name = open.popLast() {
            guard let type = schema.types[name], type.kind == .enum || type.kind == .input else { continue }
            types.append(type)
            for field in type.fields where seen.insert(field.type.name.text).inserted {
                open.append(field.type.name.text)
            }
        }
        types.sort { $0.name.text < $1.name.text }
    }

    /// Whether a field leads back to its own type without a list between, so that a struct would contain itself.
    static func isRecursive(_ field: GraphQLFieldDefinition, in type: GraphQLDefinition, _ schema: GraphQLSchemaIndex)
        -> Bool
    {
        guard !field.type.isList, !type.isOneOf else { return false }
        var (open, seen) = ([field.type.name.text], Set<String>())
        while let name = open.popLast() {
            if name == type.name.text { return true }
            // An input of one member is an indirect enum, which may contain itself.
            guard let next = schema.types[name], next.kind == .input, !next.isOneOf else { continue }
            open += next.fields.filter { !$0.type.isList && seen.insert($0.type.name.text).inserted }.map(
                \.type.name.text)
        }
        return false
    }
}
