public import GodwitCore

/// The events of a subscription as they arrive.
///
/// ```swift
/// for try await event in graphQL.subscribe(.onComment(article: 42)) { show(event) }
/// ```
///
/// - **Starting**: each loop starts its own subscription when it asks for the first event.
/// - **Leaving** the loop ends the subscription on the server. Canceling its task also throws `.cancelled`.
/// - **Slow loops**: the server is slowed down, and no event is lost; see ``GraphQLSubscriptionOptions/overflow``.
/// - **The end**: the loop ends when the server completes the subscription. It throws the server's errors
///   (`NetworkError.graphQLErrors`), what ended the connection, or `.transport(.other)` if the loop held up other
///   subscriptions for too long.
///
/// An event with errors ends the loop with them. ``responses`` returns such events.
public struct GraphQLEvents<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = NetworkError

    /// The events with their errors. Only a failure of the whole subscription ends the loop.
    public let responses: GraphQLResponses<Value>

    /// Starts a subscription.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(responses: responses.makeAsyncIterator())
    }

    /// One loop over the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var responses: GraphQLResponses<Value>.AsyncIterator

        /// Waits for the next event; `nil` after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Value? {
            guard let response = try await responses.next(isolation: actor) else { return nil }
            guard response.errors.isEmpty else {
                responses.stop()
                throw RawResult(errors: response.errors).failure(response.head)
            }
            return response.value
        }

        public mutating func next() async throws(NetworkError) -> Value? {
            try await next(isolation: nil)
        }
    }
}

/// The events of a subscription with the errors of their fields; see ``GraphQLEvents/responses``.
public struct GraphQLResponses<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = GraphQLResponse<Value>
    public typealias Failure = NetworkError

    let subscription: GraphQLSubscription<Value>
    let coding: JSONCoding
    let source: SubscriptionSource

    /// Starts a subscription.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(responses: self)
    }

    /// One loop over the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case idle
            // The only reference, so that releasing the iterator ends the subscription.
            case open(SubscriptionFeed)
            case done
        }

        private let responses: GraphQLResponses
        private var state = State.idle

        init(responses: GraphQLResponses) {
            self.responses = responses
        }

        mutating func stop() {
            state = .done
        }

        /// Waits for the next event; `nil` after the last.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> GraphQLResponse<Value>? {
            guard let feed = try start() else { return nil }
            state = .done
            guard let event = try await feed.next() else { return nil }
            guard let result = RawResult(parsing: event) else {
                let failure = NetworkError.DecodingFailure(path: "", reason: "the event is not a GraphQL response")
                throw NetworkError(.decoding(failure), phase: .decoding)
            }
            let response = try result.response(Value.self, responses.coding, nil)
            state = .open(feed)
            return response
        }

        public mutating func next() async throws(NetworkError) -> GraphQLResponse<Value>? {
            try await next(isolation: nil)
        }

        private func start() throws(NetworkError) -> (SubscriptionFeed)? {
            switch state {
            case .idle:
                let subscription = responses.subscription
                let encoded = try EncodedOperation(subscription, responses.coding)
                return responses.source.feed(encoded.members(.document))
            case .open(let feed): return feed
            case .done: return nil
            }
        }
    }
}
