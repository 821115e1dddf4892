/// Writes what an endpoint's function returns: one expression, with a modifier on each line if it is long.
struct EndpointExpression {
    private let operation: OperationPlan

    init(_ operation: OperationPlan) {
        self.operation = operation
    }

    func write(to text: inout SourceText) {
        let head = "." + factory
        let short = short(head)
        // Four spaces for each of the two blocks around it.
        if short.count + 8 <= SourceText.columns { return text.line(short) }
        text.line(head + "(" + ([start] + bodyArgument).joined(separator: ", ") + ")")
        for modifier in queryModifiers + modifiers { text.indented { $0.line(modifier) } }
    }

    private func short(_ head: String) -> String {
        var arguments = [start]
        let items = operation.parameters.filter { $0.location == .query }
        let pairs = items.flatMap(\.queryPairs)
        if !pairs.isEmpty {
            arguments.append("query: [" + pairs.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "]")
        }
        return head + "(" + (arguments + bodyArgument).joined(separator: ", ") + ")" + modifiers.joined()
    }

    /// The path, and before it the method if `Endpoint` has no factory for it.
    private var start: String {
        let path = pathLiteral
        if hasFactory { return path }
        return "\(SwiftLiteral.string(operation.method)), \(path)"
    }

    private var factory: String { hasFactory ? operation.method.lowercased() : "custom" }

    private var hasFactory: Bool {
        switch operation.method {
        case "GET", "HEAD", "OPTIONS": operation.body == nil
        case "POST", "PUT", "PATCH", "DELETE": true
        default: false
        }
    }

    private var pathLiteral: String {
        let parts = operation.path.map { part in
            switch part {
            case .text(let text): String(SwiftLiteral.string(text).dropFirst().dropLast())
            case .parameter(let name): "\\(\(pathValue(of: name)))"
            }
        }
        return "\"" + parts.joined() + "\""
    }

    private func pathValue(of name: String) -> String {
        let type = operation.parameters.first { $0.name == name && $0.location == .path }?.type ?? .string
        return type.pathExpression(SwiftLiteral.identifier(name))
    }

    private var queryModifiers: [String] {
        operation.parameters.filter { $0.location == .query }.flatMap(\.queryPairs).map {
            ".query(\($0.key), \($0.value))"
        }
    }

    private var modifiers: [String] {
        var modifiers = operation.parameters.filter { $0.location == .header }.map { parameter in
            ".header(\(SwiftLiteral.string(parameter.key)), \(parameter.headerValue))"
        }
        if let mediaType = customMediaType {
            modifiers.append(".header(.contentType, \(SwiftLiteral.string(mediaType)))")
        }
        switch operation.response {
        case .data(let type) where type != "application/octet-stream" && type != "*/*":
            modifiers.append(".header(.accept, \(SwiftLiteral.string(type)))")
        default: break
        }
        if operation.authentication == .unneeded { modifiers.append(".unauthenticated()") }
        return modifiers
    }

    /// The media type of a JSON body, if it isn't the usual one.
    private var customMediaType: String? {
        guard case .json(_, let type) = operation.body?.kind, type != "application/json", type != "*/*" else {
            return nil
        }
        return type
    }

    private var bodyArgument: [String] {
        guard let body = operation.body else { return [] }
        let name = SwiftLiteral.identifier(body.name)
        func value(_ make: (String) -> String) -> [String] {
            ["body: " + (body.isRequired ? make(name) : "\(name).map { \(make("$0")) }")]
        }
        switch body.kind {
        case .json: return value { ".json(\($0))" }
        case .lines: return value { ".jsonLines(\($0))" }
        case .text(let type):
            return value { type == "text/plain" ? ".text(\($0))" : ".text(\($0), type: \(Self.mediaType(type)))" }
        case .stream(let type):
            return value {
                type == "application/octet-stream" || type.contains("*")
                    ? ".stream(\($0))" : ".stream(\($0), type: \(Self.mediaType(type)))"
            }
        case .form(let fields):
            let pairs = fields.map { "\(SwiftLiteral.string($0.key)): \(SwiftLiteral.identifier($0.name))" }
            return ["body: .form([" + (pairs.isEmpty ? ":" : pairs.joined(separator: ", ")) + "])"]
        case .multipart(let fields):
            return ["body: .multipart { " + fields.map(Self.part).joined(separator: "; ") + " }"]
        }
    }

    private static func mediaType(_ type: String) -> String { "MediaType(\(SwiftLiteral.string(type)))" }

    private static func part(_ field: FieldPlan) -> String {
        let (key, name) = (SwiftLiteral.string(field.key), SwiftLiteral.identifier(field.name))
        switch field.kind {
        case .value, .json: return "$0.field(\(key), \(name))"
        case .file, .files: return "MultipartFile.add(\(name), named: \(key), to: &$0)"
        }
    }
}

extension ParameterPlan {
    /// The items of the query, as Swift expressions.
    fileprivate var queryPairs: [(key: String, value: String)] {
        let (literal, value) = (SwiftLiteral.string(key), SwiftLiteral.identifier(name))
        let chain = type.isOptional ? "?" : ""
        switch serialization {
        case .text: return [(literal, type.unwrapped == .builtin("URL") ? "\(value)\(chain).absoluteString" : value)]
        case .repeated: return [(literal, value)]
        case .joined(let separator):
            return [(literal, "\(value)\(chain).joinedText(by: \(SwiftLiteral.string(separator)))")]
        case .json: return [(literal, "JSONText.of(\(value))")]
        case .exploded(let members):
            return members.map { (SwiftLiteral.string($0.key), "\(value)\(chain).\($0.property)") }
        case .deepObject(let members):
            return members.map { (SwiftLiteral.string("\(key)[\($0.key)]"), "\(value)\(chain).\($0.property)") }
        }
    }

    /// The text of a header field, as a Swift expression.
    fileprivate var headerValue: String {
        let value = SwiftLiteral.identifier(name)
        let chain = type.isOptional ? "?" : ""
        if case .json = serialization { return "JSONText.of(\(value))" }
        if case .array = type.unwrapped { return "\(value)\(chain).joinedText(by: \",\")" }
        return type.unwrapped == .string ? value : "\(value)\(chain).headerText"
    }
}

extension SwiftType {
    /// A value in an interpolated path.
    fileprivate func pathExpression(_ value: String) -> String {
        switch self {
        case .array: "\(value).joinedText(by: \",\")"
        case .builtin("Date"): "\(value).headerText"
        case .builtin("JSONValue"), .dictionary, .model: "JSONText.of(\(value))"
        default: value
        }
    }
}
