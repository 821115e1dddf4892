/// Writes what an endpoint's function returns: one expression, with a modifier on each line if it is long.
struct EndpointExpression {
    private let operation: OperationPlan
    /// The last argument of calls that write JSON, with a comma before it; empty for the usual coding.
    private let coding: String

    init(_ operation: OperationPlan, coding: String = "") {
        self.operation = operation
        self.coding = coding
    }

    func write(to text: inout SourceText) {
        let body = BodyArgument(operation.body, coding: coding)
        if let inline = body.inline {
            let short = call(.argument, inline) + modifiers.joined()
            // swift-format breaks a line as wide as the limit if it ends with a call.
            if text.fits(short + " ") { return text.line(short) }
            let start = call(.modifiers, inline)
            if text.fits(start + " ") {
                text.line(start)
                return text.indented { Self.write(queryModifiers + modifiers, &$0) }
            }
        }
        broken(body, &text)
    }

    /// The path and the body on lines of their own.
    private func broken(_ body: BodyArgument, _ text: inout SourceText) {
        let modifiers = queryModifiers + modifiers
        var isOpen = !modifiers.isEmpty
        text.line("\(owner).\(factory)(")
        text.indented { text in
            let tail = modifiers.isEmpty ? ")" : ""
            for part in start.dropLast() { text.line(part + ",") }
            let path = start.last ?? ""
            // A bracket after a literal that is too long stands on its own line.
            let isLong = !text.fits(path + tail)
            isOpen = isOpen || body.isEmpty && isLong && !path.hasPrefix(Self.template)
            let end = body.isEmpty ? isOpen ? "" : tail : ","
            if isLong, path.hasPrefix(Self.template) { Self.template(path, end, &text) } else { text.line(path + end) }
            body.write(endingWith: tail, to: &text)
        }
        if isOpen { text.line(")") }
        Self.write(modifiers, &text)
    }

    private static let template = "EndpointPath(template: "

    /// A long path that is percent-encoded already.
    private static func template(_ path: String, _ end: String, _ text: inout SourceText) {
        text.line("EndpointPath(")
        text.indented { text in
            text.line("template:")
            text.indented { $0.line(String(path.dropFirst(template.count).dropLast())) }
        }
        text.line(")" + end)
    }

    private static func write(_ modifiers: [String], _ text: inout SourceText) {
        for (index, modifier) in modifiers.enumerated() {
            write(modifier, isLast: index == modifiers.count - 1, &text)
        }
    }

    /// A modifier on one line; that of many cookies on several.
    private static func write(_ modifier: String, isLast: Bool, _ text: inout SourceText) {
        let head = ".header(.cookie, CookieText.of(["
        guard !text.fits(modifier + " "), modifier.hasPrefix(head) else { return text.line(modifier) }
        let cookies = SwiftScan.parts(of: String(modifier.dropFirst(head.count).dropLast(3)), at: ",")
        text.line(".header(")
        text.indented { text in
            text.line(".cookie,")
            text.array("CookieText.of([", cookies, isLast ? "]))" : "])")
        }
        if !isLast { text.line(")") }
    }

    /// Where the items of the query are written.
    private enum Query { case argument, modifiers }

    private func call(_ query: Query, _ body: String) -> String {
        var arguments = start
        let pairs = query == .argument ? queryPairs : []
        // Items that are known only when they are sent follow as modifiers.
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
        let isEncoded = operation.parameters.contains(where: \.needsEncodedPath)
        let parts = operation.path.map { part in
            switch part {
            case .text(let text):
                String(SwiftLiteral.string(text.replacing(" ", with: "%20")).dropFirst().dropLast())
            case .parameter(let name): pathValue(of: name, isEncoded: isEncoded)
            }
        }
        let literal = "\"" + parts.joined() + "\""
        return isEncoded ? "EndpointPath(template: \(literal))" : literal
    }

    /// A parameter in the literal of a path, with what its style puts before it.
    private func pathValue(of name: String, isEncoded: Bool) -> String {
        guard let parameter = operation.parameters.first(where: { $0.name == name && $0.location == .path }) else {
            return "\\(\(SwiftLiteral.identifier(name)))"
        }
        if parameter.needsEncodedPath { return "\\(\(parameter.matrixText(coding)))" }
        let value = parameter.pathExpression(coding)
        let prefix = parameter.pathPrefix
        return prefix + (isEncoded ? "\\(StyledText.encoded(\(value)))" : "\\(\(value))")
    }

    /// The items of the query, as Swift expressions.
    private var queryPairs: [(key: String, value: String)] {
        operation.fixedQuery.map { (SwiftLiteral.string($0.key), SwiftLiteral.string($0.value)) }
            + operation.parameters.filter { $0.location == .query }.flatMap { $0.queryPairs(coding) }
    }

    private var queryModifiers: [String] { queryPairs.map { ".query(\($0.key), \($0.value))" } }

    /// Items that are known only when they are sent, such as those of a dictionary.
    private var itemModifiers: [String] {
        operation.parameters.filter { $0.location == .query }.compactMap { $0.queryItems(coding) }.map {
            ".query(\($0))"
        }
    }

    /// All cookies, as an expression of type `QueryItems`; `nil` without any.
    private var cookies: String? {
        let parameters = operation.parameters.filter { $0.location == .cookie }
        guard !parameters.isEmpty else { return nil }
        let pairs = parameters.flatMap { $0.queryPairs(coding) }.map { "\($0.key): \($0.value)" }
        let texts = pairs.isEmpty ? [] : ["[\(pairs.joined(separator: ", "))]"]
        return BodyArgument.joined(texts + parameters.compactMap { $0.queryItems(coding) })
    }

    /// The type that has the factory, if it isn't the endpoint's own.
    private var owner: String { operation.reading == nil ? "" : "Endpoint<Void>" }

    private var modifiers: [String] {
        // First, as it makes another endpoint.
        var modifiers = operation.reading.map { [$0] } ?? []
        modifiers += itemModifiers
        modifiers += operation.parameters.filter { $0.location == .header }.map { parameter in
            ".header(\(SwiftLiteral.string(parameter.key)), \(parameter.headerValue(coding)))"
        }
        cookies.map { modifiers.append(".header(.cookie, CookieText.of(\($0)))") }
        if let envelope = operation.envelope { modifiers.append(".unwrapping(\(SwiftLiteral.string(envelope)))") }
        if let contentType { modifiers.append(".header(.contentType, \(contentType))") }
        if let accept = operation.accept { modifiers.append(".header(.accept, \(SwiftLiteral.string(accept)))") }
        if let server = operation.server {
            let own = operation.ownEnvironments.map(SwiftLiteral.string).joined(separator: ", ")
            modifiers.append(".server(\(server.interpolatedURL())\(own.isEmpty ? "" : ", except: [\(own)]"))")
        }
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
    /// Whether `HTTPMethod` has a name for the method.
    var hasNamedMethod: Bool {
        ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT"].contains(method)
    }

    /// The method as an expression of type `HTTPMethod`.
    var methodExpression: String {
        hasNamedMethod ? "." + method.lowercased() : ".token(\(SwiftLiteral.string(method)))"
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
    /// What makes a form or a multipart body.
    var factory: String {
        switch kind {
        case .form(let fields): canBeEmpty(fields) ? "formIfAny" : "form"
        case .multipart(let fields): canBeEmpty(fields) ? "multipartIfAny" : "multipart"
        default: ""
        }
    }

    private func canBeEmpty(_ fields: [FieldPlan]) -> Bool { !isRequired && fields.allSatisfy(\.type.isOptional) }

    /// The media type, if another one than that of the body's factory.
    fileprivate var customMediaType: String? {
        switch kind {
        case .json(_, let type): type == "application/json" || type == "*/*" ? nil : type
        case .lines(_, let type): type == "application/x-ndjson" ? nil : type
        case .text(let type): type == "text/plain" ? nil : type
        case .stream(let type): type == "application/octet-stream" || OperationPlanner.isChosen(type) ? nil : type
        case .form, .multipart: nil
        }
    }
}

extension ParameterPlan {
    private var value: String { SwiftLiteral.identifier(name) }
    private var chain: String { type.isOptional ? "?" : "" }

    /// The items of the query, or the cookies, as Swift expressions.
    fileprivate func queryPairs(_ coding: String) -> [(key: String, value: String)] {
        let literal = SwiftLiteral.string(key)
        switch serialization {
        case .text: return [(literal, type.unwrapped == .builtin("URL") ? "\(value)\(chain).absoluteString" : value)]
        case .repeated: return [(literal, value)]
        case .joined(let separator):
            return [(literal, "\(value)\(chain).joinedText(by: \(SwiftLiteral.string(separator)))")]
        case .json: return [(literal, "JSONText.of(\(value)\(coding))")]
        case .flat: return [(literal, flatText(coding))]
        case .exploded(let members):
            return members.map { (SwiftLiteral.string($0.key), member($0.property)) }
        case .deepObject(let members):
            return members.map { (SwiftLiteral.string("\(key)[\($0.key)]"), member($0.property)) }
        case .deep, .members: return []
        }
    }

    private func member(_ name: String) -> String { "\(value)\(chain).\(SwiftLiteral.identifier(name))" }

    /// Items that are known only when they are sent, as an expression of type `QueryItems`.
    fileprivate func queryItems(_ coding: String) -> String? {
        switch serialization {
        case .deep: "StyledText.deep(\(SwiftLiteral.string(key)), \(value)\(coding))"
        case .members: "StyledText.members(\(SwiftLiteral.string(key)), \(value)\(coding))"
        default: nil
        }
    }

    /// One text for a value of any kind, as an optional expression.
    private func flatText(_ coding: String) -> String {
        guard case .flat(let separator, let explodes) = serialization else { return value }
        let by = separator == "," ? "" : ", by: \(SwiftLiteral.string(separator))"
        return "StyledText.of(\(value)\(by)\(explodes ? ", explodes: true" : "")\(coding))"
    }

    /// The text of a header field, as a Swift expression.
    func headerValue(_ coding: String) -> String {
        switch serialization {
        case .json: "JSONText.of(\(value)\(coding))"
        case .joined(let separator): "\(value)\(chain).joinedText(by: \(SwiftLiteral.string(separator)))"
        case .text: type.unwrapped == .string ? value : "\(value)\(chain).headerText"
        default: flatText(coding)
        }
    }

    // MARK: Paths

    /// What stands before the value in a path.
    fileprivate var pathPrefix: String {
        switch style {
        case .label: "."
        case .matrix: String(SwiftLiteral.string(";\(key)=").dropFirst().dropLast())
        default: ""
        }
    }

    /// Whether the value has more than one `;`, which a path encodes in values.
    fileprivate var needsEncodedPath: Bool {
        guard location == .path, style == .matrix, case .flat(_, true) = serialization else { return false }
        return true
    }

    fileprivate func matrixText(_ coding: String) -> String {
        "StyledText.matrix(\(SwiftLiteral.string(key)), \(value)\(coding))"
    }

    /// A value in an interpolated path.
    fileprivate func pathExpression(_ coding: String) -> String {
        switch serialization {
        case .json: "JSONText.of(\(value)\(coding)) ?? \"\""
        case .joined(let separator): "\(value).joinedText(by: \(SwiftLiteral.string(separator)))"
        case .text: type == .builtin("Date") ? "\(value).headerText" : value
        default: flatText(coding) + " ?? \"\""
        }
    }
}
