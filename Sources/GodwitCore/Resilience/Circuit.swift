import GodwitSupport

/// Decides whether calls to one host are sent. It has no clock.
///
/// ```text
///          enough failures in a row             after a while, for a probe
/// closed ──────────────────────────▶ open ────────────────────────────▶ half open
///    ▲                                 ▲                                   │ │
///    └──── a probe succeeds ───────────┼───────────────────────────────────┘ │
///                                      └──────────── a probe fails ──────────┘
/// ```
struct Circuit: Sendable, Hashable {
    enum State: Sendable, Hashable {
        case closed(failures: Int)
        case open(until: Duration)
        case halfOpen(probes: Int)
    }

    /// Identifies a call that is sent. Its outcome is ignored after a change of state.
    struct Pass: Sendable, Hashable {
        fileprivate var era: Int
    }

    /// Whether a call is sent.
    enum Decision: Sendable, Hashable {
        case pass(Pass)
        /// With the time until the next probe, if known.
        case refuse(retryAfter: Duration?)
    }

    /// The outcome of a call.
    enum Outcome: Sendable, Hashable {
        case success, failure
        /// Doesn't show the state of the host, such as a canceled call.
        case unknown
    }

    private(set) var state = State.closed(failures: 0)
    private var era = 0

    var isClosed: Bool { if case .closed = state { true } else { false } }

    /// Whether calls are probes.
    var isHalfOpen: Bool { if case .halfOpen = state { true } else { false } }

    /// What other processes should know after a change from another state.
    func change(since former: State, pause: Duration) -> CircuitChange? {
        switch (former, state) {
        case (.open, .open): nil
        case (_, .open): .opened(pause)
        case (.halfOpen, .closed): .closed
        default: nil
        }
    }

    /// Applies a change in another process.
    mutating func apply(_ change: CircuitChange, at now: Duration) {
        switch change {
        case .opened(let pause): self.change(to: .open(until: now + pause.bounded))
        case .closed: self.change(to: .closed(failures: 0))
        }
    }

    mutating func admit(at now: Duration, _ options: CircuitBreaker.Options) -> Decision {
        switch state {
        case .closed:
            return .pass(Pass(era: era))
        case .open(let until):
            guard now >= until else { return .refuse(retryAfter: until - now) }
            change(to: .halfOpen(probes: 1))
            return .pass(Pass(era: era))
        case .halfOpen(let probes):
            guard probes < max(1, options.probes) else { return .refuse(retryAfter: nil) }
            state = .halfOpen(probes: probes + 1)
            return .pass(Pass(era: era))
        }
    }

    mutating func record(_ outcome: Outcome, for pass: Pass, at now: Duration, _ options: CircuitBreaker.Options) {
        guard pass.era == era else { return }
        switch (state, outcome) {
        case (.closed, .success):
            state = .closed(failures: 0)
        case (.closed(let failures), .failure):
            state = .closed(failures: failures + 1)
            if failures + 1 >= options.failures { change(to: .open(until: now + options.pause.bounded)) }
        case (.halfOpen, .success):
            change(to: .closed(failures: 0))
        case (.halfOpen, .failure):
            change(to: .open(until: now + options.pause.bounded))
        case (.halfOpen(let probes), .unknown):
            state = .halfOpen(probes: max(0, probes - 1))
        case (.closed, .unknown), (.open, _):
            break
        }
    }

    private mutating func change(to next: State) {
        state = next
        era += 1
    }
}

/// The ``NetworkError/underlying`` error of a call that a ``CircuitBreaker`` did not send.
///
/// ```swift
/// if let open = error.underlying as? CircuitOpen { show("again in \(open.retryAfter ?? .zero)") }
/// ```
public struct CircuitOpen: Error, Sendable, Hashable {
    /// The origin that failed.
    public let origin: Origin

    /// The time until the next probe; `nil` while one is in progress.
    public let retryAfter: Duration?

    package init(origin: Origin, retryAfter: Duration?) {
        self.origin = origin
        self.retryAfter = retryAfter
    }
}

extension CircuitOpen: CustomStringConvertible, LocalizedError {
    /// The origin, and when calls are sent again.
    public var description: String {
        let when = retryAfter.map { "in \($0)" } ?? "when the current probe succeeds"
        return "\(origin) failed too often; calls are sent again \(when)"
    }

    /// What `localizedDescription` says: ``description``.
    public var errorDescription: String? { description }
}

extension CircuitOpen: LibraryError {}
