/// A method of a repository: an operation, or all elements of a list.
struct RepositoryMethod: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// Sends the endpoint once.
        case call
        /// Reads a stream, element by element.
        case stream
        /// Reads the pages of a list, element by element.
        case elements
    }

    let kind: Kind
    let name: String
    let arguments: [Argument]
    /// The type of the result, or of an element; `nil` for none.
    let value: String?
    /// What a live repository returns.
    let live: String
    let operation: OperationPlan

    /// The type that is returned, in Swift.
    var result: String? {
        switch kind {
        case .call: value
        case .stream, .elements: value.map { "any AsyncSequence<\($0), NetworkError> & Sendable" }
        }
    }

    /// What follows the parameters: ` async throws(NetworkError) -> Article`.
    var effects: String {
        let arrow = result.map { " -> \($0)" } ?? ""
        return kind == .call ? " async throws(NetworkError)\(arrow)" : arrow
    }

    /// The declaration without a body, as the items of a list.
    func declare(_ access: String, _ tail: String, _ text: inout SourceText) {
        text.list(
            "\(access)func \(SwiftLiteral.identifier(name))(", arguments.map(\.declaration), ")\(effects)\(tail)")
    }

    /// Declares a mock's closure, which may be `nil`, broken as swift-format does.
    func declareClosure(_ head: String, _ text: inout SourceText) {
        let parameters = arguments.map { "_ \(SwiftLiteral.label($0.name)): \($0.type.text)" }
        let tail = result == nil ? effects + " -> Void" : effects
        let type = "(@Sendable (\(parameters.joined(separator: ", ")))\(tail))?"
        if text.fits("\(head): \(type)") { return text.line("\(head): \(type)") }
        text.line("\(head):")
        text.indented { text in
            if text.fits(type) { return text.line(type) }
            text.line("(")
            text.indented { $0.list("@Sendable (", parameters, ")\(tail)") }
            text.line(")?")
        }
    }
}

extension RepositoryMethod {
    /// The method of an operation.
    init(_ call: OperationCall) {
        operation = call.operation
        name = call.operation.name
        arguments = call.arguments
        let endpoint = call.endpoint { SwiftLiteral.identifier($0.name) }
        live = call.operation.response.call(endpoint, with: Self.client(call.arguments))
        kind = call.operation.response.isStream ? .stream : .call
        switch call.operation.response {
        case .none: value = nil
        case .json(let type): value = type.text
        case .byStatus(let plan): value = plan.type.text
        case .text: value = "String"
        case .data: value = "Data"
        case .events(let type, _): value = type?.text ?? "ServerSentEvent"
        case .lines(let type): value = type?.text ?? "JSONValue"
        }
    }

    /// The method that reads all pages.
    init(_ pages: PagedOperation, named name: String) {
        kind = .elements
        self.name = name
        arguments = pages.arguments
        value = pages.item.text
        let items = pages.arguments.map { $0.passing(SwiftLiteral.identifier($0.name)) }
        live = "\(Self.client(pages.arguments)).\(pages.name)(\(items.joined(separator: ", "))).elements"
        operation = pages.operation
    }

    /// The client of a live repository; an argument can have its name.
    private static func client(_ arguments: [Argument]) -> String {
        arguments.contains { $0.name == "api" } ? "self.api" : "api"
    }
}

extension ResponsePlan {
    /// The expression that sends an endpoint and returns the response, or a sequence.
    func call(_ endpoint: String, with api: String = "api") -> String {
        switch self {
        case .none, .json, .text, .data, .byStatus: return "try await \(api).send(\(endpoint))"
        case .events(nil, _): return "\(api).events(\(endpoint))"
        case .events(let type?, let marker):
            let until = marker.map { ", until: \(SwiftLiteral.string($0))" } ?? ""
            return "\(api).events(\(endpoint)).decoded(as: \(type.text).self\(until))"
        case .lines(let type): return "\(api).stream(\(endpoint)).jsonLines(of: \(type?.text ?? "JSONValue").self)"
        }
    }
}
