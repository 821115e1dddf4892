import Synchronization

/// Knows what is under way between a cache and its server, by the place that an answer has in the cache, such as its URL.
///
/// An answer that was asked for before its place was invalidated, or before another answer that is stored, may show an
/// older state: it is returned, but not stored. And a response is validated in the background by one task at a time.
final class CacheLedger<Place: Hashable & Sendable>: Sendable {
    /// What is under way for one place. Read and changed under the ledger's lock alone.
    fileprivate final class Page: @unchecked Sendable {
        var readers = 0
        var invalidations = 0
        /// The number of the request whose answer is stored, by variant.
        var latest: [String: UInt64] = [:]
    }

    /// A request in the ledger, made by ``begin(_:)``.
    struct Mark: Sendable {
        fileprivate let page: Page
        fileprivate let invalidations: Int
        /// Later requests have larger numbers.
        fileprivate let number: UInt64
    }

    private struct State {
        var pages: [Place: Page] = [:]
        var validations: Set<CacheValidation> = []
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Notes that the server is asked. Ends with ``end(_:_:)``.
    func begin(_ place: Place) -> Mark {
        state.withLock { state in
            let page = Self.page(&state.pages[place])
            page.readers += 1
            state.lastNumber += 1
            return Mark(page: page, invalidations: page.invalidations, number: state.lastNumber)
        }
    }

    private static func page(_ page: inout Page?) -> Page {
        if let page { return page }
        let new = Page()
        page = new
        return new
    }

    /// Notes that one answer is dealt with.
    func end(_ place: Place, _ mark: Mark) {
        state.withLock { state in
            mark.page.readers -= 1
            if mark.page.readers == 0 { state.pages[place] = nil }
        }
    }

    /// Notes that what is known of a place no longer holds.
    func invalidate(_ place: Place) {
        state.withLock { $0.pages[place]?.invalidations += 1 }
    }

    /// Whether the place has not been invalidated since the request.
    func isCurrent(_ mark: Mark) -> Bool {
        state.withLock { _ in mark.page.invalidations == mark.invalidations }
    }

    /// Whether the answer may be stored: it is current, and no answer to a later request is stored.
    func claim(_ mark: Mark, variant: String = "") -> Bool {
        state.withLock { _ in
            guard mark.page.invalidations == mark.invalidations else { return false }
            guard mark.page.latest[variant, default: 0] <= mark.number else { return false }
            mark.page.latest[variant] = mark.number
            return true
        }
    }

    /// Whether an answer that was stored may stay. If not, nobody knows which of two was stored last.
    func holds(_ mark: Mark, variant: String = "") -> Bool {
        state.withLock { _ in
            mark.page.invalidations == mark.invalidations && mark.page.latest[variant] == mark.number
        }
    }

    /// Takes on the validation of a response; false where it is under way already.
    func beginValidation(_ validation: CacheValidation) -> Bool {
        state.withLock { $0.validations.insert(validation).inserted }
    }

    func endValidation(_ validation: CacheValidation) {
        state.withLock { _ = $0.validations.remove(validation) }
    }
}

/// A response that is being validated.
struct CacheValidation: Hashable, Sendable {
    let url: HTTPURL
    let variant: String
}
