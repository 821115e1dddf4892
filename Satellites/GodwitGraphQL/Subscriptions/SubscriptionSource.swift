import GodwitCore

/// Starts subscriptions by the client's transport.
final class SubscriptionSource: Sendable {
    private typealias Open = @Sendable (JSONMembers) async throws(NetworkError) -> any SubscriptionConnection

    private let api: APIClient
    private let options: GraphQLSubscriptionOptions
    private let carrier: Carrier

    /// What carries events.
    private enum Carrier {
        /// One connection for all subscriptions.
        case shared(SubscriptionHub)
        /// A connection for each subscription, started by the request.
        case own(Open)
    }

    init(_ api: APIClient, _ path: EndpointPath, _ options: GraphQLSubscriptionOptions, partLimit: Int) {
        self.api = api
        self.options = options
        let shared = { (connect: @escaping SubscriptionHub.Connect) in
            Carrier.shared(SubscriptionHub(api, options, connect: connect))
        }
        switch options.transport {
        case .webSocket(let own):
            carrier = shared { () throws(NetworkError) in
                try await SocketConnection.open(api, own ?? path, .transport, options)
            }
        case .legacyWebSocket(let own):
            carrier = shared { () throws(NetworkError) in
                try await SocketConnection.open(api, own ?? path, .legacy, options)
            }
        case .singleEventStream(let own):
            carrier = shared { () throws(NetworkError) in try await EventStreamConnection.open(api, own ?? path) }
        case .eventStream(let own):
            let exchange = OperationExchange(api, own ?? path, GraphQLOptions())
            carrier = .own { operation throws(NetworkError) in
                try await DistinctEventConnection.open(exchange, operation, limit: partLimit)
            }
        case .multipart(let own):
            let exchange = OperationExchange(api, own ?? path, GraphQLOptions())
            carrier = .own { operation throws(NetworkError) in
                try await MultipartConnection.open(exchange, operation, limit: partLimit)
            }
        }
    }

    /// Starts a subscription.
    func feed(_ operation: JSONMembers) -> SubscriptionFeed {
        switch carrier {
        case .shared(let hub): return SubscriptionFeed(hub, operation)
        case .own(let open):
            var options = options
            options.idleTimeout = .zero
            let hub = SubscriptionHub(api, options) { () throws(NetworkError) in
                try await open(operation)
            }
            return SubscriptionFeed(hub, operation)
        }
    }
}

/// A subscription of a hub, for one loop. Releasing it ends the subscription.
final class SubscriptionFeed {
    private let hub: SubscriptionHub
    private let buffer: SubscriptionBuffer

    init(_ hub: SubscriptionHub, _ operation: JSONMembers) {
        self.hub = hub
        buffer = hub.add(operation)
    }

    deinit {
        hub.remove(buffer)
    }

    /// The next result as JSON; `nil` after the last.
    nonisolated(nonsending) func next() async throws(NetworkError) -> Data? {
        try await buffer.next()
    }
}
