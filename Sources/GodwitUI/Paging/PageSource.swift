public import GodwitCore

/// How a ``PageLoader`` gets its pages from any code: a repository, a database, a package of someone else.
///
/// ```swift
/// let byCursor = PageLoader(.cursor { cursor in try await repository.articles(after: cursor) })
/// let byNumber = PageLoader(.numbers { number in try await repository.articles(page: number) })
/// let byOffset = PageLoader(.offsets(limit: 50) { offset in try await repository.articles(from: offset, count: 50) })
/// ```
///
/// The words are those of `Paging`, whose closures make endpoints for a client to send.
public struct PageSource<Page: ElementPage & Sendable>: Sendable {
    /// One page, and where it leads.
    struct Place: Sendable {
        /// Loads the page; the place after it, `nil` at the end.
        let load: @Sendable () async throws -> (page: Page, next: Place?)
    }

    let first: Place

    /// By a cursor that each page has for the next one.
    ///
    /// - Parameter load: Loads a page; the first one's cursor is nil.
    public static func cursor(_ load: @escaping @Sendable (_ cursor: String?) async throws -> Page) -> PageSource
    where Page: CursorPage {
        cursor(next: { $0.nextCursor.flatMap { $0.isEmpty ? nil : $0 } }, load)
    }

    /// By a cursor of any type that is found in each page. One that leads back ends the list with `.invalidResponse`.
    ///
    /// - Parameters:
    ///   - next: Finds the cursor of the next page; nil at the end.
    ///   - load: Loads a page; the first one's cursor is nil.
    public static func cursor<Cursor: Hashable & Sendable>(
        next: @escaping @Sendable (Page) -> Cursor?,
        _ load: @escaping @Sendable (_ cursor: Cursor?) async throws -> Page
    ) -> PageSource {
        @Sendable func place(_ cursor: Cursor?, visited: Set<Cursor>) -> Place {
            Place {
                if let cursor, visited.contains(cursor) {
                    let reason = "a page leads back to one that was read"
                    throw NetworkError(.invalidResponse(reason: reason), phase: .validating)
                }
                let page = try await load(cursor)
                let visited = cursor.map { visited.union([$0]) } ?? visited
                return (page, next(page).map { place($0, visited: visited) })
            }
        }
        return PageSource(first: place(nil, visited: []))
    }

    /// By the number of the page.
    ///
    /// - Parameters:
    ///   - first: The number of the first page.
    ///   - isLast: Whether no page follows; an empty page is the last one by default.
    ///   - load: Loads a page.
    public static func numbers(
        from first: Int = 1, until isLast: @escaping @Sendable (Page) -> Bool = { $0.items.isEmpty },
        _ load: @escaping @Sendable (_ number: Int) async throws -> Page
    ) -> PageSource {
        @Sendable func place(_ number: Int) -> Place {
            Place {
                let page = try await load(number)
                // The largest number has none after it.
                return (page, isLast(page) || number == .max ? nil : place(number + 1))
            }
        }
        return PageSource(first: place(first))
    }

    /// By how many elements come before the page. One with fewer than `limit` is the last.
    ///
    /// - Parameters:
    ///   - limit: How many elements a page has.
    ///   - load: Loads a page.
    public static func offsets(
        limit: Int, _ load: @escaping @Sendable (_ offset: Int) async throws -> Page
    ) -> PageSource {
        @Sendable func place(_ offset: Int) -> Place {
            Place {
                let page = try await load(offset)
                let count = page.items.count
                return (page, count < max(limit, 1) ? nil : place(offset.saturatingAdding(count)))
            }
        }
        return PageSource(first: place(0))
    }
}

extension PageLoader {
    /// Makes a loader of pages that closures load; it does not begin by itself.
    ///
    /// ```swift
    /// let list = PageLoader(.cursor { cursor in try await repository.articles(after: cursor) })
    /// ```
    ///
    /// Errors that are no `NetworkError` become `.transport(.other)`, with themselves as `underlying`.
    ///
    /// - Parameters:
    ///   - source: How pages are loaded.
    ///   - prefetchDistance: How many elements from the end the next page is asked for. 5 by default; 0 asks at the last
    ///     element only.
    ///   - monitor: Where given, what failed for want of a network is asked for again once the network is back.
    public convenience init<Page: ElementPage & Sendable>(
        _ source: PageSource<Page>, prefetchDistance: Int = 5, retryingWith monitor: (any PathMonitor)? = nil
    ) where Page.Item == Item {
        self.init(prefetchDistance, monitor) {
            let cursor = SourceCursor(source)
            return { () throws(NetworkError) in try await cursor.next() }
        }
    }
}

/// A place in the pages of a source. It moves only where the page that was asked for is accepted.
@MainActor
private final class SourceCursor<Page: ElementPage & Sendable> where Page.Item: Sendable {
    private var place: PageSource<Page>.Place?

    init(_ source: PageSource<Page>) {
        place = source.first
    }

    func next() async throws(NetworkError) -> PageStep<Page.Item> {
        guard let place else { return PageStep(items: [], isLast: true) {} }
        let (page, next) = try await Outcome.of(place.load).get()
        return PageStep(items: page.items, isLast: next == nil) { self.place = next }
    }
}

/// A place in a list of pages. It moves only where the page that was asked for is accepted.
@MainActor
final class PageCursor<Page: ElementPage & Sendable> where Page.Item: Sendable {
    private var iterator: Pages<Page>.AsyncIterator
    private var lastCall = 0

    init(_ pages: Pages<Page>) {
        iterator = pages.makeAsyncIterator()
    }

    func next() async throws(NetworkError) -> PageStep<Page.Item> {
        lastCall += 1
        let call = lastCall
        var moved = iterator
        do throws(NetworkError) {
            return step(try await Self.page(&moved), moved)
        } catch {
            // It stands where it stood; what was loaded ahead is used up. A later call has its own.
            if call == lastCall { iterator = moved }
            throw error
        }
    }

    private func step(_ page: Page?, _ moved: Pages<Page>.AsyncIterator) -> PageStep<Page.Item> {
        PageStep(items: page?.items ?? [], isLast: moved.isAtEnd) { self.iterator = moved }
    }

    private static func page(_ iterator: inout Pages<Page>.AsyncIterator) async throws(NetworkError) -> Page? {
        do throws(NetworkError) {
            return try await iterator.next(isolation: MainActor.shared)
        } catch {
            // What was loaded ahead ended with a call that was cancelled; this one was not.
            guard error.isCancellation, !Task.isCancelled else { throw error }
            return try await iterator.next(isolation: MainActor.shared)
        }
    }
}

/// A page that has come, for whoever still wants it.
@MainActor
struct PageStep<Item: Sendable> {
    let items: [Item]
    let isLast: Bool
    /// Moves the place behind the page. Without it the same page is asked for again.
    let accept: @MainActor () -> Void
}
