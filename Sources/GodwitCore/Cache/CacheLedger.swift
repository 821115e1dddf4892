import Synchronization

/// Knows what is under way between a cache and its server, by URL.
///
/// An answer that was asked for before its URL was invalidated may show the state before the change: it is returned,
/// but not stored. And a response is validated in the background by one task at a time.
final class CacheLedger: Sendable {
    private struct Page {
        var readers = 0
        var invalidations = 0
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

    /// Notes that a URL is being asked for; returns what ``isCurrent(_:at:)`` compares with. Ends with ``end(_:)``.
    func begin(_ url: HTTPURL) -> Int {
        state.withLock { state in
            state.pages[url, default: Page()].readers += 1
            return state.pages[url]?.invalidations ?? 0
        }
    }

    /// Notes that one answer for a URL is dealt with.
    func end(_ url: HTTPURL) {
        state.withLock { state in
            guard let page = state.pages[url] else { return }
            state.pages[url] =
                page.readers > 1 ? Page(readers: page.readers - 1, invalidations: page.invalidations) : nil
        }
    }

    /// Notes that what is known of a URL no longer holds.
    func invalidate(_ url: HTTPURL) {
        state.withLock { $0.pages[url]?.invalidations += 1 }
    }

    /// Whether the URL has not been invalidated since.
    func isCurrent(_ url: HTTPURL, at mark: Int) -> Bool {
        state.withLock { $0.pages[url]?.invalidations == mark }
    }

    /// Takes on the validation of a response; false where it is under way already.
    func beginValidation(_ validation: Validation) -> Bool {
        state.withLock { $0.validations.insert(validation).inserted }
    }

    func endValidation(_ validation: Validation) {
        state.withLock { _ = $0.validations.remove(validation) }
    }
}
