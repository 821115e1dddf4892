public import GodwitCore

/// Configures a ``GraphQLClient``.
///
/// ```swift
/// let graphQL = GraphQLClient(api) {
///     $0.queries = .get
///     $0.persistedQueries = .automatic
/// }
/// ```
public struct GraphQLOptions: Sendable, Nonisolated {
    /// The method of queries. Mutations always use POST.
    public enum QueryMethod: Sendable, Hashable {
        /// POST. The response can't be stored by a cache.
        case post
        /// GET, so that the client's cache applies; POST if the URL were longer than 8000 bytes.
        case get
    }

    /// Whether documents are replaced by their hashes.
    public enum PersistedQueries: Sendable, Hashable {
        /// Always sends the text, never a hash.
        case off
        /// The hash is sent, and the text only if the server doesn't know the hash.
        ///
        /// If the server doesn't support this, the client remembers it.
        case automatic
    }

    /// The method of queries. ``QueryMethod/post`` by default.
    public var queries = QueryMethod.post

    /// Whether documents are replaced by their hashes. ``PersistedQueries/off`` by default.
    public var persistedQueries = PersistedQueries.off

    /// How queries that are sent at almost the same time share a request. `nil` (the default) means not at all.
    public var batching: GraphQLBatching?

    /// How subscriptions are transported, and how they end.
    public var subscriptions = GraphQLSubscriptionOptions()

    /// The maximum bytes of one part of a response in parts, and of the merged data of `@defer`. 16 MiB by default.
    public var partLimit = 16 << 20

    /// Creates options with default values.
    public init() {}
}

/// Configures how queries share a request. The server must support lists of operations.
///
/// ```swift
/// let graphQL = GraphQLClient(api) { $0.batching = GraphQLBatching(window: .milliseconds(10), limit: 20) }
/// ```
///
/// Mutations, operations with fields or options of their own, and subscriptions aren't batched. A batch sends texts, not
/// hashes.
public struct GraphQLBatching: Sendable, Hashable {
    /// How long the first query of a batch waits for others.
    public var window: Duration

    /// The maximum operations in a request; a full batch is sent immediately.
    public var limit: Int

    /// Creates a configuration with a window of time and a maximum of operations.
    ///
    /// - Parameters:
    ///   - window: How long the first query of a batch waits for others.
    ///   - limit: Less than 1 counts as 1.
    public init(window: Duration = .milliseconds(10), limit: Int = 10) {
        self.window = window
        self.limit = max(1, limit)
    }
}
