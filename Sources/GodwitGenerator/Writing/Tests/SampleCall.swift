/// A call of an operation with made values, and what it must send.
struct SampleCall: Sendable {
    struct QueryItem: Sendable, Hashable {
        var key: String
        /// `nil` if it isn't known here.
        var text: String?
    }

    let operation: OperationPlan
    /// The path that is sent; `nil` if it isn't known here.
    let path: String?
    /// Items of required parameters.
    let query: [QueryItem]
    /// The constant with the body; `nil` if the body isn't JSON, or isn't sent.
    let bodyName: String?
    /// Whether any part of a body is sent.
    let sendsBody: Bool

    private let bodyLine: String?
    private let items: [String]

    /// - Returns: `nil` if no value can be made for a required argument.
    init?(_ operation: OperationPlan, _ maker: ArgumentMaker, _ examples: ExampleSet) {
        self.operation = operation
        let call = OperationCall(operation)
        var (items, values): ([String], [String: ArgumentMaker.Value]) = ([], [:])
        var (bodyName, bodyLine): (String?, String?) = (nil, nil)
        for argument in call.required {
            if argument.label == nil, case .json(let type, _) = operation.body?.kind,
                let entry = examples.bodies[operation.name]
            {
                let name =
                    values["body"] == nil && !call.arguments.contains { $0.name == "body" } ? "body" : argument.name
                let constant = "\(maker.examples).\(SwiftLiteral.identifier(entry.name))"
                bodyName = SwiftLiteral.identifier(name)
                bodyLine =
                    "let \(SwiftLiteral.identifier(name)): \(type.unwrapped.text) = try \(maker.examples).value(\(constant))"
                items.append(argument.passing(SwiftLiteral.identifier(name)))
            } else if let value = maker.value(of: argument.type) {
                values[argument.name] = value
                items.append(argument.passing(value.expression))
            } else {
                return nil
            }
        }
        self.items = items
        self.bodyName = bodyName
        self.bodyLine = bodyLine
        sendsBody = operation.bodyNames.contains { name in call.required.contains { $0.name == name } }
        path = Self.path(of: operation, values)
        query = Self.query(of: operation, values)
    }

    private static func path(of operation: OperationPlan, _ values: [String: ArgumentMaker.Value]) -> String? {
        guard !operation.hasOwnServers else { return nil }
        var path = ""
        for part in operation.path {
            switch part {
            case .text(let text):
                guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }) else { return nil }
                path += text
            case .parameter(let name):
                guard let text = values[name]?.text else { return nil }
                path += text
            }
        }
        return path.hasPrefix("/") ? path : "/" + path
    }

    private static func query(of operation: OperationPlan, _ values: [String: ArgumentMaker.Value]) -> [QueryItem] {
        operation.parameters.filter { $0.location == .query }.compactMap { parameter in
            guard let value = values[parameter.name] else { return nil }
            switch parameter.serialization {
            case .text, .repeated, .joined: return QueryItem(key: parameter.key, text: value.text)
            case .json: return QueryItem(key: parameter.key)
            case .deepObject, .exploded: return nil
            }
        }
    }

    /// Adds the call, of which `api` is the client.
    func write(to text: inout SourceText) {
        if let bodyLine { text.line(bodyLine) }
        let head = "." + SwiftLiteral.identifier(operation.name)
        let endpoint = operation.arguments.isEmpty ? head : "\(head)(\(items.joined(separator: ", ")))"
        let call = operation.response.call(endpoint)
        switch operation.response {
        case .none: text.wrapped(call)
        case .json, .text, .data: text.wrapped("_ = \(call)")
        case .events, .lines: text.wrapped("for try await _ in \(call) { break }")
        }
    }
}

extension OperationPlan {
    /// The names of the arguments that make the body.
    fileprivate var bodyNames: [String] {
        guard let body else { return [] }
        switch body.kind {
        case .form(let fields), .multipart(let fields): return fields.map(\.name)
        case .json, .text, .stream, .lines: return [body.name]
        }
    }
}
