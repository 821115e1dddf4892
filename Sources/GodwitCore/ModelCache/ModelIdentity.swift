/// What identifies an endpoint's value among the values of a client.
package struct ModelIdentity: Sendable, Equatable {
    /// The endpoint's ``Endpoint/modelKey(_:)``, or method, URL, type and a body in memory.
    package let key: String
    /// The same without the type: equal for values of several types that one request returns.
    package let resource: String
    /// The URL without its query, whose changes make the value stale.
    package let path: String
    package let method: HTTPMethod
    package let url: HTTPURL

    /// Endpoints with the same key have the same value, also if their URLs differ.
    package static func == (left: Self, right: Self) -> Bool { left.key == right.key }
}

extension Endpoint {
    /// Sets what identifies the response's value among stored and shared values.
    ///
    /// ```swift
    /// let german = Endpoint<Article>.article(id: 42).header(.acceptLanguage, "de").modelKey("article 42 de")
    /// ```
    ///
    /// By default, a value is identified by method, URL, type and a body in memory. Set a key if the response depends on header
    /// fields or another body, or if the URL of the same value changes, as a signed one does. Everything that takes the
    /// endpoint then uses the key: ``APIClient/reading(_:from:maxAge:key:now:)`` without a `key`, and the loaders,
    /// mutations and invalidations of a `QueryStore`. It isn't sent.
    ///
    /// - Parameter key: Unique for the value among those of the client, whatever their types. With an empty key, loads of
    ///   stored and shared values throw `.invalidRequest`.
    public func modelKey(_ key: String) -> Self {
        options { $0[ModelKey.self] = key }
    }
}

/// The key set by ``Endpoint/modelKey(_:)``.
enum ModelKey: RequestOption {
    static var defaultValue: String? { nil }
    static var affectsResponse: Bool { false }
}

extension APIClient {
    /// What identifies an endpoint's value.
    ///
    /// Throws `.invalidURL` if the endpoint has no URL, `.encoding` if it has a body that is not in memory and no key, and
    /// `.invalidRequest` if its key is empty.
    package func modelIdentity<Value>(of endpoint: Endpoint<Value>) throws(NetworkError) -> ModelIdentity {
        let request = try request(for: endpoint)
        let (key, resource) = try request.modelKey(of: Value.self)
        return ModelIdentity(
            key: key, resource: resource, path: ModelPath(request.url).text, method: request.method, url: request.url)
    }
}

extension APIClient {
    /// Notes that a stored model is replaced: responses to requests in progress may be older, and aren't stored.
    package func replaceModel(_ key: String, in store: some ModelStore) {
        account.models.fetches.invalidate(ModelChanges.Entry(store: AccountPart.identity(of: store), key: key))
    }

    /// The paths whose models become stale if the server accepts a request; see ``ModelIdentity/path``.
    package func changedPaths<Value>(of endpoint: Endpoint<Value>) -> Set<String> {
        guard let request = try? request(for: endpoint), request.options.modelInvalidation == .byPath else { return [] }
        return Set([ModelPath(request.url), ModelPath.parent(of: request.url)].compactMap { $0?.text })
    }
}

/// Observes the changes that a client's requests make to models, until it is released.
package final class ModelChangeObserver: Sendable {
    private let models: ModelChanges
    private let id: UInt64

    /// - Parameter changed: Receives the paths of each change; see ``ModelIdentity/path``. The call that made the change
    ///   returns after it.
    package init(_ api: APIClient, _ changed: @escaping @Sendable (Set<String>) async -> Void) {
        models = api.account.models
        id = models.observe(changed)
    }

    deinit {
        models.stopObserving(id)
    }
}
