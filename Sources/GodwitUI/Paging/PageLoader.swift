public import GodwitCore
public import Observation

/// A list that loads page by page while the user scrolls.
///
/// ```swift
/// let list = PageLoader(api.pages(.cursor { .articles(after: $0) }))
/// await list.loadMore()                    // the first page
/// list.itemAppeared(article)               // loads the next page near the end of the list
/// ```
///
/// - **Refreshing** bypasses the HTTP cache: see ``refresh()``.
/// - **One request per page**: further calls wait for the page in progress.
/// - **No duplicates**: elements with a known ID are omitted, because lists move while they are read.
/// - **Errors** keep the position: ``retry()`` and ``loadMore()`` request the same page again.
/// - **Cancellation** is silent: when the last waiting task is canceled, the request is canceled and the position
///   stays.
///
/// The elements belong to the account of the client that loads them: when it changes, for example on sign-out, the list
/// is cleared immediately and starts over with the next load.
///
/// Releasing the loader cancels its request, unless another loader of a ``QueryStore`` shares the list.
@Observable @MainActor
public final class PageLoader<Item: Identifiable & Sendable> {
    /// How many elements before the end the next page is requested; see ``itemAppeared(_:)``.
    @ObservationIgnored public let prefetchDistance: Int

    /// The list, of this loader alone or shared through a store.
    @ObservationIgnored let list: PageList<Item>
    /// The store's rules and the registration with the list; `nil` for a loader without a store.
    @ObservationIgnored var observer: QueryObserver?

    /// Creates a loader. It doesn't load until asked.
    ///
    /// - Parameters:
    ///   - pages: The pages of the list.
    ///   - prefetchDistance: How many elements before the end the next page is requested. 5 by default; 0 means at the
    ///     last element.
    ///   - monitor: If given, loads that failed for lack of a network are retried when the network returns.
    public convenience init<Page: ElementPage & Sendable>(
        _ pages: Pages<Page>, prefetchDistance: Int = 5, retryingWith monitor: (any PathMonitor)? = nil
    ) where Page.Item == Item {
        self.init(PageList(pages, monitor), prefetchDistance)
    }

    init(_ list: PageList<Item>, _ prefetchDistance: Int) {
        self.prefetchDistance = max(prefetchDistance, 0)
        self.list = list
    }

    /// The elements so far.
    public var items: [Item] { list.items }

    /// The state of the list.
    public var state: State { list.state }

    /// Whether there may be another page.
    public var hasMore: Bool { list.hasMore }

    /// Whether a page is being loaded.
    public var isLoading: Bool { list.isLoading }

    /// Why the last load failed.
    public var error: NetworkError? { list.error }

    /// Whether the elements are outdated: kept from an earlier launch, or invalidated. The next load reads them again.
    public var isStale: Bool { list.loads.isStale }

    /// Changes when elements change other than by further ones at the end.
    ///
    /// While it stays the same, ``items`` begins with all elements that it had before, unchanged. So a table inserts the
    /// new rows only, without comparing the others.
    public var revision: Int { list.elements.revision }

    /// How often the list was cleared, which happens when the account changes.
    package var resetCount: Int { list.loads.resetCount }

    /// Loads the next page, unless one is being loaded or the list is complete.
    ///
    /// Returns when the page is loaded, when loading fails, or when the task is canceled.
    public func loadMore() async { await list.loadMore(for: self) }

    /// Loads the first page, unless the list has elements. For use when a screen appears.
    ///
    /// A loader of a ``QueryStore`` reads the list again, with as many elements, if it is older than
    /// ``QueryOptions/staleAfter`` or outdated.
    public func load() async { await list.load(maxAge: observer?.maxAge, for: self) }

    /// Reads the list again from its first page. The previous elements stay until it arrives.
    ///
    /// Asks the server: the calls for this page and the following ones use `.reloadRevalidating` instead of the
    /// client's cache policy. An endpoint's own `Endpoint.cachePolicy(_:)` takes precedence.
    public func refresh() async { await list.loads.load(.refresh, for: self) }

    /// Repeats a failed load. Otherwise does nothing.
    public func retry() async { await list.retry(for: self) }

    /// Reports that an element is shown, which loads the next page near the end of the list, without waiting.
    ///
    /// After an error, this doesn't load: scrolling must not hammer a failing server.
    ///
    /// - Parameter item: The element. Has no effect if it isn't in the list.
    public func itemAppeared(_ item: Item) {
        list.itemAppeared(item, prefetchDistance: prefetchDistance)
    }

    /// Cancels the request in progress, and the wait for a network. The elements and the position stay. A page that
    /// another loader waits for continues to load.
    public func cancel() { list.cancel(for: self, isAlone: observer?.isAlone ?? true) }

    /// Inserts, moves, changes or removes elements without loading the list again, for example after an event.
    ///
    /// ```swift
    /// list.edit { articles in articles.removeAll { $0.id == 7 } }
    /// ```
    ///
    /// A removed element doesn't come back with a following page. As the server may have removed it too, the next page by
    /// offset, number or link starts earlier, so that none is skipped. For a change that the server may refuse, see
    /// ``QueryStore/mutate(_:invalidating:_:confirming:)``.
    ///
    /// - Parameter change: Changes the elements. Of elements with the same ID, the first stays.
    public func edit(_ change: (inout [Item]) -> Void) { list.edit(change) }
}

extension PageList {
    /// The list of a client's pages.
    convenience init<Page: ElementPage & Sendable>(_ pages: Pages<Page>, _ monitor: (any PathMonitor)?)
    where Page.Item == Item {
        self.init(monitor) {
            let cursor = PageCursor(pages)
            return { change throws(NetworkError) in try await cursor.next(after: change) }
        }
        loads.note(pages.session)
    }
}

extension PageLoader {
    /// The state of a list.
    public enum State: Sendable {
        /// Ready to load more.
        case idle
        /// Loading the next page.
        case loadingMore
        /// Loading the first page again. The previous elements stay until it arrives.
        case refreshing
        /// The last load failed; the next one repeats it.
        case failed(NetworkError)
        /// The list is complete.
        case complete
    }
}
