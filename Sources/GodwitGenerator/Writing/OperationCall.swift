/// An argument of an endpoint's function, and of the method of a repository that calls it.
struct Argument: Sendable, Hashable {
    enum Role: Sendable, Hashable {
        case parameter(ParameterPlan)
        case body(BodyPlan)
        case field(FieldPlan)
    }

    /// The label, without backticks; `nil` if there is none.
    var label: String?
    /// The name inside of the function, without backticks.
    var name: String
    var type: SwiftType
    /// A Swift expression; `nil` if the caller must give a value.
    var defaultValue: String?
    var role: Role

    var isRequired: Bool { defaultValue == nil }

    /// As a function declares it, without the default: `_ draft: ArticleDraft`.
    var declaration: String {
        guard let label else { return "_ \(SwiftLiteral.label(name)): \(type.text)" }
        return "\(SwiftLiteral.label(label)): \(type.text)"
    }

    /// As a call gives it: `page: page`.
    func passing(_ expression: String) -> String {
        label.map { "\(SwiftLiteral.label($0)): \(expression)" } ?? expression
    }
}

/// How the endpoint of an operation is called.
struct OperationCall: Sendable, Hashable {
    let operation: OperationPlan
    /// Required parameters, the body, then optional parameters.
    let arguments: [Argument]

    init(_ operation: OperationPlan) {
        self.operation = operation
        let parameters = operation.parameters.map(Self.argument)
        arguments =
            parameters.filter(\.isRequired) + Self.arguments(of: operation.body) + parameters.filter { !$0.isRequired }
    }

    var required: [Argument] { arguments.filter(\.isRequired) }

    /// The endpoint as an implicit member: `.article(id: id)`, or `.export` without arguments.
    ///
    /// - Parameter values: The expression for an argument; `nil` leaves it to its default.
    func endpoint(_ values: (Argument) -> String?) -> String {
        let items = items(values)
        return head + (arguments.isEmpty ? "" : "(" + items.joined(separator: ", ") + ")")
    }

    /// `.article`, without the arguments.
    var head: String { "." + SwiftLiteral.identifier(operation.name) }

    /// The arguments of a call, with their labels.
    func items(_ values: (Argument) -> String?) -> [String] {
        arguments.compactMap { argument in values(argument).map(argument.passing) }
    }

    private static func argument(_ parameter: ParameterPlan) -> Argument {
        Argument(
            label: parameter.name, name: parameter.name, type: parameter.type,
            defaultValue: parameter.defaultValue ?? (parameter.type.isOptional ? "nil" : nil),
            role: .parameter(parameter))
    }

    private static func arguments(of body: BodyPlan?) -> [Argument] {
        guard let body else { return [] }
        func single(_ type: SwiftType, label: String?) -> [Argument] {
            let type = body.isRequired || type.isOptional ? type : .optional(type)
            return [
                Argument(
                    label: label, name: body.name, type: type, defaultValue: body.isRequired ? nil : "nil",
                    role: .body(body))
            ]
        }
        switch body.kind {
        case .json(let type, _): return single(type, label: nil)
        case .text: return single(.string, label: body.name)
        case .stream: return single(.builtin("HTTPBody"), label: body.name)
        case .lines(let type, _): return single(.array(type), label: body.name)
        case .form(let fields), .multipart(let fields): return fields.map(argument)
        }
    }

    private static func argument(_ field: FieldPlan) -> Argument {
        let file = SwiftType.builtin("MultipartFile")
        let type: SwiftType =
            switch field.kind {
            case .value, .json: field.type
            case .file: field.type.isOptional ? .optional(file) : file
            case .files: field.type.isOptional ? .optional(.array(file)) : .array(file)
            }
        return Argument(
            label: field.name, name: field.name, type: type, defaultValue: type.isOptional ? "nil" : nil,
            role: .field(field))
    }
}
