public import GodwitCore

/// What a view shows of a ``LoadingState``.
package enum ContentPhase<Value> {
    /// Nothing has arrived yet.
    case loading
    /// The value has no elements.
    case empty(notice: NetworkError?)
    /// The value. If a refresh failed, with the error to show next to it.
    case content(Value, notice: NetworkError?)
    /// Nothing could be loaded.
    case failure(NetworkError)

    /// - Parameter isEmpty: Whether a value has nothing to show.
    package init(_ state: LoadingState<Value>, isEmpty: (Value) -> Bool) {
        if let value = state.value {
            self = isEmpty(value) ? .empty(notice: state.error) : .content(value, notice: state.error)
        } else if let error = state.error {
            self = .failure(error)
        } else {
            self = .loading
        }
    }
}

/// Whether a value is a collection without elements. Text is content, even if it has no characters.
package func isEmptyCollection(_ value: some Any) -> Bool {
    !(value is any StringProtocol) && (value as? any Collection)?.isEmpty == true
}

/// A failure that a view shows, with what it takes to load again.
public struct LoadFailure {
    /// The error to show.
    public let error: NetworkError

    /// Where the failure is shown.
    public let placement: Placement

    /// Loads again: the action of a retry button.
    public let retry: @MainActor @Sendable () async -> Void

    /// Where a failure is shown.
    public enum Placement: Sendable, Hashable {
        /// Alone, because there is nothing else to show.
        case alone
        /// Next to the last value: a refresh or the next page failed.
        case nextToContent
    }

    /// Creates a failure from an error and a closure that loads again.
    public init(
        _ error: NetworkError, placement: Placement = .alone, retry: @escaping @MainActor @Sendable () async -> Void
    ) {
        self.error = error
        self.placement = placement
        self.retry = retry
    }
}
