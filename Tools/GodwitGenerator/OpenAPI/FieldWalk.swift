/// Walks a document by the specification's objects, and names the fields that aren't read.
struct FieldWalk {
    private typealias Kind = OpenAPIFields.Kind

    /// How the values of a field are reached.
    private enum Shape { case one, list, map }

    private var notes: [Note] = []

    /// The notes for a whole document.
    static func notes(on root: DocumentNode) -> [Note] { notes(on: root, .document) }

    /// The notes for one object with what is inside of it.
    static func notes(on node: DocumentNode, _ kind: OpenAPIFields.Kind) -> [Note] {
        var walk = FieldWalk()
        // Schemas can be nested as deep as the document: this can't be recursive.
        var waiting: [(node: DocumentNode, kind: OpenAPIFields.Kind)] = [(node, kind)]
        while let (node, kind) = waiting.popLast() {
            walk.look(at: node, kind)
            waiting += walk.children(of: node, kind).reversed()
        }
        return walk.notes
    }

    private mutating func look(at node: DocumentNode, _ kind: Kind) {
        // What accompanies a reference belongs to no object, except in schemas and path items.
        if node["$ref"] != nil, kind != .schema, kind != .pathItem { return }
        for member in node.members where !member.key.hasPrefix("x-") {
            switch OpenAPIFields.treatment(of: member.key, in: kind) {
            case .done, .words: break
            case .noted(let reason): add("`\(member.key)` is left out: \(reason)", member.value)
            case nil:
                add("`\(member.key)` is ignored: OpenAPI's \(kind.rawValue) object has no such field", member.value)
            }
        }
    }

    private mutating func add(_ text: String, _ node: DocumentNode) {
        notes.append(Note(.omission, text, at: node.place))
    }

    private func children(of node: DocumentNode, _ kind: Kind) -> [(node: DocumentNode, kind: Kind)] {
        guard node.isObject, node["$ref"] == nil || kind == .schema || kind == .pathItem else { return [] }
        return (Self.fields[kind] ?? []).flatMap { field -> [(node: DocumentNode, kind: Kind)] in
            guard let value = node[field.name] else { return [] }
            switch field.shape {
            case .one: return value.isObject ? [(value, field.kind)] : []
            case .list: return value.elements.filter(\.isObject).map { ($0, field.kind) }
            case .map:
                return value.members.filter { $0.value.isObject && !($0.key.hasPrefix("x-") && field.kind != .schema) }
                    .map { ($0.value, field.kind) }
            }
        }
    }

    private static func named(
        _ names: String, _ kind: Kind, _ shape: Shape = .one
    ) -> [(name: String, kind: Kind, shape: Shape)] {
        names.split(separator: " ").map { (String($0), kind, shape) }
    }

    private static let value: [(name: String, kind: Kind, shape: Shape)] =
        named("schema", .schema) + named("content", .mediaType, .map) + named("examples", .example, .map)

    private static let fields: [Kind: [(name: String, kind: Kind, shape: Shape)]] = [
        .document: named("info", .info) + named("servers", .server, .list) + named("paths webhooks", .pathItem, .map)
            + named("components", .components) + named("tags", .tag, .list),
        .server: named("variables", .variable, .map),
        .components: named("schemas", .schema, .map) + named("responses", .response, .map)
            + named("parameters", .parameter, .map) + named("examples", .example, .map)
            + named("requestBodies", .requestBody, .map) + named("headers", .header, .map)
            + named("securitySchemes", .securityScheme, .map) + named("pathItems", .pathItem, .map)
            + named("mediaTypes", .mediaType, .map),
        .pathItem: named("get put post delete options head patch trace query", .operation)
            + named("additionalOperations", .operation, .map) + named("servers", .server, .list)
            + named("parameters", .parameter, .list),
        .operation: named("parameters", .parameter, .list) + named("requestBody", .requestBody)
            + named("responses", .response, .map) + named("servers", .server, .list),
        .parameter: value, .header: value,
        .requestBody: named("content", .mediaType, .map),
        .mediaType: named("schema itemSchema", .schema) + named("examples", .example, .map)
            + named("encoding", .encoding, .map),
        .encoding: named("headers", .header, .map),
        .response: named("headers", .header, .map) + named("content", .mediaType, .map),
        .schema: named("items additionalProperties not if then else contains propertyNames", .schema)
            + named("allOf anyOf oneOf prefixItems", .schema, .list)
            + named("properties patternProperties $defs definitions", .schema, .map)
            + named("discriminator", .discriminator),
        .securityScheme: named("flows", .flow, .map),
    ]
}
