/// Members of a union while they are collected: each shape once, and less if one includes another.
struct UnionParts {
    /// How many members a union has at most; with more it is any JSON.
    static let maximumCount = 2_000

    var isNullable = false
    private(set) var members: [Schema] = []
    private var shapes: Set<Schema> = []

    mutating func add(_ schema: Schema) {
        isNullable = isNullable || schema.isNullable
        var schema = schema
        schema.isNullable = false
        // A union in a union adds its members, unless it knows them by a property.
        if case .union(let union) = schema.kind, union.discriminator == nil {
            for member in union.members { add(member) }
            return
        }
        guard shapes.insert(schema.withoutWords).inserted else { return }
        members.append(schema)
    }

    /// The union; the member itself if there is only one.
    var schema: Schema {
        let isAny = members.isEmpty || members.count > Self.maximumCount || members.contains { $0.kind == .any }
        let rest = isAny ? [Schema(.any)] : Self.collapsed(members)
        var result = rest.count == 1 ? rest[0] : Schema(.union(Schema.Union(members: rest)))
        result.isNullable = result.isNullable || isNullable
        return result
    }

    /// Members without those that can't be told apart: two kinds of text are text, text and some texts are the latter
    /// (which accept others too), an integer is a number.
    static func collapsed(_ members: [Schema]) -> [Schema] {
        var result: [Schema] = []
        for member in members {
            let place = result.indices.first { joined(result[$0].kind, member.kind) != nil }
            if let place, let kind = joined(result[place].kind, member.kind) {
                // The words of one member don't suit both.
                result[place] = Schema(kind, place: result[place].place)
            } else {
                result.append(member)
            }
        }
        // What was joined can include others: text of any format includes an enumeration, text of one doesn't.
        return result.count < members.count ? collapsed(result) : result
    }

    private static func joined(_ first: Schema.Kind, _ second: Schema.Kind) -> Schema.Kind? {
        switch (first, second) {
        case (.string(let one), .string(let other)): .string(format: one == other ? one : nil)
        case (.integer(let one), .integer(let other)): .integer(format: one == other ? one : nil)
        case (.number(let one), .number(let other)): .number(format: one == other ? one : nil)
        case (.integer, .number(let format)), (.number(let format), .integer): .number(format: format)
        case (.boolean, .boolean): .boolean
        case (.enumeration(let one), .enumeration(let other)): joined(one, other).map { .enumeration($0) }
        case (.enumeration(let values), .string(format: nil)), (.string(format: nil), .enumeration(let values)):
            values.isText ? .enumeration(values) : nil
        case (.enumeration(let values), .integer(let format)), (.integer(let format), .enumeration(let values)):
            values.isText ? nil : .integer(format: format)
        default: nil
        }
    }

    /// The values of both; names and words only if both have them.
    private static func joined(_ one: Schema.Enumeration, _ other: Schema.Enumeration) -> Schema.Enumeration? {
        switch (one.values, other.values) {
        case (.strings(let first), .strings(let second)):
            let known = Set(first)
            return Schema.Enumeration(values: .strings(first + second.filter { !known.contains($0) }))
        case (.integers(let first), .integers(let second)):
            let known = Set(first)
            return Schema.Enumeration(values: .integers(first + second.filter { !known.contains($0) }))
        default: return nil
        }
    }
}
