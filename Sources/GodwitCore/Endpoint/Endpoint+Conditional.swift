// Conditional requests (RFC 9110 section 13.1), evaluated by the server. They work with and without a cache: a cache
// never answers a request that has its own condition.
extension Endpoint {
    /// Requests the content only if its tag differs from this one (`If-None-Match`).
    ///
    /// ```swift
    /// switch try await api.send(.article(id: 42).ifNoneMatch(etag)) {
    /// case .modified(let article, let etag): save(article, etag)
    /// case .notModified: break
    /// }
    /// ```
    ///
    /// - Parameter tag: An `ETag` value as received, quotes included. `nil`, for a first request, sets no condition.
    public func ifNoneMatch(_ tag: String?) -> Endpoint<Conditional<Response>> {
        header(.ifNoneMatch, tag).conditional
    }

    /// Requests the content only if it changed after this date (`If-Modified-Since`).
    ///
    /// - Parameter date: The received `Last-Modified`, in whole seconds. Prefer ``ifNoneMatch(_:)`` if the server sends
    ///   tags.
    public func ifModifiedSince(_ date: Date?) -> Endpoint<Conditional<Response>> {
        header(.ifModifiedSince, date.map(HTTPDate.format)).conditional
    }

    /// Applies the request only if the content still has this tag (`If-Match`), which prevents lost updates. Throws
    /// `.client(status: 412)` if it has changed.
    ///
    /// ```swift
    /// let read = try await api.response(for: .article(id: 42))
    /// try await api.send(.save(draft).ifMatch(read.head.fields[.etag] ?? "*"))
    /// ```
    ///
    /// - Parameter tag: An `ETag` value as received, quotes included, or `*` for any existing content. Weak tags never
    ///   match.
    public func ifMatch(_ tag: String) -> Self {
        header(.ifMatch, tag)
    }

    /// Applies the request only if nothing exists yet (`If-None-Match: *`). Throws `.client(status: 412)` otherwise.
    public func ifAbsent() -> Self {
        header(.ifNoneMatch, "*")
    }

    /// Applies the request only if the content didn't change after this date (`If-Unmodified-Since`).
    ///
    /// - Parameter date: A date in whole seconds, like `Last-Modified`.
    public func ifUnmodifiedSince(_ date: Date) -> Self {
        header(.ifUnmodifiedSince, HTTPDate.format(date))
    }

    /// This endpoint, also accepting 304.
    private var conditional: Endpoint<Conditional<Response>> {
        let decode = decode
        let endpoint = Endpoint<Conditional<Response>>(
            method: method, path: path, query: query, fields: fields, body: body, accept: accept
        ) { (data, head, coding) throws(NetworkError) in
            guard head.status != .notModified else { return .notModified }
            return .modified(try decode(data, head, coding), etag: head.fields[.etag])
        }
        return (adjust.map(endpoint.options) ?? endpoint).accepting(.notModified)
    }
}

/// The result of a conditional read: new content, or not modified (RFC 9110 section 13.1).
///
/// ```swift
/// switch try await api.send(.article(id: 42).ifNoneMatch(etag)) {
/// case .modified(let article, let etag): save(article, etag)
/// case .notModified: break
/// }
/// ```
public enum Conditional<Value: Sendable>: Sendable {
    /// New content, and its tag for the next condition; `nil` if the server sent none.
    case modified(Value, etag: String?)
    /// The caller's copy is current (304).
    case notModified

    /// The new content; `nil` if the caller's copy is current.
    public var value: Value? {
        if case .modified(let value, _) = self { value } else { nil }
    }
}

extension Conditional: Equatable where Value: Equatable {}
extension Conditional: Hashable where Value: Hashable {}
