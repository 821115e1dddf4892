/// The pages of a list, requested on demand.
///
/// ```swift
/// for try await page in api.pages(.numbers { .articles(page: $0) }) { show(page.items) }
/// for try await article in api.pages(.cursor { .articles(after: $0) }).elements { print(article.title) }
/// ```
///
/// Each loop starts at the first page. Leaving it, or canceling its task, cancels the request in progress. After an error, the
/// same iterator requests the same page again. If a page links to a page that was read before, the loop throws
/// `.invalidResponse` after that page. All pages of a loop belong to the same account: if the account changes, the loop
/// throws, with ``AccountChanged`` as the underlying error.
public struct Pages<Page: ElementPage & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Page
    public typealias Failure = NetworkError
    fileprivate typealias Load = @Sendable () async throws(NetworkError) -> Response<Page>

    private let api: APIClient
    private let paging: Paging<Page>
    private var isReadingAhead = false
    /// Loads the first page in another way; `nil` for a plain request.
    private var first: Load?

    init(_ api: APIClient, _ paging: Paging<Page>) {
        self.api = api
        self.paging = paging
    }

    /// Returns these pages, with one page requested ahead.
    public func prefetching() -> Pages {
        var copy = self
        copy.isReadingAhead = true
        return copy
    }

    /// The account session of the list.
    package var session: AccountSession { api.account.session }

    /// The elements of all pages, one by one.
    public var elements: PageElements<Page> { PageElements(self) }

    /// Starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(api: api, walk: PageWalk(paging), isReadingAhead: isReadingAhead, first: first)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let api: APIClient
        fileprivate var walk: PageWalk<Page>
        fileprivate let isReadingAhead: Bool
        private var first: Load?
        private var ahead: PageAhead<Page>?
        /// The account of the list; `nil` before the first page.
        private var account: AccountStamp?

        fileprivate init(api: APIClient, walk: PageWalk<Page>, isReadingAhead: Bool, first: Load?) {
            self.api = api
            self.walk = walk
            self.isReadingAhead = isReadingAhead
            self.first = first
        }

        /// Whether there are no more pages.
        package var isAtEnd: Bool { walk.place == nil && walk.failure == nil }

        /// Drops the page that is loaded ahead, which may be from before a change of the list.
        ///
        /// - Parameter removed: How many of the elements that were read the server no longer has. Pages that are counted
        ///   are read from an earlier place, so that none is skipped.
        package mutating func listChanged(removing removed: Int) {
            ahead = nil
            walk.moveBack(by: removed)
        }

        /// Waits for the next page; `nil` after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Page? {
            if let failure = walk.failure { throw failure }
            guard let place = walk.place else { return nil }
            let account = if let account { account } else { await api.account.session.begin() }
            self.account = account
            let response = try await Self.load(place, first, ahead.take(), api, account)
            walk.advance(response)
            first = nil
            if isReadingAhead, let next = walk.place { ahead = PageAhead(next, api, account) }
            return response.value
        }

        public mutating func next() async throws(NetworkError) -> Page? {
            try await next(isolation: nil)
        }

        private static func load(
            _ place: Paging<Page>.Place, _ first: Load?, _ ahead: PageAhead<Page>?, _ api: APIClient,
            _ account: AccountStamp
        ) async throws(NetworkError) -> Response<Page> {
            if let first { return try await first() }
            guard let ahead else { return try await api.response(for: place, account) }
            return try await ahead.response()
        }
    }
}

extension Pages where Page: Codable {
    /// The same pages. The first one is kept in a store, for an `api.reading` of its endpoint.
    package func keepingFirst(in store: any ModelStore, now: @escaping @Sendable () -> Date) -> Pages {
        var copy = self
        copy.first = { [api, paging] () throws(NetworkError) in
            try await api.response(for: paging.firstEndpoint, keptIn: store, now: now)
        }
        return copy
    }
}

extension APIClient {
    /// Returns the pages of a list as an asynchronous sequence.
    ///
    /// ```swift
    /// for try await article in api.pages(.cursor { .articles(after: $0) }).elements { print(article.title) }
    /// ```
    ///
    /// The first request is sent when a loop asks for the first page.
    ///
    /// - Parameter paging: How to get the next page.
    public func pages<Page: ElementPage & Sendable>(_ paging: Paging<Page>) -> Pages<Page> {
        Pages(self, paging)
    }

    /// - Parameter stamp: The account of the list.
    func response<Page: ElementPage & Sendable>(
        for place: Paging<Page>.Place, _ stamp: AccountStamp
    ) async throws(NetworkError) -> Response<Page> {
        var request = try request(for: place.endpoint)
        request.belong(to: stamp)
        // It reads, whatever its method is.
        request.options.modelInvalidation = .off
        if let url = place.url { request.url = url }
        return try await response(for: place.endpoint, by: request)
    }
}

extension HTTPRequest {
    /// Binds the request to an account, if it needs authentication.
    mutating func belong(to stamp: AccountStamp) {
        if options.authentication == .required { options.account = stamp }
    }
}

/// The elements of a paginated list. Errors, end and cancellation are those of its ``Pages``.
///
/// ```swift
/// for try await article in api.pages(.cursor { .articles(after: $0) }).elements { print(article.title) }
/// ```
public struct PageElements<Page: ElementPage & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Page.Item
    public typealias Failure = NetworkError

    private let pages: Pages<Page>

    init(_ pages: Pages<Page>) {
        self.pages = pages
    }

    /// Starts at the first element.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var pages: Pages<Page>.AsyncIterator
        private var items: [Page.Item].SubSequence = []

        fileprivate init(pages: Pages<Page>.AsyncIterator) {
            self.pages = pages
        }

        /// Waits for the next element; `nil` after the last. Empty pages are skipped.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Page.Item? {
            while items.isEmpty {
                guard let page = try await pages.next(isolation: actor) else { return nil }
                items = page.items[...]
            }
            return items.removeFirst()
        }

        public mutating func next() async throws(NetworkError) -> Page.Item? {
            try await next(isolation: nil)
        }
    }
}
