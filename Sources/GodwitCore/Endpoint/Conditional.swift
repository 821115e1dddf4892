/// What a conditional read brings: new content, or the news that there is none (RFC 9110 section 13.1).
///
/// ```swift
/// switch try await api.send(.article(id: 42).ifNoneMatch(etag)) {
/// case .modified(let article, let etag): save(article, etag)
/// case .notModified: break
/// }
/// ```
public enum Conditional<Value: Sendable>: Sendable {
    /// The content is another by now. The tag names it in the next condition; nil where the server gave none.
    case modified(Value, etag: String?)
    /// What the caller has still holds (304).
    case notModified

    /// The new content; nil where what the caller has still holds.
    public var value: Value? {
        if case .modified(let value, _) = self { value } else { nil }
    }
}

extension Conditional: Equatable where Value: Equatable {}
extension Conditional: Hashable where Value: Hashable {}
