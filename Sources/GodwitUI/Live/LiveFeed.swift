public import GodwitCore
public import Observation

/// The latest values that a server sends while a screen is open, and the state of the connection.
///
/// ```swift
/// let prices = LiveFeed(api, .prices, as: Price.self, limit: 50)
/// await prices.run()                       // SwiftUI: .task { await prices.run() }
/// ```
///
/// The feed connects when it runs and reconnects when the connection breaks. It disconnects when the last task running
/// it is canceled, as SwiftUI does when the screen disappears. Received values stay until the account changes; then the
/// feed stops and is cleared.
@Observable @MainActor
public final class LiveFeed<Element: Sendable> {
    /// The latest elements, at most ``limit``, newest last.
    public private(set) var elements: [Element] = []

    /// The state of the connection.
    public private(set) var state = State.idle

    /// The maximum number of elements that are kept; at least 1.
    @ObservationIgnored public let limit: Int

    @ObservationIgnored private var current: Run?
    @ObservationIgnored private let read: Read
    /// Where the next run resumes.
    @ObservationIgnored private var place: String?
    @ObservationIgnored private lazy var accounts = AccountMark { [weak self] in self?.leaveAccount() }

    /// Reads until the end, from a place after the last element of an earlier run.
    typealias Read = @Sendable (FeedSink<Element>, _ place: String?) async throws -> Void

    /// - Parameter limit: Maximum elements kept; less than 1 counts as 1.
    init(limit: Int, read: @escaping Read) {
        self.limit = max(limit, 1)
        self.read = read
    }

    /// Whether the connection is open.
    public var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// Connects and listens. Returns when the feed ends, or the task is canceled.
    ///
    /// If the feed is already running, this waits for it. An ended feed connects again.
    public func run() async {
        guard !Task.isCancelled else { return }
        accounts.leaveChangedAccount()
        if current == nil { begin() }
        await current?.wait(for: self)
    }

    /// Closes the connection. Received values stay.
    public func stop() {
        guard let current else { return }
        current.cancel()
        settle(.idle)
    }

    /// Removes the received values.
    public func clear() {
        elements = []
    }

    private func begin() {
        let run = Run { [weak self] in self?.forget($0) }
        current = run
        state = .connecting
        let sink = FeedSink<Element> { [weak self, weak run] in
            guard let self, let run, run === current, !accounts.isOutdated else { return }
            take($0)
        }
        run.start(in: accounts.scope(nil), { [read, place] in try await read(sink, place) }) { [weak self] in
            self?.finish($0, $1)
        }
    }

    private func leaveAccount() {
        stop()
        clear()
        place = nil
    }

    private func take(_ event: FeedSink<Element>.Event) {
        switch event {
        case .state(let state): self.state = state
        case .end(let place): self.place = place ?? self.place
        case .element(let element, let place):
            self.place = place ?? self.place
            if elements.count >= limit { elements.removeFirst(elements.count - limit + 1) }
            elements.append(element)
        }
    }

    private func finish(_ run: Run, _ outcome: Outcome<Void>) {
        guard run === current else { return }
        switch outcome {
        case .success: settle(.ended(nil))
        case .failure(let error) where error.isCancellation: settle(.idle)
        case .failure(let error): settle(.ended(error))
        }
    }

    private func forget(_ run: Run) {
        if run === current { settle(.idle) }
    }

    private func settle(_ state: State) {
        current = nil
        self.state = state
    }
}

extension LiveFeed {
    /// The state of a feed.
    public enum State: Sendable {
        /// The feed isn't running.
        case idle
        /// A connection is being made.
        case connecting
        /// The connection is open.
        case open
        /// The connection ended, possibly with an error; the next attempt starts after this delay.
        case waiting(Duration, after: NetworkError?)
        /// Ended by the server (`nil`), or by an error that reconnecting can't fix.
        case ended(NetworkError?)
    }
}

extension LiveFeed.State {
    /// `nil` for the end, which the reading reports with its reason.
    init?(_ state: EventSource.State) {
        switch state {
        case .connecting: self = .connecting
        case .open: self = .open
        case .waiting(let pause, let error): self = .waiting(pause, after: error)
        case .closed: return nil
        }
    }

    /// `nil` for the end, which the reading reports with its reason.
    init?(_ state: ReconnectingWebSocket.State) {
        switch state {
        case .connecting: self = .connecting
        case .open: self = .open
        case .waiting(let pause, let error): self = .waiting(pause, after: error)
        case .closed: return nil
        }
    }
}

/// Receives the values and states of a feed.
struct FeedSink<Element: Sendable>: Sendable {
    enum Event: Sendable {
        case state(LiveFeed<Element>.State)
        /// With the place after it, if the feed can resume there.
        case element(Element, place: String?)
        case end(place: String?)
    }

    private let take: @MainActor @Sendable (Event) -> Void

    init(_ take: @escaping @MainActor @Sendable (Event) -> Void) {
        self.take = take
    }

    /// Shows elements and states until the elements end.
    ///
    /// - Parameter place: The place after the last element that was read.
    func show<Elements: AsyncSequence & Sendable, States: AsyncSequence & Sendable>(
        _ elements: Elements, states: States, place: @escaping @Sendable () -> String? = { nil }
    ) async throws
    where Elements.Element == Element, States.Element == LiveFeed<Element>.State?, States.Failure == Never {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await state in states {
                    if let state { await take(.state(state)) }
                }
            }
            defer { group.cancelAll() }
            for try await element in elements { await take(.element(element, place: place())) }
            await take(.end(place: place()))
        }
    }
}
