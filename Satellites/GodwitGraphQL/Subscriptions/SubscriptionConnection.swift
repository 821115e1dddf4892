import GodwitCore

/// What a server says about a subscription.
enum SubscriptionMessage: Sendable {
    /// A result.
    case next(id: String, Data)
    /// The operation was refused, or failed as a whole.
    case error(id: String, [GraphQLError])
    /// The operation couldn't be started. The connection continues.
    case failed(id: String, NetworkError)
    /// There are no more results.
    case complete(id: String)
}

/// A connection that carries subscriptions and is ready for them.
protocol SubscriptionConnection: Sendable {
    /// Starts a subscription. Returns what the server says immediately, if anything.
    func subscribe(_ id: String, _ operation: JSONMembers) async throws(NetworkError) -> SubscriptionMessage?

    /// Ends a subscription.
    func unsubscribe(_ id: String) async throws(NetworkError)

    /// Waits for the next message. For one reader. Throws what ended the connection.
    func receive() async throws(NetworkError) -> SubscriptionMessage

    /// Ends the connection.
    func close() async
}
