/// In which order the results of concurrent work are returned.
///
/// Used by `concurrentMap` and `concurrentResults`.
public enum ResultOrder: Sendable, Hashable {
    /// As the elements stand in the source.
    case source
    /// As the work was done.
    case completion
}
