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

    /// The closure type of a mock.
    var closureType: String {
        let parameters = arguments.map { "_ \(SwiftLiteral.label($0.name)): \($0.type.text)" }
        return "@Sendable (\(parameters.joined(separator: ", ")))" + (result == nil ? effects + " -> Void" : effects)
    }
}

extension RepositoryMethod {
    /// The method of an operation.
    init(_ call: OperationCall) {
        operation = call.operation
        name = call.operation.name
        arguments = call.arguments
        let endpoint = call.endpoint { SwiftLiteral.identifier($0.name) }
        switch call.operation.response {
        case .none: (kind, value, live) = (.call, nil, "try await api.send(\(endpoint))")
        case .json(let type): (kind, value, live) = (.call, type.text, "try await api.send(\(endpoint))")
        case .text: (kind, value, live) = (.call, "String", "try await api.send(\(endpoint))")
        case .data: (kind, value, live) = (.call, "Data", "try await api.send(\(endpoint))")
        case .events(nil, _): (kind, value, live) = (.stream, "ServerSentEvent", "api.events(\(endpoint))")
        case .events(let type?, let marker):
            let until = marker.map { ", until: \(SwiftLiteral.string($0))" } ?? ""
            let decoded = "api.events(\(endpoint)).decoded(as: \(type.text).self\(until))"
            (kind, value, live) = (.stream, type.text, decoded)
        case .lines(let type):
            let element = type?.text ?? "JSONValue"
            (kind, value, live) = (.stream, element, "api.stream(\(endpoint)).jsonLines(of: \(element).self)")
        }
    }

    /// The method that reads all pages.
    init(_ pages: PagedOperation, named name: String) {
        kind = .elements
        self.name = name
        arguments = pages.arguments
        value = pages.item.text
        let items = pages.arguments.map { $0.passing(SwiftLiteral.identifier($0.name)) }
        live = "api.\(pages.name)(\(items.joined(separator: ", "))).elements"
        operation = pages.operation
    }
}
