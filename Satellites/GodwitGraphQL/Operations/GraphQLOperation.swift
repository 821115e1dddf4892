public import GodwitCore

/// A query or a mutation, and the type of its data.
///
/// Describe an API once, as static members:
///
/// ```swift
/// extension GraphQLOperation {
///     static func viewer(first: Int) -> GraphQLOperation<ViewerData> {
///         .query(
///             "query Viewer($first: Int!) { viewer { name articles(first: $first) { title } } }",
///             variables: ["first": first])
///     }
/// }
/// let data = try await graphQL.send(.viewer(first: 10))
/// ```
///
/// `Value` is the type of the response's `data`: a member for each field of the operation.
public struct GraphQLOperation<Value: Decodable & Sendable>: Sendable, Nonisolated {
    /// Whether the operation only reads.
    public enum Kind: Sendable, Hashable {
        /// Only reads: it can be retried, batched, and sent with GET.
        case query
        /// Changes something on the server: it is sent once, with POST.
        case mutation
    }

    /// Whether the operation only reads.
    public let kind: Kind

    /// The text of the operation, or its ID.
    public var document: GraphQLDocument

    /// The values of the document's variables.
    public var variables: GraphQLVariables

    private(set) var fields: HTTPFields = [:]
    private(set) var adjust: (@Sendable (inout RequestOptions) -> Void)?

    init(_ kind: Kind, _ document: GraphQLDocument, _ variables: GraphQLVariables) {
        self.kind = kind
        self.document = document
        self.variables = variables
    }

    /// Creates a query, which only reads.
    public static func query(_ document: GraphQLDocument, variables: GraphQLVariables = [:]) -> Self {
        Self(.query, document, variables)
    }

    /// Creates a mutation, which changes something on the server.
    public static func mutation(_ document: GraphQLDocument, variables: GraphQLVariables = [:]) -> Self {
        Self(.mutation, document, variables)
    }

    /// Changes the options of this operation's requests, as `Endpoint.options(_:)` does.
    ///
    /// ```swift
    /// let fresh = operation.options { $0.cachePolicy = .reloadRevalidating }
    /// ```
    public func options(_ change: @escaping @Sendable (inout RequestOptions) -> Void) -> Self {
        var copy = self
        guard let earlier = adjust else {
            copy.adjust = change
            return copy
        }
        copy.adjust = { options in
            earlier(&options)
            change(&options)
        }
        return copy
    }

    /// Sets a header field, replacing any of that name; `nil` removes it.
    public func header(_ name: HTTPField.Name, _ value: String?) -> Self {
        var copy = self
        copy.fields[name] = value
        return copy
    }

    /// Limits the time of the exchange, separately for each attempt. A longer one throws `.timedOut(.total)`.
    public func timeout(_ total: Duration) -> Self {
        options { $0.timeouts.total = total }
    }

    /// Sets how the client's cache may answer a query that is sent with GET.
    public func cachePolicy(_ policy: CachePolicy) -> Self {
        options { $0.cachePolicy = policy }
    }
}

extension GraphQLOperation: CustomStringConvertible {
    /// The kind and the name, such as `query Viewer`.
    public var description: String {
        "\(kind)" + (document.name.map { " \($0)" } ?? "")
    }
}

/// A subscription, and the type of the data of each event.
///
/// ```swift
/// extension GraphQLSubscription {
///     static func onComment(article: Int) -> GraphQLSubscription<CommentData> {
///         .subscription(
///             "subscription ($article: ID!) { comment(article: $article) { text } }",
///             variables: ["article": article])
///     }
/// }
/// for try await event in graphQL.subscribe(.onComment(article: 42)) { show(event) }
/// ```
public struct GraphQLSubscription<Value: Decodable & Sendable>: Sendable, Nonisolated {
    /// The text of the subscription, or its ID.
    public var document: GraphQLDocument

    /// The values of the document's variables.
    public var variables: GraphQLVariables

    /// Creates a subscription from a document and its variables.
    public static func subscription(_ document: GraphQLDocument, variables: GraphQLVariables = [:]) -> Self {
        Self(document: document, variables: variables)
    }
}
