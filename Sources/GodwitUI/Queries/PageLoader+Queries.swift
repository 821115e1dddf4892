public import GodwitCore

extension PageLoader {
    /// Creates a loader of a list that a store's loaders share, with its position.
    ///
    /// ```text
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
        let (list, share) = queries.list(paging, options)
        self.init(list, prefetchDistance)
        self.share = share
    }

    /// Loads the list, and reads it again by the rules of its ``QueryOptions``, until the task is canceled.
    ///
    /// ```text
    /// await list.keepFresh()                   // SwiftUI: .task { await list.keepFresh() }
    /// ```
    ///
    /// Without a ``QueryStore`` this is the same as ``load()``.
    public func keepFresh() async {
        await load()
        await share?.keepFresh()
    }
}

extension QueryStore {
    /// The list of a paging, and the part of one loader in it.
    func list<Page: ElementPage & Sendable>(
        _ paging: Paging<Page>, _ change: (inout QueryOptions) -> Void
    ) -> (PageList<Page.Item>, QueryShare) where Page.Item: Identifiable & Sendable {
        var options = options
        change(&options)
        guard let identity = try? api.modelIdentity(of: paging.firstEndpoint) else {
            let list = PageList(api.pages(paging), monitor)
            return (list, share(QueryEntry(.none, "", list), options))
        }
        let (entry, list) = entry(identity) { PageList(api.pages(paging), monitor) }
        list.now = now
        return (list, share(entry, options))
    }
}
