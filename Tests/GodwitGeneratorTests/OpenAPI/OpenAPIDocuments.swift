@testable import GodwitGenerator
import Testing

/// The API of a document, with further files by name.
func api(_ text: String, files: [String: String] = [:]) throws(GenerationError) -> APIDescription {
    try OpenAPIReader.read(SourceFile(name: "api.yaml", data: Data(text.utf8))) { (file) throws(GenerationError) in
        let name = file.name
        guard let text = files[name] else { throw GenerationError(.file, "no such file") }
        return SourceFile(name: name, data: Data(text.utf8))
    }
}

/// The API of a document with these schemas, each a line or more of YAML: `A: {type: string}`.
func api(schemas: String, version: String = "3.1.0") throws(GenerationError) -> APIDescription {
    let lines = schemas.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
    return try api("openapi: \(version)\ninfo: {title: T}\ncomponents:\n  schemas:\n\(lines)\n")
}

/// The API of a document with one operation, `POST /a`, given in YAML.
func api(operation: String, more: String = "") throws(GenerationError) -> APIDescription {
    let lines = operation.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n")
    return try api("openapi: 3.1.0\ninfo: {title: T}\npaths:\n  /a:\n    post:\n\(lines)\n\(more)\n")
}

extension APIDescription {
    /// The schema with a name.
    func schema(_ name: String) throws -> Schema {
        try #require(schemas.first { $0.name == name }?.schema)
    }

    /// The schema of a property of a schema with a name.
    func property(_ name: String, of schema: String) throws -> Schema.Property {
        try #require(self.schema(schema).object?.properties.first { $0.name == name })
    }

    /// A schema in short: see ``Schema/short``.
    func short(_ name: String) throws -> String { try schema(name).short }

    /// The notes with their places, except the file.
    var noteTexts: [String] {
        notes.map { note in
            let place = note.place.map { "\($0)".replacingFile } ?? ""
            return "\(place): \(note.text)"
        }
    }
}

extension String {
    fileprivate var replacingFile: String { hasPrefix("api.yaml:") ? String(dropFirst(9)) : self }
}

extension Schema {
    var object: Object? { if case .object(let object) = kind { object } else { nil } }
    var union: Union? { if case .union(let union) = kind { union } else { nil } }

    /// The shape in short: `{id!: string(uuid), tags: [Tag]?}` with `!` for what is required and `?` for nullable.
    var short: String { shortKind + (isNullable ? "?" : "") }

    private var shortKind: String {
        switch kind {
        case .any: return "any"
        case .reference(let name): return name
        case .boolean: return "bool"
        case .string(let format): return "string" + (format.map { "(\($0))" } ?? "")
        case .integer(let format): return "int" + (format.map { "(\($0))" } ?? "")
        case .number(let format): return "number" + (format.map { "(\($0))" } ?? "")
        case .enumeration(let enumeration):
            switch enumeration.values {
            case .strings(let values): return "enum(\(values.joined(separator: " ")))"
            case .integers(let values): return "enum(\(values.map { "\($0)" }.joined(separator: " ")))"
            }
        case .array(let element): return "[\(element.short)]"
        case .dictionary(let value): return "[:\(value.short)]"
        case .object(let object):
            let properties = object.properties.map { "\($0.name)\($0.isRequired ? "!" : ""): \($0.schema.short)" }
            let additional = object.additional.map { ["*: \($0.short)"] } ?? []
            return "{\((properties + additional).joined(separator: ", "))}"
        case .union(let union):
            let values = union.discriminator.map { discriminator in
                let values = discriminator.values.map { "\($0.value)=\($0.member)" }.joined(separator: " ")
                return " by \(discriminator.property): \(values)"
            }
            return "(\(union.members.map(\.short).joined(separator: " | "))\(values ?? ""))"
        }
    }
}
