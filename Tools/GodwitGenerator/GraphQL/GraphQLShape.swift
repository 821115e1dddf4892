/// The data of a selection set: a struct in Swift.
struct GraphQLShape: Sendable {
    struct Member: Sendable {
        let key: String
        let property: String
        /// The type without lists.
        var base: String
        let field: GraphQLFieldDefinition
        /// Whether a condition can leave the member out.
        let isConditional: Bool
        /// The type of an object, if the member alone has it.
        var shape: GraphQLShape?
        /// The part that has the value.
        var part: String?
        /// Whether the member has no members of its own.
        let isLeaf: Bool

        var type: String { GraphQLTypeNames.text(field.type, base, isOptional: isConditional) }
    }

    /// What is selected for some of the types that a value can have.
    struct Variant: Sendable {
        let property: String
        let typeNames: [String]
        let type: String
        /// The type, if the variant alone has it.
        let shape: GraphQLShape?
    }

    /// A fragment whose selections are all there.
    struct Part: Sendable {
        let property: String
        let type: String
    }

    let name: String
    var members: [Member] = []
    var variants: [Variant] = []
    var parts: [Part] = []

    /// The members that are no others' parts.
    var stored: [Member] { members.filter { $0.part == nil } }
}
