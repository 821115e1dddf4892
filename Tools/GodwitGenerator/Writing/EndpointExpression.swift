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
        text.line("\(owner).\(factory)(")
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
        return "\(owner).\(factory)(" + arguments.joined(separator: ", ") + ")"
    }

    /// The path, and before it the method if `Endpoint` has no factory for it.
    private var start: [String] {
        (hasFactory ? [] : [operation.methodExpression]) + [pathLiteral]
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

    /// The type that has the factory, if it isn't the endpoint's own.
    private var owner: String { operation.reading == nil ? "" : "Endpoint<Void>" }

    private var modifiers: [String] {
        // First, as it makes another endpoint.
        var modifiers = operation.reading.map { [$0] } ?? []
        modifiers += operation.parameters.filter { $0.location == .header }.map { parameter in
            ".header(\(SwiftLiteral.string(parameter.key)), \(parameter.headerValue))"
        }
        let cookies = operation.parameters.filter { $0.location == .cookie }.map { parameter in
            "(\(SwiftLiteral.string(parameter.key)), \(parameter.headerValue))"
        }
        if !cookies.isEmpty {
            modifiers.append(".header(.cookie, CookieText.of([\(cookies.joined(separator: ", "))]))")
        }
        if let envelope = operation.envelope { modifiers.append(".unwrapping(\(SwiftLiteral.string(envelope)))") }
        if let contentType { modifiers.append(".header(.contentType, \(contentType))") }
        if let accept = operation.accept { modifiers.append(".header(.accept, \(SwiftLiteral.string(accept)))") }
        if operation.authentication == .unneeded { modifiers.append(".unauthenticated()") }
        return modifiers
    }

    /// The media type of the body, if it isn't that of its factory; `nil` without a body, so that no type is sent.
    private var contentType: String? {
        guard let body = operation.body, let type = body.customMediaType.map(SwiftLiteral.string) else { return nil }
        return body.isRequired ? type : "\(SwiftLiteral.identifier(body.name)) == nil ? nil : \(type)"
    }
}

extension OperationPlan {
    /// The method as an expression of type `HTTPMethod`.
    var methodExpression: String {
        switch method {
        case "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT": "." + method.lowercased()
        default: ".token(\(SwiftLiteral.string(method)))"
        }
    }
}

extension OperationPlan {
    /// The modifier that says how the response is read, if its type doesn't.
    fileprivate var reading: String? {
        switch response {
        case .byStatus(let plan): ".reading { try \(plan.type.text)($0, $1, $2) }"
        case .json where mayBeEmpty: ".jsonIfAny()"
        // These types are the body as it is, with the quotes of JSON.
        case .json(let type) where envelope == nil && [.string, .data].contains(type): ".json()"
        default: nil
        }
    }
}

extension BodyPlan {
    /// The media type, if another one than that of the body's factory.
    fileprivate var customMediaType: String? {
        switch kind {
        case .json(_, let type): type == "application/json" || type == "*/*" ? nil : type
        case .lines(_, let type): type == "application/x-ndjson" ? nil : type
        case .text(let type): type == "text/plain" ? nil : type
        case .stream(let type): type == "application/octet-stream" || type.contains("*") ? nil : type
        case .form, .multipart: nil
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
