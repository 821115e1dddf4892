import GodwitSupport

/// What the keywords of a schema say, without reading what is inside.
enum SchemaParts {
    private static let structure: Set<String> = [
        "$ref", "type", "properties", "allOf", "oneOf", "anyOf", "items", "prefixItems", "enum", "const",
        "additionalProperties", "patternProperties", "format", "contentEncoding",
        "$recursiveRef", "$dynamicRef",
    ]
    private static let objectKeys: Set<String> = [
        "properties", "additionalProperties", "patternProperties", "required", "minProperties", "maxProperties",
        "propertyNames",
    ]
    private static let stringKeys: Set<String> = [
        "pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType",
    ]
    private static let arrayKeys: Set<String> = ["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]
    private static let numberKeys: Set<String> = [
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    ]

    /// Whether a schema says more than limits and words.
    static func hasStructure(_ node: DocumentNode, besides key: String? = nil) -> Bool {
        if node.bool == true { return true }
        return node.members.contains { member in
            guard member.key != key, structure.contains(member.key) else { return false }
            switch member.key {
            case "type": return !(key == "$ref" && isObjectOrNull(node))
            case "additionalProperties": return member.value.isObject
            case "allOf", "oneOf", "anyOf": return member.value.elements.contains { hasStructure($0) }
            default: return true
            }
        }
            || key == "$ref" && !(node["required"]?.elements ?? []).isEmpty
    }

    /// Whether a schema's type is only that of what it refers to, or of null.
    private static func isObjectOrNull(_ node: DocumentNode) -> Bool {
        Nullability.types(node).allSatisfy { $0 == "object" || $0 == "null" }
    }

    /// Whether a schema may become a type: it has members, values or alternatives of its own.
    static func hasOwnType(_ node: DocumentNode) -> Bool {
        node["properties"]?.members.isEmpty == false
            || ["allOf", "anyOf", "oneOf", "enum"].contains { node[$0]?.elements.isEmpty == false }
    }

    /// Whether a schema describes members of objects.
    static func describesObject(_ node: DocumentNode) -> Bool {
        ["properties", "patternProperties"].contains { node[$0]?.members.isEmpty == false }
            || node["additionalProperties"]?.isObject == true
    }

    /// Whether the values of an integer can be larger than `Int64` holds, and none is negative.
    static func exceedsInt64(_ node: DocumentNode) -> Bool {
        let values = (node["enum"]?.elements ?? []).compactMap(\.number)
        let isLarge =
            exceeds(node["maximum"], ExactNumber(Int64.max)) || values.contains { $0 > ExactNumber(Int64.max) }
            || exceeds(node["exclusiveMaximum"], ExactNumber(UInt64(1) << 63))
        let least = values + ["minimum", "exclusiveMinimum"].compactMap { node[$0]?.number }
        return isLarge && least.allSatisfy { $0 >= ExactNumber(0) }
    }

    private static func exceeds(_ limit: DocumentNode?, _ largest: ExactNumber) -> Bool {
        limit?.number.map { $0 > largest } ?? false
    }

    /// The schemas of `oneOf` and `anyOf`; `nil` if there are none, or if they say nothing about the shape.
    static func unionMembers(_ node: DocumentNode) -> [DocumentNode]? {
        let members = (node["oneOf"]?.elements ?? []) + (node["anyOf"]?.elements ?? [])
        return members.contains(where: saysShape) ? members : nil
    }

    /// Whether a member of a union says more than what is required: `anyOf: [{required: [a]}, {required: [b]}]`.
    static func saysShape(_ node: DocumentNode) -> Bool {
        guard hasStructure(node) else { return node.isObject && node.members.isEmpty }
        return node["required"] == nil || hasStructure(node, besides: "type") || Nullability.types(node) != ["object"]
    }

    /// The type of a schema that doesn't say it.
    static func inferredType(_ node: DocumentNode) -> String? {
        let keys = Set(node.members.map(\.key))
        if !keys.isDisjoint(with: objectKeys) { return "object" }
        if !keys.isDisjoint(with: arrayKeys) { return "array" }
        if !keys.isDisjoint(with: stringKeys) { return "string" }
        switch node["format"]?.text {
        case nil: return keys.isDisjoint(with: numberKeys) ? nil : "number"
        case "int32", "int64", "integer", "int": return "integer"
        case "float", "double": return "number"
        case .some: return "string"
        }
    }

    /// The format of text: `byte` and `binary` in the words of all versions.
    static func stringFormat(_ node: DocumentNode) -> String? {
        switch node["contentEncoding"]?.text?.lowercased() {
        case "base64": "byte"
        case nil where node["contentMediaType"]?.text == "application/octet-stream": "binary"
        default: node["format"]?.text
        }
    }
}

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
