import GodwitCore

/// The deadlines of one exchange: connecting, inactivity and the whole.
struct ExchangeTiming {
    private enum Stage {
        /// In libcurl's queue for a connection, or waiting for the caller's side.
        case untimed
        case connecting(until: LoopTime)
        case moving(until: LoopTime)
    }

    private var timeouts = Timeouts()
    private var stage = Stage.untimed
    private var end: LoopTime?

    mutating func begin(_ timeouts: Timeouts, at now: LoopTime) {
        self.timeouts = timeouts
        end = timeouts.total.map { now + $0 }
    }

    /// A connection is being made; several attempts share one deadline.
    mutating func connecting(at now: LoopTime) {
        if case .untimed = stage { stage = .connecting(until: now + timeouts.connect) }
    }

    mutating func moved(at now: LoopTime) {
        stage = .moving(until: now + timeouts.inactivity)
    }

    mutating func suspended() {
        stage = .untimed
    }

    /// The earliest moment at which it has taken too long; nil for never.
    var deadline: LoopTime? {
        switch stage {
        case .untimed: end
        case .connecting(let until), .moving(let until): end.map { min($0, until) } ?? until
        }
    }

    /// What took too long.
    func expiredStage(at now: LoopTime) -> NetworkError.Stage {
        if let end, end <= now { return .total }
        if case .connecting = stage { return .connect }
        return .inactivity
    }
}
