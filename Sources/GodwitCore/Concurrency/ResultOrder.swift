/// In which order the results of concurrent work are returned.
///
/// Used by `concurrentMap` and `concurrentResults`.
///
/// ```swift
/// let articles = try await ids.concurrentMap(limit: 6, ordering: .completion) { try await api.send(.article(id: $0)) }
/// ```
public enum ResultOrder: Sendable, Hashable {
    /// As the elements stand in the source.
    case source
    /// As the work was done.
    case completion
}
