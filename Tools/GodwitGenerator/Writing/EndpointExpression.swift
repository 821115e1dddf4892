/// Writes what an endpoint's function returns: one expression, with a modifier on each line if it is long.
struct EndpointExpression {
    private let operation: OperationPlan

    init(_ operation: OperationPlan) {
        self.operation = operation
    }

    func write(to text: inout SourceText) {
        let body = BodyText(operation.body)
        if let inline = body.inline {
            let short = call(.argument, inline) + modifiers.joined()
            // swift-format breaks a line as wide as the limit if it ends with a call.
            if text.fits(short + " ") { return text.line(short) }
            let start = call(.modifiers, inline)
            if text.fits(start + " ") {
                text.line(start)
                return text.indented { text in (queryModifiers + modifiers).forEach { text.line($0) } }
            }
        }
        broken(body, &text)
    }

    /// The path and the body on lines of their own.
    private func broken(_ body: BodyText, _ text: inout SourceText) {
        let modifiers = queryModifiers + modifiers
        text.line(".\(factory)(")
        text.indented { text in
            let tail = modifiers.isEmpty ? ")" : ""
            for part in start.dropLast() { text.line(part + ",") }
            text.line((start.last ?? "") + (body.isEmpty ? tail : ","))
            body.write(endingWith: tail, to: &text)
        }
        guard !modifiers.isEmpty else { return }
        text.line(")")
        for modifier in modifiers { text.line(modifier) }
    }

    /// Where the items of the query are written.
    private enum Query { case argument, modifiers }

    private func call(_ query: Query, _ body: String) -> String {
        var arguments = start
        let pairs = query == .argument ? queryPairs : []
        if !pairs.isEmpty {
            arguments.append("query: [" + pairs.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "]")
        }
        if !body.isEmpty { arguments.append(body) }
        return ".\(factory)(" + arguments.joined(separator: ", ") + ")"
    }

    /// The path, and before it the method if `Endpoint` has no factory for it.
    private var start: [String] {
        (hasFactory ? [] : [SwiftLiteral.string(operation.method)]) + [pathLiteral]
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

    /// The items of the query, as Swift expressions.
    private var queryPairs: [(key: String, value: String)] {
        operation.fixedQuery.map { (SwiftLiteral.string($0.key), SwiftLiteral.string($0.value)) }
            + operation.parameters.filter { $0.location == .query }.flatMap(\.queryPairs)
    }

    private var queryModifiers: [String] { queryPairs.map { ".query(\($0.key), \($0.value))" } }

    private var modifiers: [String] {
        var modifiers = operation.parameters.filter { $0.location == .header }.map { parameter in
            ".header(\(SwiftLiteral.string(parameter.key)), \(parameter.headerValue))"
        }
        let cookies = operation.parameters.filter { $0.location == .cookie }.map { parameter in
            "(\(SwiftLiteral.string(parameter.key)), \(parameter.headerValue))"
        }
        if !cookies.isEmpty {
            modifiers.append(".header(.cookie, CookieText.of([\(cookies.joined(separator: ", "))]))")
        }
        if let envelope = operation.envelope { modifiers.append(".unwrapping(\(SwiftLiteral.string(envelope)))") }
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
        case .json: return [(literal, "JSONText.\(mediaType == nil ? "plain" : "of")(\(value))")]
        case .exploded(let members):
            return members.map { (SwiftLiteral.string($0.key), "\(value)\(chain).\($0.property)") }
        case .deepObject(let members):
            return members.map { (SwiftLiteral.string("\(key)[\($0.key)]"), "\(value)\(chain).\($0.property)") }
        }
    }

    /// The text of a header field or cookie, as a Swift expression.
    fileprivate var headerValue: String {
        let value = SwiftLiteral.identifier(name)
        let chain = type.isOptional ? "?" : ""
        if case .json = serialization { return "JSONText.\(mediaType == nil ? "joined" : "of")(\(value))" }
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
        case .builtin("JSONValue"), .dictionary, .model: "JSONText.joined(\(value)) ?? \"\""
        default: value
        }
    }
}
