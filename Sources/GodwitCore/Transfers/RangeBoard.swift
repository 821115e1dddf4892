import Synchronization

/// What those who fetch the ranges of one content share: who fetches what, and what is there.
final class RangeBoard: Sendable {
    /// How often the ticket is written while a piece is fetched: a kill costs no more than what came since.
    private static let interval = Duration.seconds(1)

    private struct State {
        var pieces: PieceMap
        /// The most bytes that were ever there when an attempt broke.
        var furthest: Int64
        var failures = 0
        /// When the ticket was written last.
        var stored: Duration
    }

    let total: Int64
    private let start: DownloadTicket
    private let ledger: DownloadLedger
    private let observer: TransferObserver
    private let state: Mutex<State>
    /// Held during a write, so that no older ticket takes the place of a newer one.
    private let storing = Mutex(())

    init(
        _ ticket: DownloadTicket, total: Int64, _ ledger: DownloadLedger, _ observer: TransferObserver, now: Duration
    ) {
        self.total = total
        self.ledger = ledger
        self.observer = observer
        start = ticket
        let pieces = PieceMap(total: total, present: [0..<ticket.offset] + (ticket.pieces ?? []))
        state = Mutex(State(pieces: pieces, furthest: pieces.count, stored: now))
    }

    /// What it takes to go on from here.
    var ticket: DownloadTicket {
        let pieces = state.withLock(\.pieces)
        var ticket = start
        ticket.offset = pieces.prefix
        ticket.pieces = pieces.beyondPrefix
        return ticket
    }

    /// The next piece to fetch; nil where everything is there or being fetched.
    func take(upTo size: Int64) -> Range<Int64>? {
        state.withLock { $0.pieces.take(upTo: size) }
    }

    /// These bytes are in the file.
    func add(_ range: Range<Int64>) {
        state.withLock { state in
            state.pieces.add(range)
            // Under the lock, as a count that comes late would look like a new beginning.
            observer.advance(to: state.pieces.count, total: total)
        }
    }

    /// An attempt broke: which one in a row after which nobody got further, from 1.
    func noteFailure() -> Int {
        state.withLock { state in
            state.failures = state.pieces.count > state.furthest ? 1 : state.failures + 1
            state.furthest = max(state.furthest, state.pieces.count)
            return state.failures
        }
    }

    /// Whether it is time to write the ticket; whoever is told so does it.
    func isDue(at now: Duration) -> Bool {
        state.withLock { state in
            guard now - state.stored >= Self.interval else { return false }
            state.stored = now
            return true
        }
    }

    /// Writes the ticket, for a process that finds the file.
    ///
    /// - Parameter prepare: What has to be done first about the bytes that the ticket speaks of.
    func store(after prepare: () throws(NetworkError) -> Void = {}) throws(NetworkError) {
        try storing.withLock { _ throws(NetworkError) in
            let ticket = ticket
            try prepare()
            try ledger.store(ticket)
        }
    }
}
