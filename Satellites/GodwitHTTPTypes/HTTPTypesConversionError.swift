#if HTTPTypes
/// The reason why a message has no equal in the other package's types.
public enum HTTPTypesConversionError: Error, Sendable, Hashable {
    /// The name isn't a token, or a pseudo field such as `:path` is among the header fields.
    case fieldName(String)
    /// The value of this field holds CR, LF or NUL, or begins or ends with whitespace.
    case fieldValue(name: String)
    /// The request lacks this pseudo field, such as `:path` in a `CONNECT` request.
    case missingPseudoField(String)
    /// This pseudo field has no equal, such as `:protocol`.
    case pseudoField(String)
    /// The scheme, authority and path aren't a URL.
    case url(reason: String)
    /// The URL is valid, but would be sent as another one: this is what it becomes.
    case urlChanges(to: String)
    /// The status is below 100 or above 999.
    case status(Int)
}

extension HTTPTypesConversionError: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .fieldName(let name): "\"\(name)\" is not a field name"
        case .fieldValue(let name): "the value of \(name) holds CR, LF or NUL, or whitespace around it"
        case .missingPseudoField(let name): "the request has no \(name)"
        case .pseudoField(let name): "the pseudo field \(name) has no equal"
        case .url(let reason): "invalid URL: \(reason)"
        case .urlChanges(let url): "the URL is not in normal form; write \(url)"
        case .status(let code): "\(code) is not a status from 100 to 999"
        }
    }
}
#endif
