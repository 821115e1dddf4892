public import GodwitCore

/// The result of an operation: data, which may be partial, and the errors of the fields that failed.
///
/// ```swift
/// let response = try await graphQL.response(for: .viewer(first: 10))
/// for error in response.errors { print(error.pathDescription, error.message) }
/// ```
public struct GraphQLResponse<Value: Sendable>: Sendable, Nonisolated {
    /// The data. Fields that failed are `nil`.
    public let value: Value

    /// The errors. Empty if all fields succeeded.
    public let errors: [GraphQLError]

    /// What the server adds to the response, such as costs.
    public let extensions: [String: JSONValue]

    /// The status and header fields; `nil` for an event of a subscription over a WebSocket.
    public let head: HTTPResponseHead?

    /// Creates a response, for tests.
    public init(
        value: Value, errors: [GraphQLError] = [], extensions: [String: JSONValue] = [:],
        head: HTTPResponseHead? = nil
    ) {
        self.value = value
        self.errors = errors
        self.extensions = extensions
        self.head = head
    }

    /// The first error at a field, by its path.
    public func error(at path: GraphQLError.PathComponent...) -> GraphQLError? {
        errors.first { $0.path == path }
    }
}

/// Why an operation has no usable data: the `NetworkError.underlying` error of a failed GraphQL call.
///
/// Read it with `NetworkError.graphQLErrors`.
public struct GraphQLFailure: Error, Sendable, Hashable, Nonisolated {
    /// The server's errors.
    public let errors: [GraphQLError]

    /// The data, possibly partial, as the server sent it; `nil` if there was none.
    public let data: JSONValue?
}

extension GraphQLFailure: CustomStringConvertible {
    /// The first errors in one line, for developers: servers repeat what they were sent.
    public var description: String {
        let shown = errors.prefix(Self.mostShown).map(\.description).joined(separator: "; ")
        let more = errors.count - Self.mostShown
        return more > 0 ? "\(shown); and \(more) more" : shown
    }

    private static let mostShown = 5
}

extension GraphQLFailure: LibraryError {
    package func quoting(_ shown: (String?) -> String?) -> any Error {
        let errors = errors.map { error in
            var error = error
            error.message = shown(error.message) ?? ""
            return error
        }
        return GraphQLFailure(errors: errors, data: data)
    }
}

extension NetworkError {
    /// The errors that a GraphQL server reported; empty if this isn't its failure.
    ///
    /// ```swift
    /// do {
    ///     try await graphQL.send(.rename(id: 42, to: title))
    /// } catch {
    ///     for failure in error.graphQLErrors { print(failure.message, failure.code ?? "") }
    /// }
    /// ```
    public var graphQLErrors: [GraphQLError] { (underlying as? GraphQLFailure)?.errors ?? [] }
}
