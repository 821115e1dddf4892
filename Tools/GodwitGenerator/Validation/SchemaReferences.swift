/// The schemas that others refer to, found before values are checked: looking them up changes nothing.
struct SchemaReferences: Sendable, Hashable {
    /// A schema that a reference stands for.
    struct Target: Sendable, Hashable {
        let node: DocumentNode
        /// The same for all spellings of a reference.
        let key: String
    }

    /// Before OpenAPI 3.1, what accompanies a reference doesn't count.
    let ignoresSiblings: Bool
    private var targets: [String: Target] = [:]

    /// - Parameter roots: The schemas that values are checked against.
    init(_ roots: [DocumentNode], in documents: DocumentSet, version: OpenAPIVersion) {
        ignoresSiblings = version == .v30
        var documents = documents
        var (pending, seen) = (roots, Set<String>())
        while let node = pending.popLast() {
            pending += node.elements
            pending += node.members.map(\.value)
            guard let reference = node["$ref"]?.string else { continue }
            let name = Self.name(of: reference, in: node.place.file)
            guard targets[name] == nil,
                let target = try? documents.target(of: reference, in: node.place.file)
            else { continue }
            targets[name] = Target(node: target.node, key: target.key)
            if seen.insert(target.key).inserted { pending.append(target.node) }
        }
    }

    /// What the `$ref` of a schema stands for; `nil` without one, and for one that can't be resolved.
    func target(of schema: DocumentNode) -> Target? {
        guard let reference = schema["$ref"]?.string else { return nil }
        return targets[Self.name(of: reference, in: schema.place.file)]
    }

    private static func name(of reference: String, in file: String) -> String { file + "\n" + reference }

    /// The schemas that a value is checked against together with one: itself, what it refers to, and what it is composed of.
    func parts(of schema: DocumentNode) -> [DocumentNode] {
        var (parts, seen, next) = ([schema], Set<String>(), 0)
        while next < min(parts.count, Self.partLimit) {
            let part = parts[next]
            next += 1
            if let target = target(of: part), seen.insert(target.key).inserted { parts.append(target.node) }
            for keyword in ["allOf", "oneOf", "anyOf"] { parts += part[keyword]?.elements ?? [] }
        }
        return Array(parts.prefix(Self.partLimit))
    }

    /// Schemas can be composed of each other without an end.
    private static let partLimit = 200

    /// Whether a flag such as `readOnly` is on a schema, on a part of its `allOf`, or on what these refer to.
    func hasFlag(_ key: String, _ schema: DocumentNode) -> Bool {
        if let flag = schema[key]?.bool { return flag }
        return ([schema] + (schema["allOf"]?.elements ?? [])).contains { part in
            part[key]?.bool == true || target(of: part)?.node[key]?.bool == true
        }
    }
}
