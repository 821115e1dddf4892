import GodwitCore

/// The deadlines of one exchange: connecting, inactivity and the whole.
struct ExchangeTiming {
    private enum Stage {
        /// In libcurl's queue for a connection, or waiting for the caller's side.
        case untimed
        case connecting, moving
    }

    private let limits: TimeLimits
    private let begin: LoopTime
    private var stage = Stage.untimed
    private var last: LoopTime

    init(_ limits: TimeLimits, at now: LoopTime) {
        self.limits = limits
        begin = now
        last = now
    }

    /// A connection is being made; several attempts share one deadline.
    mutating func connecting(at now: LoopTime) {
        guard stage == .untimed else { return }
        stage = .connecting
        last = now
    }

    mutating func moved(at now: LoopTime) {
        stage = .moving
        last = now
    }

    mutating func suspended() {
        stage = .untimed
    }

    /// The earliest moment at which it has taken too long; nil for never.
    var deadline: LoopTime? {
        let end = limits.total.map { begin + $0 }
        return switch stage {
        case .untimed: end
        case .connecting: earlier(last + limits.connect, end)
        case .moving: earlier(last + limits.inactivity, end)
        }
    }

    /// What took too long.
    func expiredStage(at now: LoopTime) -> NetworkError.Stage {
        if let total = limits.total, begin + total <= now { return .total }
        return stage == .connecting ? .connect : .inactivity
    }

    private func earlier(_ time: LoopTime, _ other: LoopTime?) -> LoopTime {
        other.map { min(time, $0) } ?? time
    }
}
