public import GodwitCore

/// An error in a GraphQL response (GraphQL specification, section 7.1.2).
public struct GraphQLError: Error, Sendable, Hashable, Nonisolated {
    /// A place in the document, from 1.
    public struct Location: Sendable, Hashable {
        /// The line, from 1.
        public let line: Int
        /// The column, from 1.
        public let column: Int

        /// Creates a place from a line and a column, both from 1.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// A step on the way to a value of the response.
    public enum PathComponent: Sendable, Hashable {
        /// A field, by its name or alias in the response.
        case field(String)
        /// An element of a list, from 0.
        case index(Int)
    }

    /// What went wrong, for developers.
    public var message: String

    /// The places in the document that the error is about; empty if the server names none.
    public var locations: [Location] = []

    /// The field of the response that failed and is `null`; empty if the whole operation failed.
    public var path: [PathComponent] = []

    /// What the server adds, such as a code.
    public var extensions: [String: JSONValue] = [:]

    /// Creates an error, for tests.
    public init(
        message: String, path: [PathComponent] = [], locations: [Location] = [], extensions: [String: JSONValue] = [:]
    ) {
        self.message = message
        self.locations = locations
        self.path = path
        self.extensions = extensions
    }

    /// The `code` in ``extensions``, such as `UNAUTHENTICATED`.
    public var code: String? { extensions["code"]?.string }

    /// The path in one line: `viewer.articles[2].title`.
    public var pathDescription: String {
        path.reduce(into: "") { text, component in
            switch component {
            case .field(let name): text += text.isEmpty ? name : ".\(name)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}

extension GraphQLError: CustomStringConvertible {
    /// The path and the message.
    public var description: String {
        path.isEmpty ? message : "\(pathDescription): \(message)"
    }
}

extension GraphQLError.PathComponent: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// Creates a step to a field from its name.
    public init(stringLiteral name: String) { self = .field(name) }
    /// Creates a step to an element of a list from its index.
    public init(integerLiteral index: Int) { self = .index(index) }

    init?(_ element: JSONElement) {
        if let name = element.string {
            self = .field(name)
        } else if let index: Int = element.integer() {
            self = .index(index)
        } else {
            return nil
        }
    }
}

extension GraphQLError {
    /// More errors than this are dropped: a server with a broken resolver reports one for each element of a list.
    static let mostErrors = 1000

    /// Reads an error leniently: only the message must be a string.
    init(_ element: JSONElement) {
        message = element["message"]?.string ?? "the server reported an error without a message"
        locations =
            element["locations"]?.elements.compactMap { place in
                guard let line: Int = place["line"]?.integer(), let column: Int = place["column"]?.integer() else {
                    return nil
                }
                return Location(line: line, column: column)
            } ?? []
        path = element["path"]?.elements.compactMap(PathComponent.init) ?? []
        extensions = element["extensions"].map(JSONValue.init)?.members ?? [:]
    }

    /// The errors in a list; `nil` if the element isn't one.
    static func list(_ element: JSONElement?) -> [GraphQLError]? {
        guard let element, element.kind == .array else { return nil }
        return element.elements.prefix(mostErrors).map(GraphQLError.init)
    }
}

extension JSONValue {
    /// The members of an object; `nil` for other values.
    var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }
}
