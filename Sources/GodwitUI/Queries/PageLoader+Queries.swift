public import GodwitCore

extension PageLoader {
    /// Creates a loader of a list that a store's loaders share, with its position.
    ///
    /// ```swift
    /// let list = PageLoader(queries, .cursor { .articles(after: $0) })
    /// ```
    ///
    /// - Parameters:
    ///   - queries: The store, which the loader retains.
    ///   - paging: How to get the next page. The first page's endpoint identifies the list.
    ///   - prefetchDistance: How many elements before the end the next page is requested. 5 by default; 0 means at the
    ///     last element.
    ///   - options: Changes the store's options for this loader.
    public convenience init<Page: ElementPage & Sendable>(
        _ queries: QueryStore, _ paging: Paging<Page>, prefetchDistance: Int = 5,
        _ options: (inout QueryOptions) -> Void = { _ in }
    ) where Page.Item == Item {
        let (list, observer) = queries.list(paging, options)
        self.init(list, prefetchDistance)
        self.observer = observer
    }

    /// Creates a loader of a list that a store's loaders share. The store's models keep its first page across launches.
    ///
    /// ```swift
    /// let list = PageLoader(queries, .cursor { .articles(after: $0) })
    /// ```
    ///
    /// A page that was kept is shown by ``load()``, and read again at once. It stays if that fails.
    ///
    /// - Parameters:
    ///   - queries: The store, which the loader retains.
    ///   - paging: How to get the next page. The first page's endpoint identifies the list.
    ///   - prefetchDistance: How many elements before the end the next page is requested. 5 by default; 0 means at the
    ///     last element.
    ///   - options: Changes the store's options for this loader.
    public convenience init<Page: ElementPage & Codable & Sendable>(
        _ queries: QueryStore, _ paging: Paging<Page>, prefetchDistance: Int = 5,
        _ options: (inout QueryOptions) -> Void = { _ in }
    ) where Page.Item == Item {
        let (list, observer) = queries.storedList(paging, options)
        self.init(list, prefetchDistance)
        self.observer = observer
    }

    /// Loads the list, and reads it again by the rules of its ``QueryOptions``, until the task is canceled.
    ///
    /// ```swift
    /// await list.keepFresh()                   // SwiftUI: .task { await list.keepFresh() }
    /// ```
    ///
    /// Without a ``QueryStore`` this is the same as ``load()``.
    public func keepFresh() async {
        await load()
        await observer?.keepFresh()
    }
}

extension QueryStore {
    /// The list of a paging, and the value of one loader in it.
    func list<Page: ElementPage & Sendable>(
        _ paging: Paging<Page>, _ change: (inout QueryOptions) -> Void
    ) -> (PageList<Page.Item>, QueryObserver) where Page.Item: Identifiable & Sendable {
        list(paging.firstEndpoint, api.pages(paging), change)
    }

    /// The same, with the store's models.
    func storedList<Page: ElementPage & Codable & Sendable>(
        _ paging: Paging<Page>, _ change: (inout QueryOptions) -> Void
    ) -> (PageList<Page.Item>, QueryObserver) where Page.Item: Identifiable & Sendable {
        guard let models, let key = try? api.modelIdentity(of: paging.firstEndpoint).key else {
            return list(paging, change)
        }
        let first = paging.firstEndpoint.cachePolicy(.cacheOnly)
        let (list, observer) = list(paging.firstEndpoint, api.pages(paging).keepingFirst(in: models, now: now), change)
        list.stored = { [api] in await StoredElements(first, key, api, models) }
        list.keepElements = { [weak self, now] items in
            let date = now()
            self?.replaceModel(for: .elements(of: key)) { await StoredModel(items, of: Page.self, key, date, $0) }
        }
        return (list, observer)
    }

    private func list<Page: ElementPage & Sendable>(
        _ first: Endpoint<Page>, _ pages: Pages<Page>, _ change: (inout QueryOptions) -> Void
    ) -> (PageList<Page.Item>, QueryObserver) where Page.Item: Identifiable & Sendable {
        var options = options
        change(&options)
        do throws(NetworkError) {
            let (entry, list) = entry(try api.modelIdentity(of: first)) { PageList(pages, monitor) }
            list.loads.now = now
            return (list, observe(entry, options))
        } catch {
            let list =
                if case .encoding = error.kind {
                    PageList(pages, monitor)
                } else {
                    PageList<Page.Item>(monitor) { { _ throws(NetworkError) in throw error } }
                }
            return (list, observe(QueryEntry(.none, nil, list), options))
        }
    }
}
