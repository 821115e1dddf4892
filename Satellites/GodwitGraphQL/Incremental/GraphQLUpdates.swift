public import GodwitCore

/// The result of an operation with `@defer` or `@stream`, each time more of it has arrived.
///
/// ```swift
/// for try await update in graphQL.updates(for: .viewer(first: 10)) { show(update.value, isRefreshing: !update.isComplete) }
/// ```
///
/// Each update is the whole result so far: deferred fields are `nil` until they arrive, so their members must be optional. A
/// server without incremental delivery sends one complete result. Each loop sends the operation; leaving the loop ends the
/// transfer.
///
/// Understands the current draft (`pending`, `incremental`, `completed`) and the older forms with a path for each patch, as
/// `multipart/mixed` and as server-sent events.
public struct GraphQLUpdates<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = GraphQLUpdate<Value>
    public typealias Failure = NetworkError

    let operation: GraphQLOperation<Value>
    let exchange: OperationExchange
    let limit: Int

    /// Starts a loop with its own request.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(updates: self)
    }

    /// Sends the operation at the first ``next()``.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case idle
            // The only reference, so that releasing the iterator ends the transfer.
            case reading(IncrementalReader)
            case done
        }

        private let updates: GraphQLUpdates
        private var state = State.idle

        init(updates: GraphQLUpdates) {
            self.updates = updates
        }

        /// The next update; `nil` after the complete result. Throws `NetworkError` if the exchange fails, or without data.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> GraphQLUpdate<Value>? {
            if case .idle = state {
                state = .done
                state = .reading(try await updates.exchange.open(updates.operation, limit: updates.limit))
            }
            guard case .reading(var reader) = state else { return nil }
            state = .done
            guard let result = try await reader.next(isolation: actor) else { return nil }
            let coding = updates.exchange.coding
            let response = try result.response(Value.self, coding, reader.response.head)
            let update = GraphQLUpdate(
                value: response.value, errors: response.errors, extensions: response.extensions,
                isComplete: reader.isComplete)
            if !reader.isComplete { state = .reading(reader) }
            return update
        }

        public mutating func next() async throws(NetworkError) -> GraphQLUpdate<Value>? {
            try await next(isolation: nil)
        }
    }
}

/// A result of an operation with `@defer` or `@stream`, as far as it has arrived.
public struct GraphQLUpdate<Value: Sendable>: Sendable, Nonisolated {
    /// The data that has arrived so far.
    public let value: Value

    /// The errors that have arrived so far.
    public let errors: [GraphQLError]

    /// What the server added so far.
    public let extensions: [String: JSONValue]

    /// Whether this is the last update.
    public let isComplete: Bool
}

extension OperationExchange {
    private static let incremental =
        "multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824, text/event-stream, \(accept)"

    /// Sends an operation whose result may arrive in parts.
    fileprivate func open<Value>(
        _ operation: GraphQLOperation<Value>, limit: Int
    ) async throws(NetworkError) -> IncrementalReader {
        let encoded = try EncodedOperation(operation, coding)
        var request = try request(operation, encoded, .document, accept: Self.incremental)
        request.delivery = .streamed
        // The client's total timeout would cut off slow parts; the operation's own applies.
        var own = RequestOptions()
        operation.adjust?(&own)
        request.options.timeouts.total = own.timeouts.total
        return IncrementalReader(try await api.send(request), self, limit: limit)
    }
}
