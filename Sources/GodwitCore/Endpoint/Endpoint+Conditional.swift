// Conditions that the server judges (RFC 9110 section 13.1). They work with and without a cache: a request with a
// condition of its own is never answered from one.
extension Endpoint {
    /// Asks for the content only where it is no longer the one with this tag (`If-None-Match`).
    ///
    /// ```swift
    /// switch try await api.send(.article(id: 42).ifNoneMatch(etag)) {
    /// case .modified(let article, let etag): save(article, etag)
    /// case .notModified: break
    /// }
    /// ```
    ///
    /// - Parameter tag: An `ETag` value as it was received, quotes included; nil, for a first time, sets no condition.
    public func ifNoneMatch(_ tag: String?) -> Endpoint<Conditional<Response>> {
        header(.ifNoneMatch, tag).conditional
    }

    /// Asks for the content only where it changed after this date (`If-Modified-Since`).
    ///
    /// - Parameter date: In whole seconds, best the `Last-Modified` that was received. Prefer ``ifNoneMatch(_:)`` where
    ///   the server sends tags.
    public func ifModifiedSince(_ date: Date?) -> Endpoint<Conditional<Response>> {
        header(.ifModifiedSince, date.map(HTTPDate.format)).conditional
    }

    /// Has the server do this only where its content still is the one with this tag (`If-Match`): two who change the
    /// same thing do not undo each other's work. It throws `.client(status: 412)` where somebody was faster.
    ///
    /// ```swift
    /// let read = try await api.response(for: .article(id: 42))
    /// try await api.send(.save(draft).ifMatch(read.head.fields[.etag] ?? "*"))
    /// ```
    ///
    /// - Parameter tag: An `ETag` value as it was received, quotes included, or `*` for any content that exists. Weak
    ///   tags never match.
    public func ifMatch(_ tag: String) -> Self {
        header(.ifMatch, tag)
    }

    /// Has the server do this only where nothing is there yet (`If-None-Match: *`). It throws `.client(status: 412)`
    /// where something is.
    public func ifAbsent() -> Self {
        header(.ifNoneMatch, "*")
    }

    /// Has the server do this only where its content did not change after this date (`If-Unmodified-Since`).
    ///
    /// - Parameter date: In whole seconds, as `Last-Modified` is.
    public func ifUnmodifiedSince(_ date: Date) -> Self {
        header(.ifUnmodifiedSince, HTTPDate.format(date))
    }

    /// This endpoint with 304 as an answer beside its response.
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
