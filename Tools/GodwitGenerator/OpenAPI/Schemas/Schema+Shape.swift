extension Schema {
    /// The schema without words, examples and places: the same for schemas that accept the same values.
    var withoutWords: Schema {
        var result = Schema(kind, isNullable: isNullable)
        switch kind {
        case .array(let element): result.kind = .array(element.withoutWords)
        case .dictionary(let value): result.kind = .dictionary(value.withoutWords)
        case .object(var object):
            for index in object.properties.indices {
                object.properties[index].schema = object.properties[index].schema.withoutWords
            }
            object.additional = object.additional?.withoutWords
            result.kind = .object(object)
        case .union(var union):
            union.members = union.members.map(\.withoutWords)
            result.kind = .union(union)
        case .any, .reference, .boolean, .string, .integer, .number, .enumeration: break
        }
        return result
    }

    /// What a person calls the kind of a schema: "an object".
    var kindName: String {
        switch kind {
        case .any: "any JSON"
        case .reference(let name): name
        case .boolean: "a boolean"
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .enumeration(let values): values.isText ? "an enumeration of strings" : "an enumeration of integers"
        case .array: "an array"
        case .dictionary, .object: "an object"
        case .union: "a union"
        }
    }
}

extension Schema {
    var enumeration: Enumeration? { if case .enumeration(let enumeration) = kind { enumeration } else { nil } }
}

extension Schema.Enumeration {
    var isText: Bool { if case .strings = values { true } else { false } }
}

extension Schema.Enumeration.Values {
    /// Whether there is only one value.
    var isSingle: Bool {
        switch self {
        case .strings(let values): values.count == 1
        case .integers(let values): values.count == 1
        }
    }
}
