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
    /// server has passed through all middlewares, a ``Caching`` among them.
    ///
    /// - Parameters:
    ///   - endpoint: What to read. Its value is stored by its own `Codable`, whatever the API's JSON looks like.
    ///   - store: What keeps the values, for the client's account: it is emptied when that changes.
    ///   - maxAge: How old a value may be and need no fresh one; five minutes by default. Zero always asks the server.
    ///   - key: The name of the value in the store. By default method, URL, type and content that is in memory: give a
    ///     key where header fields or other content decide what the answer is.
    ///   - now: The wall clock, which says when values came.
    ///
    /// The loop throws ``NetworkError``: what a call throws, and `.encoding` where content that is not in memory
    /// calls for a key.
    public func reading<Value: Codable & Sendable>(
        _ endpoint: Endpoint<Value>, from store: some ModelStore, maxAge: Duration = .seconds(300),
        key: String? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) -> Readings<Value> {
        let derived: @Sendable () throws(NetworkError) -> String = { () throws(NetworkError) in
            if let key { return key }
            return try self.request(for: endpoint).modelKey(of: Value.self)
        }
        return Readings(
            Readings.Plan(
                store: store, account: account.membership, maxAge: maxAge, now: now, key: derived
            ) { stamp throws(NetworkError) in
                var request = try self.request(for: endpoint)
                request.belong(to: stamp)
                return try await self.response(for: endpoint, by: request).value
            })
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
        return key + " " + bytes.base64EncodedString()
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
