/// How documents say that a value can be null.
enum Nullability {
    /// Whether a schema itself allows null: `nullable: true`, `type: [string, "null"]`, a null in `enum`, `const: null`.
    static func allowsNull(_ node: DocumentNode) -> Bool {
        node["nullable"]?.bool == true || types(node).contains("null")
            || node["enum"]?.elements.contains(where: \.isNull) == true
            || node["const"]?.isNull == true
    }

    /// Whether a schema allows nothing but null.
    static func isNull(_ node: DocumentNode) -> Bool {
        if node["const"]?.isNull == true || types(node) == ["null"] { return true }
        guard let values = node["enum"]?.elements, !values.isEmpty else { return false }
        return values.allSatisfy(\.isNull)
    }

    /// The types of a schema, each once; empty if it has none. YAML's `type: null` without quotes is meant as the type.
    static func types(_ node: DocumentNode) -> [String] {
        guard let type = node["type"] else { return [] }
        let types = if case .array(let elements) = type.value { elements } else { [type] }
        return types.reduce(into: []) { result, type in
            guard let name = type.isNull ? "null" : type.string, !result.contains(name) else { return }
            result.append(name)
        }
    }
}
