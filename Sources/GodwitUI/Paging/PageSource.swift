public import GodwitCore
import GodwitSupport

/// How a ``PageLoader`` loads pages with closures, for example from a repository, a database or another package.
///
/// ```swift
/// let byCursor = PageLoader(.cursor { cursor in try await repository.articles(after: cursor) })
/// let byNumber = PageLoader(.numbers { number in try await repository.articles(page: number) })
/// let byOffset = PageLoader(.offsets(limit: 50) { offset in try await repository.articles(from: offset, count: 50) })
/// ```
///
/// The names are those of `Paging`, whose closures return endpoints for a client to send.
public struct PageSource<Page: ElementPage & Sendable>: Sendable {
    /// A page, and the place after it.
    struct Place: Sendable {
        let order: PageOrder<Place>
        /// Loads the page and returns the next place; `nil` at the end.
        let load: @Sendable () async throws -> (page: Page, next: Place?)
    }

    let first: Place

    /// Pages by a cursor that each page has for the next one.
    ///
    /// - Parameter load: Loads a page; the cursor of the first one is `nil`.
    public static func cursor(_ load: @escaping @Sendable (_ cursor: String?) async throws -> Page) -> PageSource
    where Page: CursorPage {
        cursor(next: { $0.nextCursor.flatMap { $0.isEmpty ? nil : $0 } }, load)
    }

    /// Pages by a cursor of any type, found in each page. A cursor that leads back ends the list with
    /// `.invalidResponse`.
    ///
    /// - Parameters:
    ///   - next: Returns the cursor of the next page; `nil` at the end.
    ///   - load: Loads a page; the cursor of the first one is `nil`.
    public static func cursor<Cursor: Hashable & Sendable>(
        next: @escaping @Sendable (Page) -> Cursor?,
        _ load: @escaping @Sendable (_ cursor: Cursor?) async throws -> Page
    ) -> PageSource {
        @Sendable func place(_ cursor: Cursor?, visited: Set<Cursor>) -> Place {
            Place(order: .stable) {
                if let cursor, visited.contains(cursor) {
                    let reason = "a page leads back to a page that was already read"
                    throw NetworkError(.invalidResponse(reason: reason), phase: .validating)
                }
                let page = try await load(cursor)
                let visited = cursor.map { visited.union([$0]) } ?? visited
                return (page, next(page).map { place($0, visited: visited) })
            }
        }
        return PageSource(first: place(nil, visited: []))
    }

    /// Pages by their number.
    ///
    /// - Parameters:
    ///   - first: The number of the first page.
    ///   - isLast: Whether a page is the last one; by default, if it is empty.
    ///   - load: Loads the page with a number.
    public static func numbers(
        from first: Int = 1, until isLast: @escaping @Sendable (Page) -> Bool = { $0.items.isEmpty },
        _ load: @escaping @Sendable (_ number: Int) async throws -> Page
    ) -> PageSource {
        @Sendable func place(_ number: Int) -> Place {
            Place(order: .pages) {
                let page = try await load(number)
                // No page follows the largest number.
                return (page, isLast(page) || number == .max ? nil : place(number + 1))
            }
        }
        return PageSource(first: place(first))
    }

    /// Pages by offset. A page with fewer than `limit` elements is the last one.
    ///
    /// - Parameters:
    ///   - limit: The number of elements in a page.
    ///   - load: Loads the page that starts at an offset.
    public static func offsets(
        limit: Int, _ load: @escaping @Sendable (_ offset: Int) async throws -> Page
    ) -> PageSource {
        @Sendable func place(_ offset: Int) -> Place {
            Place(order: .elements { place(max(offset - $0, 0)) }) {
                let page = try await load(offset)
                let count = page.items.count
                return (page, count < max(limit, 1) ? nil : place(offset.saturatingAdding(count)))
            }
        }
        return PageSource(first: place(0))
    }
}

extension PageLoader {
    /// Creates a loader of pages from closures. It doesn't load until asked.
    ///
    /// ```swift
    /// let list = PageLoader(.cursor { cursor in try await repository.articles(after: cursor) })
    /// ```
    ///
    /// Errors other than `NetworkError` become `.transport(.other)`, with the original as `underlying`.
    ///
    /// - Parameters:
    ///   - source: The pages of the list.
    ///   - prefetchDistance: How many elements before the end the next page is requested. 5 by default; 0 means at the
    ///     last element.
    ///   - monitor: If given, loads that failed for lack of a network are retried when the network returns.
    public convenience init<Page: ElementPage & Sendable>(
        _ source: PageSource<Page>, prefetchDistance: Int = 5, retryingWith monitor: (any PathMonitor)? = nil
    ) where Page.Item == Item {
        let list = PageList<Item>(monitor) {
            let cursor = SourceCursor(source)
            return { change throws(NetworkError) in try await cursor.next(after: change) }
        }
        self.init(list, prefetchDistance)
    }
}

/// A position in the pages of a source. It advances only when the loaded page is accepted.
@MainActor
private final class SourceCursor<Page: ElementPage & Sendable> where Page.Item: Sendable {
    private typealias Place = PageSource<Page>.Place

    private var place: Place?
    private var trail = PageTrail<Place>()

    init(_ source: PageSource<Page>) {
        place = source.first
    }

    func next(after change: ListChange) async throws(NetworkError) -> PageStep<Page.Item> {
        guard let place else { return PageStep(items: [], isLast: true) {} }
        var trail = trail
        let current = trail.place(place.order, removed: change.removed) ?? place
        let (page, next) = try await Outcome.of(current.load).get()
        trail.add(current, current.order, count: page.items.count)
        return PageStep(items: page.items, isLast: next == nil) { [trail] in
            self.place = next
            self.trail = trail
        }
    }
}

/// A position in a list of pages. It advances only when the loaded page is accepted.
@MainActor
final class PageCursor<Page: ElementPage & Sendable> where Page.Item: Sendable {
    private var iterator: Pages<Page>.AsyncIterator
    private var lastCall = 0

    init(_ pages: Pages<Page>) {
        iterator = pages.makeAsyncIterator()
    }

    func next(after change: ListChange) async throws(NetworkError) -> PageStep<Page.Item> {
        lastCall += 1
        let call = lastCall
        var moved = iterator
        if change.hasHappened { moved.listChanged(removing: change.removed) }
        do throws(NetworkError) {
            return step(try await Self.page(&moved), moved)
        } catch {
            // The position stays, but the prefetched page is consumed. A later call has its own iterator. After a change
            // of the list, that call moves back and drops the prefetched page itself.
            if call == lastCall, !change.hasHappened { iterator = moved }
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
            // The prefetch belonged to a canceled call; this call wasn't canceled.
            guard error.isCancellation, !Task.isCancelled else { throw error }
            return try await iterator.next(isolation: MainActor.shared)
        }
    }
}

/// A loaded page, not yet accepted.
@MainActor
struct PageStep<Item: Sendable> {
    let items: [Item]
    let isLast: Bool
    /// Whether further pages were left out.
    var isCut = false
    /// Advances the position. Without it, the same page is requested again.
    let accept: @MainActor () -> Void
}

extension PageStep {
    /// After this many pages, a refetch ends: the user scrolls to the others again.
    private static var refetchLimit: Int { 20 }

    /// The first pages of a list, as one.
    static func first(
        of step: @MainActor (ListChange) async throws(NetworkError) -> PageStep, holding count: Int
    ) async throws(NetworkError) -> PageStep {
        var page = try await step(ListChange())
        var items = page.items
        var pages = 1
        while items.count < count, !page.isLast, pages < refetchLimit {
            page.accept()
            page = try await step(ListChange())
            items += page.items
            pages += 1
        }
        let isCut = items.count < count && !page.isLast
        return PageStep(items: items, isLast: page.isLast, isCut: isCut, accept: page.accept)
    }
}
