/// Writes the endpoints of a catalog: a static member of `Endpoint` for each operation.
struct EndpointWriter {
    private let options: GeneratorOptions
    private let coding: String

    init(_ options: GeneratorOptions, _ plan: ClientPlan) {
        self.options = options
        coding = plan.keys == .snakeCase ? ", coding: \(plan.name)API.coding" : ""
    }

    /// `Endpoint+Articles.swift`
    func file(for catalog: CatalogPlan) -> GeneratedFile {
        var text = SourceText()
        text.line(options.importLine("Godwit"))
        text.line()
        text.doc(catalog.summary)
        text.block("extension Endpoint") { text in
            for operation in catalog.operations {
                text.space()
                write(operation, to: &text)
            }
        }
        for operation in catalog.operations {
            guard case .byStatus(let plan) = operation.response else { continue }
            text.line()
            ResponsesWriter(plan: plan, operation: operation, access: options.accessPrefix).write(to: &text)
        }
        return GeneratedFile(path: "Endpoint+\(catalog.name).swift", text: text.text)
    }

    private func write(_ operation: OperationPlan, to text: inout SourceText) {
        documentation(of: operation, &text)
        let result = "Endpoint<\(operation.response.type.text)>"
        let name = SwiftLiteral.identifier(operation.name)
        let arguments = operation.arguments.map(\.declaration)
        if arguments.isEmpty {
            text.line("\(options.accessPrefix)static var \(name): \(result) {")
        } else {
            text.list("\(options.accessPrefix)static func \(name)(", arguments, ") -> \(result) {")
        }
        text.indented { EndpointExpression(operation, coding: coding).write(to: &$0) }
        text.line("}")
    }

    private func documentation(of operation: OperationPlan, _ text: inout SourceText) {
        let summary = operation.summary ?? "`\(operation.method) \(operation.source.path)`"
        text.doc(summary)
        if let usage = operation.response.usage(of: operation.name, hasArguments: !operation.arguments.isEmpty) {
            text.docLine("")
            text.doc(usage)
        }
        if case .text(let type) = operation.response, operation.variant != nil {
            text.docLine("")
            text.doc("The body is \(type).")
        }
        fields(of: operation, &text)
        security(of: operation, &text)
        if operation.isDeprecated { text.docDeprecation(after: summary) }
        let documented = operation.arguments.filter { $0.summary?.isEmpty == false }
        guard !documented.isEmpty else { return }
        text.docLine("")
        text.docLine("- Parameters:")
        for argument in documented { text.doc("  - \(argument.name): \(Self.oneLine(argument.summary ?? ""))") }
    }

    /// What the operation needs, if that is more than the client's one credential.
    private func security(of operation: OperationPlan, _ text: inout SourceText) {
        guard let words = operation.source.security?.words else { return }
        text.docLine("")
        text.doc("Needs \(words).")
    }

    /// The header fields of the response, which the value doesn't have.
    private func fields(of operation: OperationPlan, _ text: inout SourceText) {
        let names = operation.source.successes.flatMap(\.headers).map(\.name).once
        guard !names.isEmpty else { return }
        text.docLine("")
        let list = names.map { "`\($0)`" }.joined(separator: ", ")
        text.doc("The response has the fields \(list): `api.response(for:)` returns them with the value.")
    }

    /// A list item of a doc comment has no line breaks of its own.
    private static func oneLine(_ words: String) -> String {
        words.split { $0.isNewline }.joined(separator: " ")
    }
}

/// An argument of an endpoint's function.
struct EndpointArgument {
    /// Without backticks.
    var name: String
    var label: Label
    var type: SwiftType
    var defaultValue: String?
    var summary: String?

    enum Label { case none, name }

    var declaration: String {
        let label = label == .none ? "_ \(SwiftLiteral.identifier(name))" : SwiftLiteral.label(name)
        return "\(label): \(type.text)" + (defaultValue.map { " = \($0)" } ?? "")
    }
}

extension OperationPlan {
    /// The arguments in the order of the function: required ones, the body, optional ones.
    var arguments: [EndpointArgument] {
        let plain = parameters.map { parameter in
            EndpointArgument(
                name: parameter.name, label: .name, type: parameter.type,
                defaultValue: parameter.type.isOptional ? "nil" : nil,
                summary: parameter.summary)
        }
        let all = plain.filter { $0.defaultValue == nil } + bodyArguments.filter { $0.defaultValue == nil }
        return all + bodyArguments.filter { $0.defaultValue != nil } + plain.filter { $0.defaultValue != nil }
            + serverArguments
    }

    /// The variables in the base URL of this operation alone.
    private var serverArguments: [EndpointArgument] {
        (server?.variables ?? []).map { variable in
            let values = variable.values.isEmpty ? "" : " One of " + variable.values.joined(separator: ", ") + "."
            return EndpointArgument(
                name: variable.name, label: .name, type: .string,
                defaultValue: SwiftLiteral.string(variable.defaultValue),
                summary: (variable.summary ?? "Replaces `{\(variable.key)}` in the base URL.") + values)
        }
    }

    private var bodyArguments: [EndpointArgument] {
        guard let body else { return [] }
        func single(_ type: SwiftType, _ label: EndpointArgument.Label) -> [EndpointArgument] {
            [
                EndpointArgument(
                    name: body.name, label: label, type: body.isRequired ? type : .optional(type),
                    defaultValue: body.isRequired ? nil : "nil", summary: body.summary)
            ]
        }
        switch body.kind {
        case .json(let type, _): return single(type.unwrapped, .none)
        case .lines(let type, _): return single(.array(type), .none)
        case .text: return single(.string, .name)
        case .stream(let mediaType):
            guard let typeName = body.typeName else { return single(.builtin("HTTPBody"), .name) }
            return single(.builtin("HTTPBody"), .name) + [
                EndpointArgument(
                    name: typeName, label: .name, type: .builtin("MediaType"),
                    defaultValue: body.isRequired ? nil : ".octetStream", summary: "The type of the body: \(mediaType)."
                )
            ]
        case .form(let fields), .multipart(let fields):
            let all = fields.flatMap(\.arguments).map { name, type, summary in
                EndpointArgument(
                    name: name, label: .name, type: type, defaultValue: type.isOptional ? "nil" : nil,
                    summary: summary)
            }
            return all.filter { $0.defaultValue == nil } + all.filter { $0.defaultValue != nil }
        }
    }
}

extension ResponsePlan {
    /// The type of the endpoint's response.
    var type: SwiftType {
        switch self {
        case .none, .events, .lines: .builtin("Void")
        case .json(let type): type
        case .text: .string
        case .data: .data
        case .byStatus(let plan): .model(plan.type)
        }
    }

    /// How an endpoint is sent whose response isn't one value; `nil` for others.
    fileprivate func usage(of name: String, hasArguments: Bool) -> String? {
        let call = ".\(SwiftLiteral.identifier(name))\(hasArguments ? "(…)" : "")"
        switch self {
        case .events(let type?, _): return "Server-sent events: `api.events(\(call)).decoded(as: \(type.text).self)`."
        case .events(nil, _): return "Server-sent events: `api.events(\(call))`."
        case .lines(let type):
            return "Lines of JSON: `api.stream(\(call)).jsonLines(of: \(type?.text ?? "JSONValue").self)`."
        case .data(let type): return "The body is \(type). Large ones are downloaded: `api.download(\(call), to: url)`."
        case .none, .json, .text, .byStatus: return nil
        }
    }
}

extension [SecurityRequirement] {
    /// The alternatives in words; `nil` if there is one scheme at most, without scopes.
    var words: String? {
        guard count > 1 || contains(where: \.isMoreThanOne) else { return nil }
        return map(\.words).joined(separator: ", or ")
    }
}

extension SecurityRequirement {
    /// Whether it has several schemes, or scopes.
    fileprivate var isMoreThanOne: Bool { schemes.count > 1 || schemes.contains { !$0.scopes.isEmpty } }

    fileprivate var words: String {
        let schemes = schemes.map { scheme in
            let scopes = scheme.scopes.map { "`\($0)`" }.joined(separator: ", ")
            return "`\(scheme.name)`" + (scopes.isEmpty ? "" : " with the scopes \(scopes)")
        }
        return schemes.isEmpty ? "no credential" : schemes.joined(separator: " and ")
    }
}
