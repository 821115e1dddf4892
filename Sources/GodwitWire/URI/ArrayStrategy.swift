/// How a list of values is written in a query or a form.
///
/// ```swift
/// let query: QueryItems = ["tag": ["a", "b"]]
/// query.arrays(.comma)                    // ?tag=a,b
/// ```
public enum ArrayStrategy: Sendable, Hashable {
    /// `tag=a&tag=b`
    case `repeat`

    /// `tag[]=a&tag[]=b`, with the brackets encoded.
    case brackets

    /// `tag=a,b`; a comma inside a value is encoded.
    case comma
}
