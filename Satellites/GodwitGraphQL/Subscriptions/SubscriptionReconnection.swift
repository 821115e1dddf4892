import GodwitCore
import GodwitSupport

/// Decides whether a lost connection of subscriptions is made again. A pure value.
struct SubscriptionReconnection {
    /// How a connection ended.
    struct Ending {
        let error: NetworkError
        /// How long the connection was open; `nil` if the server never accepted it.
        let lifetime: Duration?
        /// Whether it delivered an event.
        let hadEvents: Bool
    }

    /// The pause after a connection that lasted this long is that of a first failure.
    private static let settled = Duration.seconds(10)

    private let options: GraphQLSubscriptionOptions
    /// Connections in a row that the server never accepted.
    private var failedConnections = 0
    /// Whether the server has accepted a connection.
    private var wasAccepted = false
    /// Endings in a row, for the pause.
    private var endings = 0
    /// Whether a new token was tried after the last event.
    private var triedNewToken = false

    init(_ options: GraphQLSubscriptionOptions) {
        self.options = options
    }

    /// The failures that the pause before the next connection follows from; `nil` if the subscriptions end.
    mutating func failures(after ending: Ending) -> Int? {
        failedConnections = ending.lifetime == nil ? failedConnections + 1 : 0
        if ending.lifetime != nil { wasAccepted = true }
        endings = (ending.lifetime ?? .zero) >= Self.settled ? 1 : endings + 1
        if ending.hadEvents { triedNewToken = false }
        guard options.reconnection == .resubscribe, options.failureLimit.map({ failedConnections <= $0 }) ?? true,
            isWorthwhile(after: ending)
        else { return nil }
        return endings
    }

    /// Whether another attempt may follow. The first connection has a limit of time, so that no loop is silent for minutes.
    ///
    /// - Parameter time: The time since the first attempt.
    func hasTime(for pause: Duration, after time: Duration) -> Bool {
        wasAccepted || pause < options.connectTimeout.bounded - time.bounded
    }

    private mutating func isWorthwhile(after ending: Ending) -> Bool {
        let wasOpen = ending.lifetime != nil
        switch ending.error.graphQLCloseCode {
        // A token that was valid at the start of the connection has expired: the next connection has a new one.
        case .graphQLUnauthorized?, .graphQLForbidden?:
            defer { triedNewToken = true }
            return wasOpen && !triedNewToken
        case .normalClosure?: return wasOpen
        case let code?: return code.isWorthResubscribing
        case nil: return ending.error.isRetryable
        }
    }
}
