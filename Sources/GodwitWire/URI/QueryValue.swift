/// What stands behind a name in a query or a form.
///
/// ```swift
/// let query: QueryItems = ["verbose": QueryValue.flag, "author": QueryValue.absent]       // ?verbose
/// ```
public enum QueryValue: Sendable, Hashable, Nonisolated {
    /// Nothing: the item is left out.
    case absent

    /// The name alone, without `=`.
    case flag

    /// One value; an empty one is written `name=`.
    case text(String)

    /// Several values, written as the ``ArrayStrategy`` says; none of them leaves the item out.
    case list([String])
}
