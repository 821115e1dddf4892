/// Whether calls to one host go through: a state machine without a clock.
///
/// ```text
///          enough failures in a row             after a while, for a probe
/// closed ──────────────────────────▶ open ────────────────────────────▶ half open
///    ▲                                 ▲                                   │ │
///    └──── a probe succeeds ───────────┼───────────────────────────────────┘ │
///                                      └──────────── a probe fails ──────────┘
/// ```
struct Circuit: Sendable, Hashable {
    /// How a circuit stands.
    enum State: Sendable, Hashable {
        case closed(failures: Int)
        case open(until: Duration)
        case halfOpen(probes: Int)
    }

    /// What a call that goes through shows when it is over. One from before the last change of state counts no more.
    struct Pass: Sendable, Hashable {
        fileprivate var era: Int
    }

    /// What becomes of a call that asks.
    enum Verdict: Sendable, Hashable {
        case pass(Pass)
        /// Not now; the time until a probe may go, where it is known.
        case refuse(retryAfter: Duration?)
    }

    /// What a call that was let through came to.
    enum Outcome: Sendable, Hashable {
        case success, failure
        /// The call says nothing about the host, as when it was cancelled.
        case unknown
    }

    private(set) var state = State.closed(failures: 0)
    private var era = 0

    mutating func admit(at now: Duration, _ options: CircuitBreaker.Options) -> Verdict {
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

/// Why a ``CircuitBreaker`` did not let a call through: the ``NetworkError/underlying`` of what it throws.
///
/// ```swift
/// if let open = error.underlying as? CircuitOpen { show("again in \(open.retryAfter ?? .zero)") }
/// ```
public struct CircuitOpen: Error, Sendable, Hashable {
    /// Whose calls are not let through.
    public let origin: Origin

    /// How long until the next call may try; nil while one is trying.
    public let retryAfter: Duration?

    /// Makes the reason.
    ///
    /// - Parameters:
    ///   - origin: Whose calls are not let through.
    ///   - retryAfter: How long until the next may try; nil while one is trying.
    public init(origin: Origin, retryAfter: Duration?) {
        self.origin = origin
        self.retryAfter = retryAfter
    }
}

extension CircuitOpen: CustomStringConvertible, LocalizedError {
    /// Whose calls are not let through, and for how long.
    public var description: String {
        let when = retryAfter.map { "in \($0)" } ?? "when a call that tries succeeds"
        return "\(origin) failed too often; calls go through again \(when)"
    }

    /// What `localizedDescription` says: ``description``.
    public var errorDescription: String? { description }
}

extension CircuitOpen: LibraryError {}
