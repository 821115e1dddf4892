/// The time that one turn of the event loop may take. What is left over is done in the next turn, after events were
/// looked at again, so that no call waits for a crowd of others.
struct TurnBudget {
    /// What is limited, in the order in which a turn comes to it. Each gets time even if the ones before took theirs.
    enum Work: Int64 {
        case events = 2_000_000
        case starts = 3_000_000
        case ends = 4_000_000
    }

    private var begin: LoopTime

    init(at now: LoopTime) {
        begin = now
    }

    mutating func beginTurn(at now: LoopTime) {
        begin = now
    }

    /// Whether the turn has time for more of such work. Reads the clock.
    func hasTime(for work: Work, at now: LoopTime = .current()) -> Bool {
        now < begin + work.rawValue
    }
}
