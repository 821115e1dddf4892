/// What identifies an endpoint's value among the values of a client.
package struct ModelIdentity: Sendable, Hashable {
    /// Method, URL, type and a body in memory.
    package let key: String
    /// The URL without its query, whose changes make the value stale.
    package let path: String
    package let method: HTTPMethod
    package let url: HTTPURL
}

extension APIClient {
    /// What identifies an endpoint's value.
    ///
    /// Throws `.invalidURL` if the endpoint has no URL, and `.encoding` if it has a body that is not in memory.
    package func modelIdentity<Value>(of endpoint: Endpoint<Value>) throws(NetworkError) -> ModelIdentity {
        let request = try request(for: endpoint)
        return ModelIdentity(
            key: try request.modelKey(of: Value.self), path: ModelPath(request.url).text, method: request.method,
            url: request.url)
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
