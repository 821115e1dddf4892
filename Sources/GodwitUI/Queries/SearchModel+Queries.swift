public import GodwitCore

extension SearchModel {
    /// Creates a search whose results are values of a store: mutations change them, and a text that was searched for
    /// recently isn't sent again.
    ///
    /// ```swift
    /// let search = SearchModel(queries) { .search($0) }
    /// ```
    ///
    /// - Parameters:
    ///   - queries: The store, which the model retains.
    ///   - debounce: How long the text must be unchanged. 300 ms by default.
    ///   - minimumLength: Minimum characters, without surrounding whitespace. 1 by default; less counts as 1.
    ///   - clock: Measures that time.
    ///   - options: Changes the store's options for the results.
    ///   - endpoint: Makes the endpoint of a text.
    public convenience init(
        _ queries: QueryStore, debounce: Duration = .milliseconds(300), minimumLength: Int = 1,
        clock: any Clock<Duration> = ContinuousClock(), _ options: @escaping (inout QueryOptions) -> Void = { _ in },
        _ endpoint: @escaping @MainActor (_ text: String) -> Endpoint<Results>
    ) {
        self.init(
            KeyedLoader(queries, options, endpoint), queries.api, debounce: debounce, minimumLength: minimumLength,
            clock: clock)
    }

    /// Creates a search whose results are values of a store, which the store's models keep across launches.
    ///
    /// ```swift
    /// let search = SearchModel(QueryStore(api, models: models)) { .search($0) }
    /// ```
    ///
    /// Stored results of a text are shown while it loads, and with the error if that fails.
    ///
    /// - Parameters:
    ///   - queries: The store, which the model retains.
    ///   - debounce: How long the text must be unchanged. 300 ms by default.
    ///   - minimumLength: Minimum characters, without surrounding whitespace. 1 by default; less counts as 1.
    ///   - clock: Measures that time.
    ///   - options: Changes the store's options for the results.
    ///   - endpoint: Makes the endpoint of a text.
    public convenience init(
        _ queries: QueryStore, debounce: Duration = .milliseconds(300), minimumLength: Int = 1,
        clock: any Clock<Duration> = ContinuousClock(), _ options: @escaping (inout QueryOptions) -> Void = { _ in },
        _ endpoint: @escaping @MainActor (_ text: String) -> Endpoint<Results>
    ) where Results: Codable {
        self.init(
            KeyedLoader(queries, options, endpoint), queries.api, debounce: debounce, minimumLength: minimumLength,
            clock: clock)
    }

    private convenience init(
        _ results: KeyedLoader<String, Results>, _ api: APIClient, debounce: Duration, minimumLength: Int,
        clock: any Clock<Duration>
    ) {
        self.init(debounce: debounce, minimumLength: minimumLength, clock: clock) { try await results.value(of: $0) }
        found.query.loads.note(api.accountSession)
        shared = { results.state(of: $0).value }
        early = {
            guard let text = results.key, let value = results.value else { return nil }
            return Found(text: text, results: value)
        }
    }
}

extension KeyedLoader {
    /// Loads the value of a key, past the caches if the task asks for that.
    fileprivate func value(of key: Key) async throws(NetworkError) -> Value {
        if CallScope.isReloading, self.key == key { await refresh() } else { await load(key) }
        if let error = state(of: key).error { throw error }
        guard let value = state(of: key).value else { throw NetworkError(.cancelled, phase: .middleware) }
        return value
    }
}
