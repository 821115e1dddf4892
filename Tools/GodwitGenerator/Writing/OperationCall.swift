/// An argument of an endpoint's function, and of the method of a repository that calls it.
struct Argument: Sendable, Hashable {
    /// The label, without backticks; `nil` if there is none.
    var label: String?
    /// The name inside of the function, without backticks.
    var name: String
    var type: SwiftType
    /// A Swift expression; `nil` if the caller must give a value.
    var defaultValue: String?

    init(_ argument: EndpointArgument) {
        label = argument.label == .none ? nil : argument.name
        name = argument.name
        type = argument.type
        defaultValue = argument.defaultValue
    }

    var isRequired: Bool { defaultValue == nil }

    /// As a function declares it, without the default: `_ draft: ArticleDraft`.
    var declaration: String {
        guard let label else { return "_ \(SwiftLiteral.label(name)): \(type.text)" }
        return "\(SwiftLiteral.label(label)): \(type.text)"
    }

    /// As a function declares it, with the default.
    var declarationWithDefault: String { declaration + (defaultValue.map { " = \($0)" } ?? "") }

    /// As a call gives it: `page: page`.
    func passing(_ expression: String) -> String {
        label.map { "\(SwiftLiteral.argument($0)): \(expression)" } ?? expression
    }
}

/// How the endpoint of an operation is called.
struct OperationCall: Sendable, Hashable {
    let operation: OperationPlan
    /// In the order of the function.
    let arguments: [Argument]

    init(_ operation: OperationPlan) {
        self.operation = operation
        arguments = operation.arguments.map(Argument.init)
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
}
