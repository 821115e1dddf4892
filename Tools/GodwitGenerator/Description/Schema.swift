/// The shape of a JSON value, in the terms that become Swift types: what OpenAPI 3.0, 3.1 and samples have in common.
struct Schema: Sendable, Hashable {
    indirect enum Kind: Sendable, Hashable {
        /// Any JSON.
        case any
        /// A schema of ``APIDescription/schemas``.
        case reference(String)
        case boolean
        /// With the format of the document: `date-time`, `date`, `uuid`, `uri`, `byte`, `binary`, `decimal`…
        case string(format: String?)
        /// With the format of the document: `int32`, `int64`…
        case integer(format: String?)
        case number(format: String?)
        /// Some of all strings or integers.
        case enumeration(Enumeration)
        case array(Schema)
        /// An object with any keys and values of one kind.
        case dictionary(Schema)
        case object(Object)
        /// One of several shapes (`oneOf` and `anyOf`), without null: see ``Schema/isNullable``.
        case union(Union)
    }

    var kind: Kind
    /// Whether the value can be null, however the document writes it.
    var isNullable = false
    var title: String?
    /// The document's words for it, as Markdown.
    var summary: String?
    var isDeprecated = false
    var defaultValue: DocumentNode?
    var examples: [DocumentNode] = []
    var place: SourcePlace?

    init(_ kind: Kind, isNullable: Bool = false, place: SourcePlace? = nil) {
        self.kind = kind
        self.isNullable = isNullable
        self.place = place
    }
}

extension Schema {
    /// An object with known members.
    struct Object: Sendable, Hashable {
        /// In document order.
        var properties: [Property] = []
        /// The shape of members that aren't properties; `nil` if there are none, or if they are ignored.
        var additional: Schema?
    }

    struct Property: Sendable, Hashable {
        var name: String
        var schema: Schema
        /// Whether the member is always there.
        var isRequired: Bool
        /// Sent by the server only.
        var isReadOnly = false
        /// Sent by the client only.
        var isWriteOnly = false
    }

    /// Values that are allowed, without null.
    struct Enumeration: Sendable, Hashable {
        enum Values: Sendable, Hashable {
            case strings([String])
            case integers([Int])
        }

        var values: Values
        /// Names and descriptions from `x-enum-varnames` and `x-enum-descriptions`, one for each value; empty if absent.
        var names: [String] = []
        var summaries: [String] = []
    }

    struct Union: Sendable, Hashable {
        var members: [Schema]
        var discriminator: Discriminator?
        /// Whether a value can be of several shapes at once (`anyOf`).
        var allowsSeveral = false
    }

    /// The property that says which member of a union a value is.
    struct Discriminator: Sendable, Hashable {
        var property: String
        /// The values of the property, each with the index of a member in ``Union/members``.
        var values: [Value]

        struct Value: Sendable, Hashable {
            var value: String
            var member: Int
        }
    }
}

extension [String: Schema] {
    /// A schema without the references that lead to it.
    func resolved(_ schema: Schema) -> Schema {
        var schema = schema
        for _ in 0..<16 {
            guard case .reference(let name) = schema.kind, let target = self[name] else { return schema }
            schema = target
        }
        return schema
    }
}
