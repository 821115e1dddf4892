/// A generated type.
struct ModelPlan: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case structure(StructurePlan)
        case enumeration(EnumerationPlan)
        case union(UnionPlan)
        case alias(SwiftType)
    }

    var name: TypeName
    var kind: Kind
    /// The words of the document; `nil` if it has none.
    var summary: String?
    var isDeprecated = false
    var direction: Direction
    /// Values from the document that have this type.
    var examples: [DocumentNode] = []

    /// The sides that send values of a type.
    struct Direction: OptionSet, Sendable, Hashable {
        let rawValue: Int

        static let request = Direction(rawValue: 1)
        static let response = Direction(rawValue: 2)
    }
}

/// A struct.
struct StructurePlan: Sendable, Hashable {
    var properties: [PropertyPlan]
    /// The property that identifies values, if it isn't called `id`: `Identifiable` returns it.
    var identifier: Identifier?
    /// The type of members that aren't properties, kept in `additionalProperties`.
    var additional: SwiftType?
    /// Whether all properties are `Patch` values.
    var isPatch = false

    enum Identifier: Sendable, Hashable {
        /// The type has a property `id`.
        case id
        /// `id` is computed from another property.
        case property(String)
    }
}

/// A property of a struct.
struct PropertyPlan: Sendable, Hashable {
    /// The name in Swift, without backticks.
    var name: String
    /// The name in JSON.
    var key: String
    /// Optional if it can be absent or null.
    var type: SwiftType
    /// Whether `nil` is sent as null, as the member must be there.
    var encodesNull = false
    var summary: String?
    var isDeprecated = false
    /// The default of the document, as JSON; only mentioned.
    var defaultValue: String?
    /// The only value, as a Swift literal: the default of the initializer.
    var constant: String?
}

/// An enum with raw values, used as `Open<Name>`.
struct EnumerationPlan: Sendable, Hashable {
    enum Base: Sendable, Hashable { case string, integer }

    struct Case: Sendable, Hashable {
        /// The name in Swift, without backticks.
        var name: String
        /// The raw value: a text, or an integer's digits.
        var rawValue: String
        var summary: String?
    }

    var base: Base
    var cases: [Case]
}

/// An enum with one case for each shape that a value can have, and one for those that no one knows yet.
struct UnionPlan: Sendable, Hashable {
    struct Case: Sendable, Hashable {
        /// The name in Swift, without backticks.
        var name: String
        var type: SwiftType
        /// The values of the discriminator that mean this case; empty without a discriminator.
        var tags: [String] = []
        /// The only value that the shape has, as a Swift literal.
        var constant: String?
    }

    /// In the order in which they are tried, without a discriminator.
    var cases: [Case]
    /// The key of the discriminator in JSON.
    var discriminator: String?
    /// Whether the enum contains itself.
    var isIndirect = false
    /// Whether a value can have several of the shapes at once (`anyOf`).
    var allowsSeveral = false
}
