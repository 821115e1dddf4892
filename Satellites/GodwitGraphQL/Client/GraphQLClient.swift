public import GodwitCore

/// Sends the operations of one GraphQL API through an `APIClient`.
///
/// ```swift
/// let graphQL = GraphQLClient(APIClient(baseURL: "https://api.example.com"))
/// let me = try await graphQL.send(.viewer(first: 10))
/// for try await event in graphQL.subscribe(.onComment(article: 42)) { show(event) }
/// ```
///
/// Requests go through the middlewares of the `APIClient`: credentials, retries, logging, and the cache for queries with
/// GET. Queries can be retried even as POST; mutations are sent once.
///
/// Any number of tasks can use a client at the same time. Create one per API and keep it.
public final class GraphQLClient: Sendable, Nonisolated {
    /// The client whose middlewares and JSON settings apply.
    public let api: APIClient

    /// The options that the client was created with.
    public let options: GraphQLOptions

    let exchange: OperationExchange
    private let batches: BatchQueue?
    let subscriptions: SubscriptionSource

    /// Creates a GraphQL client that sends its requests through an API client.
    ///
    /// - Parameters:
    ///   - api: Sends the requests.
    ///   - path: The path of the GraphQL endpoint below the base URL.
    ///   - configure: Changes the options.
    public init(_ api: APIClient, path: EndpointPath = "graphql", configure: (inout GraphQLOptions) -> Void = { _ in })
    {
        var options = GraphQLOptions()
        configure(&options)
        self.api = api
        self.options = options
        let exchange = OperationExchange(api, path, options)
        self.exchange = exchange
        batches = options.batching.map { BatchQueue($0, exchange) }
        subscriptions = SubscriptionSource(api, path, options.subscriptions, partLimit: options.partLimit)
    }

    /// Sends a query or a mutation and returns its data.
    ///
    /// - Throws: `NetworkError` if the exchange fails, or if the server reports any error, as data with missing parts could
    ///   be taken for complete. `NetworkError.graphQLErrors` has the errors. ``response(for:)`` returns partial data.
    public func send<Value>(_ operation: GraphQLOperation<Value>) async throws(NetworkError) -> Value {
        let (result, response) = try await result(of: operation)
        guard result.errors.isEmpty else { throw result.failure(response) }
        return try exchange.read(Value.self, result, response).value
    }

    /// Sends a query or a mutation and returns its data, which may be partial, with the errors of the fields that failed.
    ///
    /// - Throws: `NetworkError` if the exchange fails, or if `Value` can't represent the data.
    public func response<Value>(
        for operation: GraphQLOperation<Value>
    ) async throws(NetworkError) -> GraphQLResponse<Value> {
        let (result, response) = try await result(of: operation)
        return try exchange.read(Value.self, result, response)
    }

    /// Returns the result of an operation with `@defer` or `@stream`, each time more of it has arrived.
    ///
    /// ```swift
    /// for try await update in graphQL.updates(for: .viewer(first: 10)) { show(update.value) }
    /// ```
    public func updates<Value>(for operation: GraphQLOperation<Value>) -> GraphQLUpdates<Value> {
        GraphQLUpdates(operation: operation, exchange: exchange, limit: options.partLimit)
    }

    /// Returns the events of a subscription. Each loop over them starts its own.
    ///
    /// ```swift
    /// for try await event in graphQL.subscribe(.onComment(article: 42)) { show(event) }
    /// ```
    public func subscribe<Value>(_ subscription: GraphQLSubscription<Value>) -> GraphQLEvents<Value> {
        GraphQLEvents(
            responses: GraphQLResponses(
                subscription: subscription, coding: exchange.coding, source: subscriptions))
    }

    /// Returns the request of an operation. Sends nothing.
    ///
    /// - Throws: `.invalidURL` or `.encoding` if the request can't be built.
    public func request<Value>(for operation: GraphQLOperation<Value>) throws(NetworkError) -> HTTPRequest {
        let encoded = try EncodedOperation(operation, exchange.coding)
        return try exchange.request(operation, encoded, .document)
    }

    private func result<Value>(
        of operation: GraphQLOperation<Value>
    ) async throws(NetworkError) -> (RawResult, HTTPResponse) {
        let encoded = try EncodedOperation(operation, exchange.coding)
        if let batches, operation.isBatchable, encoded.files.isEmpty {
            return try await batches.send(encoded.members(.document))
        }
        return try await exchange.send(operation, encoded)
    }
}

extension GraphQLOperation {
    /// Whether the operation can share a request with others.
    var isBatchable: Bool { kind == .query && fields.isEmpty && adjust == nil }
}
