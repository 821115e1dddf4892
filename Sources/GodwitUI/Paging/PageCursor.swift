import GodwitCore

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
