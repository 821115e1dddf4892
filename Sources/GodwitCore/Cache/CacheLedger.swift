import Synchronization

/// Knows what is under way between a cache and its server, by URL.
///
/// An answer that was asked for before its URL was invalidated may show the state before the change: it is returned,
/// but not stored. And a response is validated in the background by one task at a time.
final class CacheLedger: Sendable {
    /// What is under way for one URL. Read and changed under the ledger's lock alone.
    fileprivate final class Page: @unchecked Sendable {
        var readers = 0
        var invalidations = 0
    }

    /// A place in the ledger, taken by ``begin(_:)``.
    struct Mark: Sendable {
        fileprivate let page: Page
        fileprivate let invalidations: Int
    }

    private struct State {
        var pages: [HTTPURL: Page] = [:]
        var validations: Set<Validation> = []
    }

    /// A response that is being validated.
    struct Validation: Hashable, Sendable {
        let url: HTTPURL
        let variant: String
    }

    private let state = Mutex(State())

    /// Notes that a URL is being asked for; returns what ``isCurrent(_:)`` asks for. Ends with ``end(_:_:)``.
    func begin(_ url: HTTPURL) -> Mark {
        state.withLock { state in
            let page = Self.page(&state.pages[url])
            page.readers += 1
            return Mark(page: page, invalidations: page.invalidations)
        }
    }

    private static func page(_ page: inout Page?) -> Page {
        if let page { return page }
        let new = Page()
        page = new
        return new
    }

    /// Notes that one answer for a URL is dealt with.
    func end(_ url: HTTPURL, _ mark: Mark) {
        state.withLock { state in
            mark.page.readers -= 1
            if mark.page.readers == 0 { state.pages[url] = nil }
        }
    }

    /// Notes that what is known of a URL no longer holds.
    func invalidate(_ url: HTTPURL) {
        state.withLock { $0.pages[url]?.invalidations += 1 }
    }

    /// Whether the URL has not been invalidated since.
    func isCurrent(_ mark: Mark) -> Bool {
        state.withLock { _ in mark.page.invalidations == mark.invalidations }
    }

    /// Takes on the validation of a response; false where it is under way already.
    func beginValidation(_ validation: Validation) -> Bool {
        state.withLock { $0.validations.insert(validation).inserted }
    }

    func endValidation(_ validation: Validation) {
        state.withLock { _ = $0.validations.remove(validation) }
    }
}
