import Synchronization

extension APIClient {
    /// Returns an endpoint's value from a store, then from the server if it is stale.
    ///
    /// ```swift
    /// for try await reading in api.reading(.articles(page: 1), from: models) {
    ///     show(reading.value, isStale: reading.isStale)
    /// }
    /// ```
    ///
    /// The request is sent when a loop needs it; see ``Readings``. It passes through all middleware, HTTP caching included: if
    /// the store has no value, a cached response may be used; a stale value is revalidated (`.reloadRevalidating`), unless the
    /// endpoint sets a cache policy.
    ///
    /// The loop throws what a call throws, and `.encoding` if the request has a body that is not in memory and no key.
    ///
    /// - Parameters:
    ///   - endpoint: What to read. Its value is stored by its own `Codable` conformance.
    ///   - store: Keeps the values of the client's account. It is emptied when the account changes.
    ///   - maxAge: The age at which a value becomes stale. Five minutes by default; zero always asks the server.
    ///   - key: Identifies the value in the store. By default the endpoint's ``Endpoint/modelKey(_:)``, or else method, URL,
    ///     type and a body in memory (for JSON with keys in any order). Set one if the response depends on header fields or
    ///     another body.
    ///   - now: Returns the current date.
    public func reading<Value: Codable & Sendable>(
        _ endpoint: Endpoint<Value>, from store: some ModelStore, maxAge: Duration = .seconds(300),
        key: String? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) -> Readings<Value> {
        reading(endpoint, from: store, maxAge: maxAge, key: key, now: now) { _ in }
    }

    /// - Parameter received: Receives the response with the fresh value.
    private func reading<Value: Codable & Sendable>(
        _ endpoint: Endpoint<Value>, from store: some ModelStore, maxAge: Duration, key: String? = nil,
        now: @escaping @Sendable () -> Date, received: @escaping @Sendable (Response<Value>) -> Void
    ) -> Readings<Value> {
        let place: @Sendable () throws(NetworkError) -> Readings<Value>.Place = { () throws(NetworkError) in
            let request = try self.request(for: endpoint)
            let key = if let key { key } else { try request.modelKey(of: Value.self).key }
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
                let response = try await self.response(for: endpoint, by: request)
                received(response)
                return response
            })
    }

    /// The response of the server, whose value a store keeps for later readings.
    func response<Value: Codable & Sendable>(
        for endpoint: Endpoint<Value>, keptIn store: some ModelStore, now: @escaping @Sendable () -> Date
    ) async throws(NetworkError) -> Response<Value> {
        let fresh = Mutex<Response<Value>?>(nil)
        let readings = reading(endpoint, from: store, maxAge: .zero, now: now) { response in
            fresh.withLock { $0 = response }
        }
        for try await _ in readings {}
        guard let response = fresh.withLock(\.self) else { throw NetworkError(.notCached, phase: .middleware) }
        return response
    }

    /// The request with a cache policy, unless the endpoint sets one.
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
    /// Identifies the response's value in a store; and the same without the type.
    func modelKey(of type: Any.Type) throws(NetworkError) -> (key: String, resource: String) {
        if let key = options[ModelKey.self] {
            if key.isEmpty { throw NetworkError(.invalidRequest(reason: "the model key is empty"), phase: .building) }
            return (key, key)
        }
        let (target, body) = ("\(method) \(url.absoluteString)", try modelBody())
        return ("\(target) \(type)\(body)", target + body)
    }

    private func modelBody() throws(NetworkError) -> String {
        guard let body else { return "" }
        guard case .bytes(let bytes) = body.storage else {
            let reason = "a reading with a body that is not in memory needs a key"
            throw NetworkError(.encoding(reason: reason), phase: .building, request: self)
        }
        guard isJSON, let tree = JSONValue(parsing: bytes) else { return " " + bytes.base64EncodedString() }
        // The length distinguishes some numbers that are equal as Double.
        return " \(bytes.count) \(tree.inOrder)"
    }

    private var isJSON: Bool {
        fields[.contentType].flatMap { MediaType($0) }?.matches(.json) == true
    }
}

extension JSONValue {
    /// The value as text with sorted keys.
    fileprivate var inOrder: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
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
    /// Adds a store of models when it is first used, and removes values of an earlier account.
    ///
    /// Stores that are not classes can't be told apart: `ClientConfiguration.modelStores` names them.
    func adopt(_ store: any ModelStore) async {
        if adopt(AccountPart(store)) { await store.removeAll() }
    }
}

extension APIClient {
    /// Marks the stored models of an endpoint as stale, for example when an event reports a change.
    ///
    /// ```swift
    /// for try await event in api.events(.live) where event.type == "article" {
    ///     try await api.invalidateModels(of: .article(id: 42))
    /// }
    /// ```
    ///
    /// This includes all models with the endpoint's path, with any query. They stay in their stores; their next reading
    /// returns them as stale, and asks the server.
    ///
    /// - Parameter endpoint: The endpoint that changed.
    /// - Throws: `.invalidURL` if the endpoint has no URL.
    public func invalidateModels<Value>(of endpoint: Endpoint<Value>) async throws(NetworkError) {
        let url = try url(of: endpoint)
        let stamp = await account.session.begin()
        await account.models.note([ModelPath(url)], account.session, stamp)
    }
}
