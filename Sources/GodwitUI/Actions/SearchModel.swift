import GodwitCore
public import Observation

/// Searches while somebody types.
///
/// ```swift
/// let search = SearchModel { text in try await api.send(.search(text)) }
/// search.text = "tid"                      // SwiftUI: .searchable(text: $search.text)
/// search.text = "tides"                    // only this one is sent, 300 ms later
/// ```
///
/// A text is searched for once it has stood still, and the latest wins: the request of an earlier one is cancelled, and
/// results never arrive out of order. Results stay visible until those of the next text are there. When the account
/// changes of a client that searches, text and results are forgotten.
@Observable @MainActor
public final class SearchModel<Results: Sendable> {
    /// What is searched for, as it is typed.
    public var text = "" {
        didSet { if text != oldValue { textChanged() } }
    }

    private let found: Loader<Found<Results>>
    @ObservationIgnored private var typing: Task<Void, Never>?
    @ObservationIgnored private let quiet: Duration
    @ObservationIgnored private let clock: any Clock<Duration>
    @ObservationIgnored private let minimumLength: Int
    @ObservationIgnored private let search: @Sendable (String) async throws -> Results

    /// Makes a model.
    ///
    /// - Parameters:
    ///   - quiet: How long a text has to stand still. 300 ms by default.
    ///   - minimumLength: How many characters a text must have to be searched for, the space around it not counted. 1 by
    ///     default; less counts as 1.
    ///   - clock: What `quiet` is measured by.
    ///   - search: Finds what belongs to a text.
    public init(
        quiet: Duration = .milliseconds(300), minimumLength: Int = 1, clock: any Clock<Duration> = ContinuousClock(),
        _ search: @escaping @Sendable (_ text: String) async throws -> Results
    ) {
        (self.quiet, self.clock) = (quiet, clock)
        self.minimumLength = max(minimumLength, 1)
        self.search = search
        found = Loader { throw CancellationError() }
        found.accountChanged = { [weak self] in
            self?.text = ""
            self?.found.reset()
        }
    }

    deinit {
        typing?.cancel()
    }

    /// How the results stand; idle where the text is too short.
    public var state: LoadingState<Results> { found.state.map(\.results) }

    /// What there is to show.
    public var value: Results? { found.value?.results }

    /// The text that ``value`` was found by, without the space around it; nil where there is none.
    public var searchedText: String? { found.value?.text }

    /// Searches for the text now, as when return is pressed. Returns when that is done.
    public func submit() async {
        typing?.cancel()
        guard prepare(trimmed) else { return }
        await found.loadAnew()
    }

    /// Searches for the text anew, past the HTTP cache, as when the results are pulled; see ``Loader/refresh()``.
    public func refresh() async {
        typing?.cancel()
        guard prepare(trimmed) else { return }
        await found.refresh()
    }

    /// Searches again after a failure; does nothing otherwise.
    public func retry() async { await found.retry() }

    /// Ends the search under way, as when the screen goes; what was found before stays.
    public func cancel() {
        typing?.cancel()
        found.cancel()
    }

    private var trimmed: String {
        let start = text.drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }

    private func textChanged() {
        typing?.cancel()
        let text = trimmed
        guard text.count >= minimumLength else { return found.reset() }
        // Not Debounced: there the texts would cross from this actor, and could overtake each other on the way.
        typing = Task { [weak self, quiet, clock] in
            guard (try? await clock.sleep(for: quiet)) != nil, !Task.isCancelled else { return }
            guard let self, prepare(text) else { return }
            found.begin(.show)
        }
    }

    /// Whether the text is one to search for.
    private func prepare(_ text: String) -> Bool {
        guard text.count >= minimumLength else {
            found.reset()
            return false
        }
        found.load(by: { [search] in Found(text: text, results: try await search(text)) })
        return true
    }
}

/// Results, and the text that they were found by.
struct Found<Results: Sendable>: Sendable {
    let text: String
    let results: Results
}
