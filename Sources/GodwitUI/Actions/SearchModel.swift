import GodwitCore
import GodwitSupport
public import Observation

/// Searches while the user types.
///
/// ```swift
/// let search = SearchModel { text in try await api.send(.search(text)) }
/// search.text = "tid"                      // SwiftUI: .searchable(text: $search.text)
/// search.text = "tides"                    // only this one is sent, 300 ms later
/// ```
///
/// A search starts when the text hasn't changed for a while. The latest text wins: earlier requests are canceled, and
/// results never arrive out of order. Results stay visible until those of the next text arrive. When the account of a
/// client used by the search changes, text and results are cleared.
@Observable @MainActor
public final class SearchModel<Results: Sendable> {
    /// The text as typed.
    public var text = "" {
        didSet { if text != oldValue { textChanged() } }
    }

    let found: Loader<Found<Results>>
    /// The results of a text as a store has them; `nil` for a search without a store.
    @ObservationIgnored var shared: (@MainActor (String) -> Results?)?
    /// The results that a store has of the text that loads; `nil` for a search without models.
    @ObservationIgnored var early: (@MainActor () -> Found<Results>?)?
    /// The text that was last searched for.
    @ObservationIgnored private var wanted: String?
    @ObservationIgnored private var typing: Task<Void, Never>?
    @ObservationIgnored private let debounce: Duration
    @ObservationIgnored private let clock: any Clock<Duration>
    @ObservationIgnored private let minimumLength: Int
    @ObservationIgnored private let search: @Sendable (String) async throws -> Results

    /// Creates a model that searches once the text stays unchanged for a time.
    ///
    /// - Parameters:
    ///   - debounce: How long the text must be unchanged. 300 ms by default.
    ///   - minimumLength: Minimum characters, without surrounding whitespace. 1 by default; less counts as 1.
    ///   - clock: Measures that time.
    ///   - search: Returns the results of a text.
    public init(
        debounce: Duration = .milliseconds(300), minimumLength: Int = 1, clock: any Clock<Duration> = ContinuousClock(),
        _ search: @escaping @Sendable (_ text: String) async throws -> Results
    ) {
        self.debounce = debounce
        self.clock = clock
        self.minimumLength = max(minimumLength, 1)
        self.search = search
        found = Loader { throw CancellationError() }
        found.query.loads.accountChanged = { [weak self] in
            self?.text = ""
            self?.found.reset()
        }
    }

    deinit {
        typing?.cancel()
    }

    /// The state of the results; idle if the text is too short.
    public var state: LoadingState<Results> { shown.map { latest($0) } }

    /// The results to show.
    public var value: Results? { shown.value.map { latest($0) } }

    /// The text that ``value`` belongs to, without surrounding whitespace; `nil` if there are no results.
    public var searchedText: String? { shown.value?.text }

    /// Searches immediately, for example when Return is pressed. Returns when the search is done.
    public func submit() async {
        typing?.cancel()
        guard prepare(trimmed) else { return }
        await found.reload()
    }

    /// Searches again, bypassing the HTTP cache, for example on pull-to-refresh; see ``Loader/refresh()``.
    public func refresh() async {
        typing?.cancel()
        guard prepare(trimmed) else { return }
        await found.refresh()
    }

    /// Searches again after a failure. Otherwise does nothing.
    public func retry() async { await found.retry() }

    /// Cancels the search in progress, for example when the screen disappears. Earlier results stay.
    public func cancel() {
        typing?.cancel()
        found.cancel()
    }

    /// The state, with stored results of the text that loads or failed to load.
    private var shown: LoadingState<Found<Results>> {
        let state = found.state
        guard state.isLoading || state.error != nil, let early = early?(), early.text == wanted else { return state }
        return state.showing(.value(early))
    }

    private func latest(_ found: Found<Results>) -> Results { shared?(found.text) ?? found.results }

    private var trimmed: String {
        let start = text.drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }

    private func textChanged() {
        typing?.cancel()
        let text = trimmed
        guard text.count >= minimumLength else { return found.reset() }
        // Not `Debounced`: texts would leave this actor and could overtake each other.
        typing = Task { [weak self, debounce, clock] in
            guard (try? await clock.sleep(for: debounce.bounded)) != nil, !Task.isCancelled else { return }
            guard let self, prepare(text) else { return }
            found.query.loads.begin(.next, isBackground: true)
        }
    }

    /// Whether the text is long enough to search for.
    private func prepare(_ text: String) -> Bool {
        guard text.count >= minimumLength else {
            found.reset()
            return false
        }
        // Results that are shown stay until those of this text are there.
        if let last = shown.value { found.query.confirm(last, by: .client) }
        wanted = text
        found.load(by: { [search] in Found(text: text, results: try await search(text)) })
        return true
    }
}

/// Results, and the text they belong to.
struct Found<Results: Sendable>: Sendable {
    let text: String
    let results: Results
}
