public import GodwitCore
public import Observation

/// What a server sends while a screen is open: the latest of it, and how the connection stands.
///
/// ```swift
/// let prices = LiveFeed(api, .prices, as: Price.self, limit: 50)
/// await prices.run()                       // SwiftUI: .task { await prices.run() }
/// ```
///
/// It connects when it runs, comes back when the connection breaks, and closes it when the last task that runs it is
/// cancelled, as a screen's task is when the screen goes. What was received stays, until the account changes: then the feed
/// stops, and is empty.
@Observable @MainActor
public final class LiveFeed<Element: Sendable> {
    /// The latest elements, the newest last; at most ``limit``.
    public private(set) var elements: [Element] = []

    /// How the connection stands.
    public private(set) var state = State.idle

    /// The most elements that are kept.
    @ObservationIgnored public let limit: Int

    @ObservationIgnored private var current: Run?
    @ObservationIgnored private let read: Read
    @ObservationIgnored private let forgetPlace: @Sendable () -> Void
    @ObservationIgnored private lazy var accounts = AccountMark { [weak self] in self?.leaveAccount() }

    /// Reads until there is no more.
    typealias Read = @Sendable (FeedSink<Element>) async throws -> Void

    /// - Parameters:
    ///   - limit: The most elements that are kept; less than 1 counts as 1.
    ///   - forgetPlace: Makes the next run start over instead of going on behind the last element.
    ///   - read: Reads until there is no more.
    init(limit: Int, forgetPlace: @escaping @Sendable () -> Void = {}, read: @escaping Read) {
        self.limit = max(limit, 1)
        self.forgetPlace = forgetPlace
        self.read = read
    }

    /// Whether what the server sends, comes.
    public var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// Connects and listens. Returns when the feed is over, or the task is cancelled.
    ///
    /// A feed that runs already is not connected twice. One that is over is connected anew.
    public func run() async {
        guard !Task.isCancelled else { return }
        if accounts.hasChanged() { leaveAccount() }
        if current == nil { begin() }
        await current?.wait()
    }

    /// Closes the connection; what was received stays.
    public func stop() {
        guard let current else { return }
        current.cancel()
        settle(.idle)
    }

    /// Forgets what was received.
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
        run.start(in: accounts.scope(nil), { [read] in try await read(sink) }) { [weak self] in self?.finish($0, $1) }
    }

    private func leaveAccount() {
        _ = accounts.hasChanged()
        stop()
        clear()
        forgetPlace()
    }

    private func take(_ event: FeedSink<Element>.Event) {
        switch event {
        case .state(let state): self.state = state
        case .element(let element):
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
    /// How a feed stands.
    public enum State: Sendable {
        /// Nobody listens.
        case idle
        /// A connection is being made.
        case connecting
        /// What the server sends, comes.
        case open
        /// The connection ended, by an error or without one; the next attempt comes after this pause.
        case waiting(Duration, after: NetworkError?)
        /// It is over: the server has no more (nil), or for a reason that no attempt would change.
        case ended(NetworkError?)
    }
}

extension LiveFeed.State {
    /// Nil for the end: that comes with its reason, from the reading itself.
    init?(_ state: EventSource.State) {
        switch state {
        case .connecting: self = .connecting
        case .open: self = .open
        case .waiting(let pause, let error): self = .waiting(pause, after: error)
        case .closed: return nil
        }
    }

    /// Nil for the end: that comes with its reason, from the reading itself.
    init?(_ state: ReconnectingWebSocket.State) {
        switch state {
        case .connecting: self = .connecting
        case .open: self = .open
        case .waiting(let pause, let error): self = .waiting(pause, after: error)
        case .closed: return nil
        }
    }
}

/// Where a feed's reading brings what it reads.
struct FeedSink<Element: Sendable>: Sendable {
    enum Event: Sendable {
        case state(LiveFeed<Element>.State)
        case element(Element)
    }

    private let take: @MainActor @Sendable (Event) -> Void

    init(_ take: @escaping @MainActor @Sendable (Event) -> Void) {
        self.take = take
    }

    /// Shows all elements, and beside them the states; returns when the elements are over.
    func show<Elements: AsyncSequence & Sendable, States: AsyncSequence & Sendable>(
        _ elements: Elements, beside states: States
    ) async throws
    where Elements.Element == Element, States.Element == LiveFeed<Element>.State?, States.Failure == Never {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await state in states {
                    if let state { await take(.state(state)) }
                }
            }
            defer { group.cancelAll() }
            for try await element in elements { await take(.element(element)) }
        }
    }
}
