extension APIClient {
    /// What a store knows of an endpoint's value, then what the server does.
    ///
    /// ```swift
    /// for try await reading in api.reading(.articles(page: 1), from: models) {
    ///     show(reading.value, isStale: reading.isStale)
    /// }
    /// ```
    ///
    /// Nothing happens until a loop asks for the first value; see ``Readings`` for what follows. What comes from the
    /// server has passed through all middlewares, a ``Caching`` among them: if nothing is stored in the model store, it may
    /// answer; a stored value that is stale is replaced by what the server confirms (`.reloadRevalidating`), unless the
    /// endpoint has a cache policy of its own.
    ///
    /// - Parameters:
    ///   - endpoint: What to read. Its value is stored by its own `Codable`, whatever the API's JSON looks like.
    ///   - store: What keeps the values, for the client's account: it is emptied when that changes.
    ///   - maxAge: How old a value may be and need no fresh one; five minutes by default. Zero always asks the server.
    ///   - key: The name of the value in the store. By default method, URL, type and content that is in memory (JSON in any
    ///     order of its keys): give a key where header fields or other content decide what the answer is.
    ///   - now: The wall clock, which says when values came.
    ///
    /// The loop throws ``NetworkError``: what a call throws, and `.encoding` where content that is not in memory
    /// calls for a key.
    public func reading<Value: Codable & Sendable>(
        _ endpoint: Endpoint<Value>, from store: some ModelStore, maxAge: Duration = .seconds(300),
        key: String? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) -> Readings<Value> {
        let place: @Sendable () throws(NetworkError) -> Readings<Value>.Place = { () throws(NetworkError) in
            let request = try self.request(for: endpoint)
            let key = if let key { key } else { try request.modelKey(of: Value.self) }
            return Readings<Value>.Place(key: key, path: ModelPath(request.url))
        }
        return Readings(
            Readings.Plan(
                store: store, account: account.membership, models: account.models, maxAge: maxAge, now: now,
                place: place
            ) { stamp, policy throws(NetworkError) in
                var request = try self.request(for: endpoint, policy)
                request.belong(to: stamp)
                // It reads, whatever its method is.
                request.options.modelInvalidation = .off
                return try await self.response(for: endpoint, by: request)
            })
    }

    /// The request of a reading under a cache policy, over which the endpoint's own wins.
    private func request<Value>(
        for endpoint: Endpoint<Value>, _ policy: CachePolicy?
    ) throws(NetworkError) -> HTTPRequest {
        guard let policy else { return try request(for: endpoint) }
        let result = CallScope.$current.withValue(CallScope(cachePolicy: policy)) {
            Result { () throws(NetworkError) in try request(for: endpoint) }
        }
        return try result.get()
    }
}

extension HTTPRequest {
    /// What tells the request's answer from others.
    fileprivate func modelKey(of type: Any.Type) throws(NetworkError) -> String {
        let key = "\(method) \(url.absoluteString) \(type)"
        guard let body else { return key }
        guard case .bytes(let bytes) = body.storage else {
            let reason = "a reading with content that is not in memory needs a key"
            throw NetworkError(.encoding(reason: reason), phase: .building, request: self)
        }
        guard isJSON, let tree = JSONTree(parsing: bytes) else { return key + " " + bytes.base64EncodedString() }
        // The length tells numbers apart that only differ in digits that a Double doesn't have.
        return "\(key) \(bytes.count) \(tree.inOrder)"
    }

    private var isJSON: Bool {
        fields[.contentType].flatMap { MediaType($0) }?.matches(.json) == true
    }
}

extension JSONTree {
    /// The value as text that does not depend on the order of keys.
    fileprivate var inOrder: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let text): text.debugDescription
        case .array(let elements): "[" + elements.map(\.inOrder).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription):\($0.value.inOrder)" }
                .joined(separator: ",") + "}"
        }
    }
}

extension AccountMembership {
    /// Adds a store of models when it is first used. What it holds of a former account is removed first.
    ///
    /// A store that is not a class cannot be told from others of its kind: `ClientConfiguration.modelStores` names it.
    func adopt(_ store: any ModelStore) async {
        if adopt(AccountPart(store)) { await store.removeAll() }
    }
}

extension APIClient {
    /// Makes the stored models of an endpoint stale, as when a message says that they changed.
    ///
    /// ```swift
    /// for try await event in api.events(.live) where event.type == "article" {
    ///     try await api.invalidateModels(of: .article(id: 42))
    /// }
    /// ```
    ///
    /// All models of the endpoint's path count, whatever their query. They stay in their stores; their next reading shows
    /// them as stale, and asks the server.
    ///
    /// - Parameter endpoint: What changed.
    /// - Throws: `.invalidURL` if the endpoint has no URL.
    public func invalidateModels<Value>(of endpoint: Endpoint<Value>) async throws(NetworkError) {
        let url = try url(of: endpoint)
        let stamp = await account.session.begin()
        await account.models.note([ModelPath(url)], account.session, stamp)
    }
}
