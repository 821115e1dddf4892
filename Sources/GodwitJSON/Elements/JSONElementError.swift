/// Why ``JSONElementSplitter`` can't split a document into elements.
///
/// ```swift
/// do {
///     var splitter = try JSONElementSplitter(at: "data.items")
///     splitter.append(data)
///     while let element = try splitter.next() { print(element.count) }
///     try splitter.finish()
/// } catch {
///     print(error)                             // `data.items` is missing; there is `item`
/// }
/// ```
public enum JSONElementError: Error, Sendable, Hashable {
    /// The path can't be parsed. Nothing was read.
    case invalidPath(String, reason: String)
    /// The text isn't JSON, or is incomplete.
    case syntax(JSONSyntaxError)
    /// Nothing is at this path; the hint says what is there instead.
    case missing(path: String, hint: String)
    /// The value at this path is of another type: it must be an array, or on the way an object or array.
    case typeMismatch(path: String, expected: String, found: String)
    /// An element has more bytes than the limit.
    case tooLarge(limit: Int)
}

extension JSONElementError: CustomStringConvertible {
    /// What is wrong, where, and what is there instead.
    public var description: String {
        switch self {
        case .invalidPath(let path, let reason): "`\(path)` is not a path: \(reason)"
        case .syntax(let error): "\(error)"
        case .missing(let path, let hint): "`\(path)` is missing; \(hint)"
        case .typeMismatch("", let expected, let found): "expected \(expected), found \(found)"
        case .typeMismatch(let path, let expected, let found): "`\(path)`: expected \(expected), found \(found)"
        case .tooLarge(let limit): "an element has more than \(limit) bytes"
        }
    }
}
