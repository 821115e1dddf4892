import GodwitJSON
import GodwitSupport

/// Reads the parameters of a request as the JSON values that they stand for (OpenAPI 3.1 section 4.8.12.4).
struct ParameterReader {
    enum Value {
        case missing
        case json(ExactJSON)
        /// Not even of the form, with the reason.
        case invalid(String)
        /// In a style that isn't read.
        case unknown
    }

    let validator: SchemaValidator
    let request: ExampleRequest
    /// The path as the document has it: `/articles/{id}`.
    let template: String

    func value(of parameter: Parameter) -> Value {
        guard let schema = parameter.source else { return exists(parameter) ? .unknown : .missing }
        if let mediaType = parameter.mediaType { return content(parameter, mediaType) }
        let isObject = self.has("properties", schema) || has(type: "object", schema)
        let texts = texts(of: parameter)
        guard let first = texts.first else {
            let hasMembers = parameter.style == .deepObject || parameter.explodes
            return isObject && parameter.location == .query && hasMembers ? members(of: parameter, schema) : .missing
        }
        if first.isEmpty && parameter.allowsEmpty || [.label, .matrix].contains(parameter.style) { return .unknown }
        if isObject, !has(type: "array", schema) { return flatObject(first, parameter, schema) }
        guard has(type: "array", schema) || has("items", schema) else { return .json(scalar(first, schema)) }
        let isRepeated = parameter.location == .query && parameter.explodes
        let elements = isRepeated ? texts : Self.split(first, parameter.style.separator)
        let list = array(elements, schema)
        let single = scalar(first, schema)
        return .json(
            texts.count == 1 && !validator.accepts(list, schema) && validator.accepts(single, schema) ? single : list)
    }

    /// The members of a form, each with the value that its property has.
    func object(
        _ fields: [ExampleReply.Field], _ schema: DocumentNode, _ encodings: [String: PartEncoding] = [:]
    ) -> ExactJSON {
        let texts = Dictionary(grouping: fields, by: \.name).mapValues { $0.map(\.value) }
        var members: [ExactText: ExactJSON] = [:]
        for (name, values) in texts {
            let property = property(name, schema)
            let isList = property.map { has(type: "array", $0) || has("items", $0) } ?? (values.count > 1)
            let isJSON = property.map { has(type: "object", $0) } ?? false
            let first = values.first ?? ""
            if isJSON, let value = (try? ExactJSON(body: Data(first.utf8))) ?? nil {
                members[ExactText(name)] = value
            } else if isList {
                let separates = encodings[name]?.explodes == false
                let separator = encodings[name]?.style?.separator ?? ","
                members[ExactText(name)] = array(separates ? Self.split(first, separator) : values, property)
            } else {
                members[ExactText(name)] = scalar(first, property)
            }
        }
        return .object(members)
    }
}

extension ParameterReader {
    private func exists(_ parameter: Parameter) -> Bool { !texts(of: parameter).isEmpty }

    /// What the request has under a name, decoded.
    private func texts(of parameter: Parameter) -> [String] {
        switch parameter.location {
        case .query: request.query.filter { $0.name == parameter.name }.map(\.value)
        case .header: [request.field(parameter.name)].compactMap(\.self)
        case .path: [PathValues(request.path, template)[parameter.name]].compactMap(\.self)
        case .cookie: []
        }
    }

    private func content(_ parameter: Parameter, _ mediaType: String) -> Value {
        guard let text = texts(of: parameter).first else { return .missing }
        guard Content(mediaType: mediaType).isJSON else { return .unknown }
        do throws(JSONSyntaxError) {
            return try ExactJSON(body: Data(text.utf8)).map { .json($0) } ?? .unknown
        } catch {
            return .invalid("is not valid JSON")
        }
    }

    /// `filter[name]=value`, or the properties as items of their own.
    private func members(of parameter: Parameter, _ schema: DocumentNode) -> Value {
        let fields: [ExampleReply.Field]
        if parameter.style == .deepObject {
            let own = request.query.filter { $0.name.hasPrefix(parameter.name + "[") && $0.name.hasSuffix("]") }
            fields = own.map {
                .init(name: String($0.name.dropFirst(parameter.name.count + 1).dropLast()), value: $0.value)
            }
            if fields.contains(where: { $0.name.contains("[") || $0.name.contains("]") }) { return .unknown }
        } else {
            guard has("properties", schema) else { return .unknown }
            fields = request.query.filter { property($0.name, schema) != nil }
        }
        return fields.isEmpty ? .missing : .json(object(fields, schema))
    }

    /// `x,1,y,2`, or `x=1,y=2`.
    private func flatObject(_ text: String, _ parameter: Parameter, _ schema: DocumentNode) -> Value {
        let parts = Self.split(text, parameter.style.separator)
        var fields: [ExampleReply.Field] = []
        if parameter.explodes {
            let pairs = parts.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
            guard pairs.allSatisfy({ $0.count == 2 }) else { return .invalid("must be pairs such as name=value") }
            fields = pairs.map { .init(name: String($0[0]), value: String($0[1])) }
        } else {
            guard parts.count.isMultiple(of: 2) else { return .invalid("must be pairs such as name,value") }
            fields = stride(from: 0, to: parts.count, by: 2).map { .init(name: parts[$0], value: parts[$0 + 1]) }
        }
        return .json(object(fields, schema))
    }

    private func array(_ texts: [String], _ schema: DocumentNode?) -> ExactJSON {
        let items = schema.flatMap { validator.references.parts(of: $0).lazy.compactMap { $0["items"] }.first }
        return .array(texts.map { scalar($0, items) })
    }

    /// The value that a text stands for: the first that the schema accepts, or one of its type, or the text.
    private func scalar(_ text: String, _ schema: DocumentNode?) -> ExactJSON {
        guard let schema else { return .string(text) }
        let candidates = [ExactJSON(scalar: text), .string(text)].compactMap(\.self)
        let violations = candidates.map { validator.violations(of: $0, schema) }
        let best =
            violations.firstIndex(where: \.isEmpty)
            ?? violations.firstIndex { !$0.contains(where: \.isMismatch) } ?? candidates.count - 1
        return candidates[best]
    }

    private func has(_ keyword: String, _ schema: DocumentNode) -> Bool {
        validator.references.parts(of: schema).contains { $0[keyword] != nil }
    }

    private func has(type: String, _ schema: DocumentNode) -> Bool {
        validator.references.parts(of: schema).contains { Nullability.types($0).contains(type) }
    }

    private func property(_ name: String, _ schema: DocumentNode) -> DocumentNode? {
        validator.references.parts(of: schema).lazy.compactMap { $0["properties"]?[name] }.first
    }

    private static func split(_ text: String, _ separator: String) -> [String] {
        text.split(separator: separator, omittingEmptySubsequences: false).map { part in
            String(part.drop { $0 == " " })
        }
    }
}

extension ExactJSON {
    /// How many values a body has at most, and how deep they are nested, to be checked.
    private static let (countLimit, depthLimit) = (500_000, 100)

    /// The value of a body; `nil` beyond the limits.
    init?(body: Data) throws(JSONSyntaxError) {
        let document = try JSONDocument(parsing: body)
        var count = 0
        guard let value = Self.value(document.root, 0, &count) else { return nil }
        self = value
    }

    /// A number or a boolean as JSON writes it; `nil` for any other text.
    init?(scalar text: String) {
        guard let first = text.utf8.first, "-0123456789tf".utf8.contains(first),
            let document = try? JSONDocument(parsing: Data(text.utf8)), document.root.source.count == text.utf8.count
        else { return nil }
        var count = 0
        guard let value = Self.value(document.root, 0, &count) else { return nil }
        self = value
    }

    private static func value(_ element: JSONElement, _ depth: Int, _ count: inout Int) -> ExactJSON? {
        count += 1
        guard count <= countLimit, depth < depthLimit else { return nil }
        switch element.kind {
        case .null: return .null
        case .boolean: return .bool(element.bool ?? false)
        case .number: return .number(ExactNumber(source: String(decoding: element.source, as: UTF8.self)))
        case .string: return .string(element.string ?? String(decoding: element.source, as: UTF8.self))
        case .array:
            var elements: [ExactJSON] = []
            for inner in element.elements {
                guard let value = value(inner, depth + 1, &count) else { return nil }
                elements.append(value)
            }
            return .array(elements)
        case .object:
            var members: [ExactText: ExactJSON] = [:]
            for member in element.members {
                guard let value = value(member.value, depth + 1, &count) else { return nil }
                let key = ExactText(member.key)
                if members[key] == nil { members[key] = value }
            }
            return .object(members)
        }
    }
}
