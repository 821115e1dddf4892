import GodwitWire

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
    private(set) var bodyName: String?
    /// Whether any part of a body is sent.
    let sendsBody: Bool

    /// Constants with values that have no literal.
    private var constants: [String] = []
    /// The arguments.
    private var items: [String] = []
    private let maker: ArgumentMaker

    /// - Returns: `nil` if no value can be made for a required argument.
    init?(_ operation: OperationPlan, _ maker: ArgumentMaker, _ examples: ExampleSet) {
        self.operation = operation
        self.maker = maker
        let required = OperationCall(operation).required
        var values: [String: ArgumentMaker.Value] = [:]
        for argument in required { values[argument.name] = maker.value(of: argument.type) }
        path = Self.path(of: operation, values)
        query = Self.query(of: operation, values)
        sendsBody = operation.bodyNames.contains { name in required.contains { $0.name == name } }
        for argument in required {
            if case .json = operation.body?.kind, argument.label == nil, let body = examples.bodies[operation.name] {
                bodyName = SwiftLiteral.identifier(constant(argument))
                add("\(maker.examples).value(\(maker.examples).\(SwiftLiteral.identifier(body.name)))", for: argument)
            } else if let value = values[argument.name] {
                guard value.mayThrow else {
                    items.append(argument.passing(value.expression))
                    continue
                }
                add(value.expression, for: argument)
            } else {
                return nil
            }
        }
    }

    /// Passes a value that is read before the call.
    private mutating func add(_ expression: String, for argument: Argument) {
        let name = SwiftLiteral.identifier(constant(argument))
        constants.append("let \(name): \(argument.type.unwrapped.text) = try \(expression)")
        items.append(argument.passing(name))
    }

    /// The name of the constant for an argument; tests have others of their own.
    private func constant(_ argument: Argument) -> String {
        ["api", "mock", "request"].contains(argument.name) ? argument.name + "Value" : argument.name
    }

    private static func path(of operation: OperationPlan, _ values: [String: ArgumentMaker.Value]) -> String? {
        var path = ""
        for part in operation.path {
            switch part {
            case .text(let text):
                guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }) else { return nil }
                path += PercentEncoding.encode(text, allowing: .path)
            case .parameter(let name):
                let parameter = operation.parameters.first { $0.name == name && $0.location == .path }
                if parameter.map({ $0.style == .label || $0.style == .matrix }) ?? false { return nil }
                guard let text = values[name]?.text else { return nil }
                path += text
            }
        }
        return path.hasPrefix("/") ? path : "/" + path
    }

    private static func query(of operation: OperationPlan, _ values: [String: ArgumentMaker.Value]) -> [QueryItem] {
        operation.fixedQuery.map { QueryItem(key: $0.key, text: $0.value) }
            + operation.parameters.filter { $0.location == .query }.compactMap { parameter in
                guard let value = values[parameter.name] else { return nil }
                switch parameter.serialization {
                case .text, .repeated, .joined: return QueryItem(key: parameter.key, text: value.text)
                case .json, .flat: return QueryItem(key: parameter.key)
                case .deepObject, .exploded, .deep, .members: return nil
                }
            }
    }

    /// The endpoint with its arguments.
    var endpoint: String {
        let head = "." + SwiftLiteral.identifier(operation.name)
        return operation.arguments.isEmpty ? head : "\(head)(\(items.joined(separator: ", ")))"
    }

    /// Adds the call, of which `api` is the client.
    ///
    /// - Parameter mayFail: Whether the response can be that of another operation.
    func write(mayFail: Bool = false, to text: inout SourceText) {
        for constant in constants { text.wrapped(constant) }
        let call = operation.response.call(endpoint)
        if mayFail, !operation.response.isStream {
            return text.wrapped("_ = " + call.replacing("try await", with: "try? await"))
        }
        switch operation.response {
        case .none: text.wrapped(call)
        case .json, .text, .data, .byStatus: text.wrapped("_ = \(call)")
        case .events, .lines:
            text.wrapped("let elements = \(call)")
            text.line("for try await _ in elements { break }")
        }
    }
}

extension OperationPlan {
    /// The names of the arguments that make the body.
    fileprivate var bodyNames: [String] {
        guard let body else { return [] }
        switch body.kind {
        case .form(let fields), .multipart(let fields): return fields.flatMap(\.arguments).map(\.name)
        case .json, .text, .stream, .lines: return [body.name]
        }
    }
}
