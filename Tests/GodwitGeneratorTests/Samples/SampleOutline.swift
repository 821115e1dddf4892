@testable import GodwitGenerator

/// A description in few lines, so that a test shows all of it.
enum SampleOutline {
    /// Each type on a line: `Article {id: integer, notes?: string|null}`.
    static func types(_ description: APIDescription) -> [String] {
        description.schemas.map { "\($0.name) \(text($0.schema))" }
    }

    /// Each operation on a line: `articles GET /articles?page -> 200 ArticlePage`.
    static func operations(_ description: APIDescription) -> [String] {
        description.operations.map { operation in
            let query = operation.parameters.filter { $0.location == .query }.map(\.name).joined(separator: "&")
            let body = operation.body?.contents.map { contents($0) }.joined(separator: " or ")
            let answers = operation.responses.map { response in
                guard case .code(let status) = response.status else { return "" }
                return ([String(status)] + response.contents.map(contents)).joined(separator: " ")
            }
            return "\(operation.id ?? "") \(operation.method) \(operation.path)" + (query.isEmpty ? "" : "?\(query)")
                + (body.map { " < \($0)" } ?? "") + " -> " + answers.joined(separator: ", ")
        }
    }

    private static func contents(_ content: Content) -> String {
        let schema = content.schema.map(text) ?? "nothing"
        return content.mediaType == "application/json" ? schema : "\(content.mediaType) \(schema)"
    }

    static func text(_ schema: Schema) -> String { kind(schema.kind) + (schema.isNullable ? "|null" : "") }

    private static func kind(_ kind: Schema.Kind) -> String {
        switch kind {
        case .any: "any"
        case .reference(let name): name
        case .boolean: "boolean"
        case .string(let format): format ?? "string"
        case .integer(let format): format ?? "integer"
        case .number(let format): format ?? "number"
        case .enumeration(let values): "\(values.values)"
        case .array(let element): "[\(text(element))]"
        case .dictionary(let value): "[key: \(text(value))]"
        case .union(let union): "(\(union.members.map(text).joined(separator: " or ")))"
        case .object(let object):
            "{"
                + object.properties.map { "\($0.name)\($0.isRequired ? "" : "?"): \(text($0.schema))" }
                .joined(separator: ", ") + "}"
        }
    }
}

extension Sample {
    /// A sample from text: `GET /articles`, the JSON of its answer.
    static func of(
        _ line: String, _ json: String? = nil, status: Int? = nil, request: String? = nil, fields: [Field] = [],
        file: String = "sample.json"
    ) -> Sample {
        let words = line.split(separator: " ").map(String.init)
        let answer = json.map { SourceFile(name: file, data: Data($0.utf8)) }
        var sample = Sample(words.first, words.last, status: status, answer: answer)
        sample.requestBody = request.map { SourceFile(name: "request-\(file)", data: Data($0.utf8)) }
        sample.requestFields = fields
        return sample
    }
}
