public import GodwitCore

extension Loader {
    /// Creates a loader of a value that a store's loaders share. If the store has the value, it is there at once.
    ///
    /// ```swift
    /// let article = Loader(queries, .article(id: 42))
    /// ```
    ///
    /// - Parameters:
    ///   - queries: The store, which the loader retains.
    ///   - endpoint: The endpoint. One with a body that is not in memory isn't shared.
    ///   - options: Changes the store's options for this loader.
    public convenience init(
        _ queries: QueryStore, _ endpoint: Endpoint<Value>, _ options: (inout QueryOptions) -> Void = { _ in }
    ) {
        let (query, observer) = queries.query(endpoint, options)
        self.init(query)
        self.observer = observer
    }

    /// Creates a loader of a value that a store's loaders share, and which the store's models keep across launches.
    ///
    /// ```swift
    /// let queries = QueryStore(api, models: models)
    /// let article = Loader(queries, .article(id: 42))
    /// ```
    ///
    /// - Parameters:
    ///   - queries: The store, which the loader retains.
    ///   - endpoint: The endpoint. One with a body that is not in memory isn't shared.
    ///   - options: Changes the store's options for this loader.
    public convenience init(
        _ queries: QueryStore, _ endpoint: Endpoint<Value>, _ options: (inout QueryOptions) -> Void = { _ in }
    ) where Value: Codable {
        let (query, observer) = queries.storedQuery(endpoint, options)
        self.init(query)
        self.observer = observer
    }

    /// Loads the value, and again by the rules of its ``QueryOptions``, until the task is canceled.
    ///
    /// ```swift
    /// let article = Loader(queries, .article(id: 42))
    /// await article.keepFresh()                // SwiftUI: .task { await article.keepFresh() }
    /// ```
    ///
    /// Without a ``QueryStore`` this is the same as ``load()``.
    public func keepFresh() async {
        await load()
        await observer?.keepFresh()
    }
}

extension KeyedLoader {
    /// Creates a loader of the values of a store.
    ///
    /// ```swift
    /// let article = KeyedLoader(queries) { .article(id: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - queries: The store, which the loader retains.
    ///   - options: Changes the store's options for this loader.
    ///   - endpoint: Makes the endpoint of a key.
    public convenience init(
        _ queries: QueryStore, _ options: @escaping (inout QueryOptions) -> Void = { _ in },
        _ endpoint: @escaping @MainActor (Key) -> Endpoint<Value>
    ) {
        self.init(prepare: { loader, key in
            let (query, observer) = queries.query(endpoint(key), options)
            loader.show(query, observer)
        })
    }

    /// Creates a loader of the values of a store, which the store's models keep across launches.
    ///
    /// ```swift
    /// let article = KeyedLoader(queries) { .article(id: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - queries: The store, which the loader retains.
    ///   - options: Changes the store's options for this loader.
    ///   - endpoint: Makes the endpoint of a key.
    public convenience init(
        _ queries: QueryStore, _ options: @escaping (inout QueryOptions) -> Void = { _ in },
        _ endpoint: @escaping @MainActor (Key) -> Endpoint<Value>
    ) where Value: Codable {
        self.init(prepare: { loader, key in
            let (query, observer) = queries.storedQuery(endpoint(key), options)
            loader.show(query, observer)
        })
    }

    /// Loads the value of a key, and again by the rules of its ``QueryOptions``, until the task is canceled.
    ///
    /// ```swift
    /// let article = KeyedLoader(queries) { .article(id: $0) }
    /// await article.keepFresh(42)              // SwiftUI: .task(id: selection) { await article.keepFresh(selection) }
    /// ```
    ///
    /// Without a ``QueryStore`` this is the same as ``load(_:)``.
    public func keepFresh(_ key: Key) async {
        await load(key)
        if self.key == key { await loader.observer?.keepFresh() }
    }
}

extension QueryStore {
    /// The query of an endpoint, and the value of one loader in it.
    func query<Value: Sendable>(
        _ endpoint: Endpoint<Value>, _ change: (inout QueryOptions) -> Void
    ) -> (Query<Value>, QueryObserver) {
        let (query, entry) = query(endpoint)
        // The URL behind a model key may be a newer one.
        if query.keepModel == nil { query.steps = steps(endpoint) }
        return (query, observe(query, entry, change))
    }

    /// The same, with the store's models.
    func storedQuery<Value: Codable & Sendable>(
        _ endpoint: Endpoint<Value>, _ change: (inout QueryOptions) -> Void
    ) -> (Query<Value>, QueryObserver) {
        let (query, entry) = query(endpoint)
        let observer = observe(query, entry, change)
        useModels(query, entry, endpoint)
        return (query, observer)
    }

    /// The query of an endpoint, and its entry; `nil` for an endpoint that can't be identified.
    func query<Value: Sendable>(_ endpoint: Endpoint<Value>) -> (query: Query<Value>, entry: QueryEntry?) {
        do throws(NetworkError) {
            let identity = try api.modelIdentity(of: endpoint)
            let (entry, query) = entry(identity) { Query(monitor, steps(endpoint)) }
            query.loads.note(api.accountSession)
            query.loads.now = now
            return (query, entry)
        } catch {
            if case .encoding = error.kind { return (Query(monitor, steps(endpoint)), nil) }
            return (Query(monitor) { _ in throw error }, nil)
        }
    }

    private func observe<Value: Sendable>(
        _ query: Query<Value>, _ entry: QueryEntry?, _ change: (inout QueryOptions) -> Void
    ) -> QueryObserver {
        var options = options
        change(&options)
        return observe(entry ?? QueryEntry(.none, nil, query), options)
    }

    private func steps<Value: Sendable>(_ endpoint: Endpoint<Value>) -> Query<Value>.Steps {
        // It reads, whatever its method is: a query sent with POST must not make itself stale.
        { [api, endpoint = endpoint.options { $0.modelInvalidation = .off }] _ in
            let response = try await api.response(for: endpoint)
            return LoadedValue(value: response.value, etag: response.head.fields[.etag])
        }
    }

    /// Reads the value from the store's models first.
    func useModels<Value: Codable & Sendable>(
        _ query: Query<Value>, _ entry: QueryEntry?, _ endpoint: Endpoint<Value>
    ) {
        guard let models else {
            query.steps = steps(endpoint)
            return
        }
        let maxAge = entry?.staleAfter ?? options.staleAfter
        query.keepModel = { [weak self] in self?.keep($0, $1, of: endpoint) }
        query.steps = Query.steps(Self.readings(endpoint, api, models, maxAge, now))
    }

    /// Writes a confirmed value to the models. It stays stale: the server may have more to tell.
    private func keep<Value: Codable & Sendable>(_ value: Value?, _ etag: String?, of endpoint: Endpoint<Value>) {
        guard let key = try? api.modelIdentity(of: endpoint).key else { return }
        let date = now()
        replaceModel(for: key) { models in
            guard let value, let data = try? JSONModelEncoder().encode(value) else { return nil }
            let revision = await models.model(for: key)?.revision ?? 0
            return StoredModel(data: data, date: date, revision: revision, etag: etag)
        }
    }

    /// Replaces a model, after earlier ones.
    ///
    /// - Parameter make: Makes the model; `nil` removes it.
    func replaceModel(for key: String, _ make: @escaping @Sendable (any ModelStore) async -> StoredModel?) {
        guard let models else { return }
        let (session, stamp) = (api.accountSession, api.accountSession.stamp)
        api.replaceModel(key, in: models)
        write = Task { [write] in
            await write?.value
            let model = await make(models)
            guard session.isCurrent(stamp) else { return }
            if let model {
                await models.store(model, for: key)
                // The next account's values are written after its sign-in.
                if session.isCurrent(stamp) { return }
            }
            await models.removeModel(for: key)
        }
    }

    nonisolated private static func readings<Value: Codable & Sendable>(
        _ endpoint: Endpoint<Value>, _ api: APIClient, _ models: some ModelStore, _ maxAge: Duration,
        _ now: @escaping @Sendable () -> Date
    ) -> Readings<Value> {
        api.reading(endpoint, from: models, maxAge: maxAge, now: now)
    }
}
