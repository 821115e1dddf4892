/// Which named schemas requests and responses use, directly or through others.
struct SchemaUsage {
    private let schemas: [String: Schema]
    private(set) var directions: [String: ModelPlan.Direction] = [:]
    /// How often a schema is referred to, in operations and in other schemas.
    private var uses: [String: Int] = [:]
    /// How often a schema is the body of a PATCH.
    private var changes: [String: Int] = [:]
    /// How often a schema is the whole response of a success.
    private var answers: [String: Int] = [:]
    /// Schemas with members that only one side sends, in themselves or in schemas that they use.
    private var directional: Set<String> = []

    /// - Parameter webhooks: What the API sends to a server of its user: read like responses.
    init(of operations: [Operation], receiving webhooks: [Operation] = [], in description: APIDescription) {
        schemas = description.schemasByName
        for content in webhooks.flatMap({ $0.body?.contents ?? [] }) { mark(content, as: .response) }
        for operation in operations {
            for content in operation.body?.contents ?? [] { mark(content, as: .request) }
            for parameter in operation.parameters { mark(parameter.schema, as: .request) }
            for response in operation.responses {
                for content in response.contents {
                    mark(content, as: .response)
                    guard response.isSuccess, case .reference(let name)? = content.schema?.kind else { continue }
                    answers[name, default: 0] += 1
                }
            }
        }
        directional = Self.directional(among: description.schemas)
        for schema in description.schemas { count(schema.schema) }
        for operation in operations where operation.method == "PATCH" {
            for content in operation.body?.contents ?? [] {
                if case .reference(let name)? = content.schema?.kind { changes[name, default: 0] += 1 }
            }
        }
    }

    /// Whether a schema is only the body of partial updates.
    func isChangeOnly(_ name: String) -> Bool {
        changes[name].map { $0 == uses[name] } ?? false
    }

    /// Whether a schema is nothing but the whole response of operations.
    func isAnswerOnly(_ name: String) -> Bool {
        answers[name].map { $0 == uses[name] } ?? false
    }

    /// Whether a schema is the whole response of several operations.
    func isSharedAnswer(_ name: String) -> Bool { (answers[name] ?? 0) > 1 }

    private mutating func count(_ schema: Schema) {
        for name in schema.references { uses[name, default: 0] += 1 }
    }

    /// Whether a schema becomes two types: one for requests, and one for responses.
    func isSplit(_ name: String) -> Bool {
        directional.contains(name) && directions[name] == [.request, .response]
    }

    private mutating func mark(_ content: Content, as direction: ModelPlan.Direction) {
        for schema in [content.schema, content.itemSchema].compactMap({ $0 }) {
            count(schema)
            mark(schema, as: direction)
        }
    }

    private mutating func mark(_ schema: Schema, as direction: ModelPlan.Direction) {
        var names = schema.references
        while let name = names.popLast() {
            guard directions[name]?.contains(direction) != true else { continue }
            directions[name, default: []].insert(direction)
            names += schemas[name]?.references ?? []
        }
    }

    private static func directional(among schemas: [APIDescription.NamedSchema]) -> Set<String> {
        var users: [String: [String]] = [:]
        var found = schemas.filter { $0.schema.hasDirectionalMembers }.map(\.name)
        for named in schemas {
            for name in named.schema.references { users[name, default: []].append(named.name) }
        }
        var result: Set<String> = []
        while let name = found.popLast() {
            if result.insert(name).inserted { found += users[name] ?? [] }
        }
        return result
    }
}

extension Schema {
    /// The schemas right inside this one.
    var children: [Schema] {
        switch kind {
        case .any, .reference, .boolean, .string, .integer, .number, .enumeration: []
        case .array(let element): [element]
        case .dictionary(let value): [value]
        case .object(let object): object.properties.map(\.schema) + (object.additional.map { [$0] } ?? [])
        case .union(let union): union.members
        }
    }

    /// The names of the schemas that this one refers to, without those that they refer to.
    var references: [String] {
        if case .reference(let name) = kind { return [name] }
        return children.flatMap(\.references)
    }

    /// Whether a member in this schema is read-only or write-only.
    fileprivate var hasDirectionalMembers: Bool {
        if case .object(let object) = kind, object.properties.contains(where: { $0.isReadOnly || $0.isWriteOnly }) {
            return true
        }
        return children.contains { $0.hasDirectionalMembers }
    }
}
