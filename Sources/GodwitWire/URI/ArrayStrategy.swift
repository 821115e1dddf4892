/// How a list of values is written in a query or a form.
public enum ArrayStrategy: Sendable, Hashable {
    /// `tag=a&tag=b`
    case `repeat`

    /// `tag[]=a&tag[]=b`, with the brackets encoded.
    case brackets

    /// `tag=a,b`; a comma inside a value is encoded.
    case comma
}
