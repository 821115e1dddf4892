import GodwitCore

/// The results of one subscription, for one loop.
protocol SubscriptionFeed {
    /// The next result as JSON; `nil` after the last.
    nonisolated(nonsending) func next() async throws(NetworkError) -> Data?
}

/// Starts subscriptions by the client's transport.
final class SubscriptionSource: Sendable {
    private let api: APIClient
    private let path: EndpointPath
    private let options: GraphQLSubscriptionOptions
    private let partLimit: Int
    /// `nil` if each subscription has a request of its own.
    let hub: SubscriptionHub?

    init(_ api: APIClient, _ path: EndpointPath, _ options: GraphQLSubscriptionOptions, partLimit: Int) {
        (self.api, self.options, self.partLimit) = (api, options, partLimit)
        let ownPath: EndpointPath
        switch options.transport {
        case .webSocket(let own), .legacyWebSocket(let own), .eventStream(let own), .singleEventStream(let own),
            .multipart(let own):
            ownPath = own ?? path
        }
        self.path = ownPath
        hub = Self.connect(api, ownPath, options).map { SubscriptionHub(api, options, connect: $0) }
    }

    private static func connect(
        _ api: APIClient, _ path: EndpointPath, _ options: GraphQLSubscriptionOptions
    ) -> SubscriptionHub.Connect? {
        switch options.transport {
        case .eventStream, .multipart: nil
        case .webSocket:
            { () throws(NetworkError) in try await SocketConnection.open(api, path, .transport, options) }
        case .legacyWebSocket:
            { () throws(NetworkError) in try await SocketConnection.open(api, path, .legacy, options) }
        case .singleEventStream: { () throws(NetworkError) in try await EventStreamConnection.open(api, path) }
        }
    }

    /// Starts a subscription.
    func feed(_ operation: JSONMembers) -> any SubscriptionFeed {
        if let hub { return SharedFeed(hub, operation) }
        guard case .multipart = options.transport else { return EventFeed(api, path, operation, options) }
        var options = options
        options.idleTimeout = .zero
        let hub = SubscriptionHub(api, options) { [api, path, partLimit] () throws(NetworkError) in
            try await MultipartConnection.open(api, path, operation, limit: partLimit)
        }
        return SharedFeed(hub, operation)
    }
}

/// A subscription of a hub. Releasing it ends the subscription.
final class SharedFeed: SubscriptionFeed {
    private let hub: SubscriptionHub
    private let inbox: SubscriptionInbox

    init(_ hub: SubscriptionHub, _ operation: JSONMembers) {
        self.hub = hub
        inbox = hub.add(operation)
    }

    deinit {
        hub.remove(inbox)
    }

    nonisolated(nonsending) func next() async throws(NetworkError) -> Data? {
        try await inbox.next()
    }
}

/// A subscription over a stream of server-sent events of its own (graphql-sse, distinct connections mode).
final class EventFeed: SubscriptionFeed {
    private var events: EventSource.AsyncIterator?

    init(
        _ api: APIClient, _ path: EndpointPath, _ operation: JSONMembers, _ options: GraphQLSubscriptionOptions
    ) {
        let endpoint = Endpoint<Data>(
            method: .post, path: path, body: .data(Data(operation.text), type: .json), accept: "text/event-stream"
        ) { data, _, _ in data }
        let source = api.events(endpoint.options { $0.modelInvalidation = .off }) { source in
            source.reconnection = options.reconnection == .resubscribe ? .always : .never
            source.backoff = options.backoff
            source.failureLimit = options.failureLimit
            source.generator = options.randomness
            guard let report = options.onStateChange else { return }
            source.onStateChange = { report(Self.state($0)) }
        }
        events = source.makeAsyncIterator()
    }

    /// An event source's state in the words of subscriptions.
    private static func state(_ state: EventSource.State) -> GraphQLSubscriptionOptions.State {
        switch state {
        case .connecting: .connecting
        case .open: .open
        case .waiting(let pause, let error): .waiting(pause, after: error ?? lost)
        case .closed: .closed(nil)
        }
    }

    private static let lost = NetworkError(
        .transport(.connectionLost("the event stream ended without `complete`")), phase: .receiving)

    nonisolated(nonsending) func next() async throws(NetworkError) -> Data? {
        while var iterator = events.take() {
            guard let event = try await read(&iterator) else { throw Self.lost }
            switch event.type {
            case "next":
                events = iterator
                return Data(event.data.utf8)
            case "complete": return nil
            default: events = iterator
            }
        }
        return nil
    }

    private nonisolated(nonsending) func read(
        _ iterator: inout EventSource.AsyncIterator
    ) async throws(NetworkError) -> ServerSentEvent? {
        do throws(NetworkError) {
            return try await iterator.next(isolation: #isolation)
        } catch {
            // A refused operation is answered with a GraphQL response instead of events.
            guard let body = error.body, let result = RawResult(parsing: body), !result.errors.isEmpty else {
                throw error
            }
            var failure = result.failure(error.response)
            failure.request = error.request
            if let status = error.response?.status, !status.isSuccessful { failure.kind = error.kind }
            throw failure
        }
    }
}
