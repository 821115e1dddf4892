/// The elements of a list that comes in pages.
///
/// Throws, ends and is cancelled like its ``Pages``.
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

    /// Hands on one element after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var pages: Pages<Page>.AsyncIterator
        private var items: [Page.Item].SubSequence = []

        fileprivate init(pages: Pages<Page>.AsyncIterator) {
            self.pages = pages
        }

        /// The next element; nil after the last. Empty pages are passed over.
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
