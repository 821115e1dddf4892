public import GodwitCore

// Values without a loader.
extension QueryStore {
    /// The value of an endpoint, with the effect of mutations; `nil` if the store has none.
    ///
    /// ```swift
    /// let article = queries.value(of: .article(id: 42))
    /// ```
    ///
    /// Observable: a view that reads it is updated when it changes.
    public func value<Value: Sendable>(of endpoint: Endpoint<Value>) -> Value? {
        guard let identity = try? api.modelIdentity(of: endpoint) else { return nil }
        guard let entry = entry(identity, of: Query<Value>.self) else {
            observeCreation(identity, of: Query<Value>.self)
            return nil
        }
        return (entry.cached as? Query<Value>)?.state.value
    }

    /// The `ETag` of an endpoint's value, as received; `nil` if it isn't known.
    public func etag<Value: Sendable>(of endpoint: Endpoint<Value>) -> String? {
        query(of: endpoint)?.etag
    }

    /// Sets values that come from elsewhere, such as an event.
    ///
    /// ```swift
    /// for try await event in api.events(.live).decoded(as: Article.self) {
    ///     queries.set { $0.update(Article.self, id: event.id) { $0 = event } }
    /// }
    /// ```
    ///
    /// - Parameter change: Sets values as the server has them. A load in progress of the same value starts again, up to
    ///   three times: then the value that was set stays. While a mutation of it is being sent, its response may be older or newer than this, so the value is loaded after it.
    public func set(_ change: @MainActor (QueryChanges) -> Void) {
        leaveChangedAccount()
        withoutActuallyEscaping(change) { change in
            let update = OptimisticUpdate(stage: .event, change)
            updates.append(update)
            update.apply(to: QueryChanges(self, update, .confirmed(.server)))
            updates.removeAll { $0 === update }
            update.end()
            for (id, cached) in update.touched where update.changed.contains(id) { cached.keepConfirmed() }
            for (id, cached) in update.touched
            where update.confirmed.contains(id) && cached.loads.machine.mutations.isSending {
                cached.loads.send(.serverEventDuringMutation)
            }
        }
        replay()
    }

    /// Loads a value before a screen asks for it, unless it is loaded and fresh. Doesn't wait.
    ///
    /// ```swift
    /// queries.prefetch(.article(id: 43))
    /// ```
    ///
    /// It is kept for ``QueryOptions/unusedLifetime``. Errors are ignored: the screen's loader tries again. Up to four values are
    /// prefetched at the same time.
    public func prefetch<Value: Sendable>(_ endpoint: Endpoint<Value>) {
        let (query, entry) = query(endpoint)
        prefetch(query, entry)
    }

    /// Loads a value before a screen asks for it, and stores it in the store's models; see ``prefetch(_:)``.
    public func prefetch<Value: Codable & Sendable>(_ endpoint: Endpoint<Value>) {
        let (query, entry) = query(endpoint)
        useModels(query, entry, endpoint)
        prefetch(query, entry)
    }

    /// Loads the first page of a list before a screen asks for it; see ``prefetch(_:)``.
    ///
    /// - Parameter paging: That of the list's loaders.
    public func prefetch<Page: ElementPage & Sendable>(_ paging: Paging<Page>)
    where Page.Item: Identifiable & Sendable {
        let (list, observer) = list(paging) { _ in }
        prefetch(list, entry(of: list), observer)
    }

    /// Loads the first page of a list before a screen asks for it, and stores it in the store's models.
    ///
    /// - Parameter paging: That of the list's loaders.
    public func prefetch<Page: ElementPage & Codable & Sendable>(_ paging: Paging<Page>)
    where Page.Item: Identifiable & Sendable {
        let (list, observer) = storedList(paging) { _ in }
        prefetch(list, entry(of: list), observer)
    }

    private func prefetch(_ cached: some CachedValue, _ entry: QueryEntry?, _ observer: QueryObserver? = nil) {
        if let entry { scheduleRemoval(of: entry, after: options.unusedLifetime) }
        prefetches.add { [options] in
            // The observer keeps a list in the store until its first page is loaded.
            defer { _ = observer }
            await cached.prefetch(options.staleAfter)
        }
    }

    private func query<Value: Sendable>(of endpoint: Endpoint<Value>) -> Query<Value>? {
        guard let identity = try? api.modelIdentity(of: endpoint) else { return nil }
        return entry(identity, of: Query<Value>.self)?.cached as? Query<Value>
    }
}

// Invalidation.
extension QueryStore {
    /// Marks the values of a request as stale. They stay visible, and are loaded again at once if a loader shows them.
    ///
    /// ```swift
    /// queries.invalidate(.article(id: 42))
    /// ```
    ///
    /// Applies to values of all types with the endpoint's method, URL and body, or its `Endpoint.modelKey(_:)`, and to a list
    /// whose first page it is.
    public func invalidate<Value: Sendable>(_ endpoint: Endpoint<Value>) {
        guard let resource = try? api.modelIdentity(of: endpoint).resource else { return }
        leaveChangedAccount()
        for entry in entries.values where entry.identity?.resource == resource { invalidate(entry) }
    }

    /// Marks a list as stale. It stays visible, and is read again at once if a loader shows it.
    ///
    /// - Parameter paging: That of the list's loaders.
    public func invalidate<Page: ElementPage & Sendable>(_ paging: Paging<Page>)
    where Page.Item: Identifiable & Sendable {
        invalidate(paging.firstEndpoint)
    }

    /// Marks the values with any of these tags as stale; see ``QueryOptions/tags``.
    ///
    /// ```swift
    /// queries.invalidate(tags: ["articles"])
    /// ```
    public func invalidate(tags: Set<String>) {
        guard !tags.isEmpty else { return }
        for entry in entries.values where !entry.tags.isDisjoint(with: tags) { invalidate(entry) }
    }

    /// Marks all values as stale.
    public func invalidateAll() {
        for entry in entries.values { invalidate(entry) }
    }
}
