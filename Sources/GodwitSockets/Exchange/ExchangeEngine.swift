#if os(Linux)
package import GodwitCore

/// The exchanges of one loop, and what is next for them in its turn.
package struct ExchangeWork {
    package private(set) var now = LoopTime.current()
    package private(set) var budget = TurnBudget(at: .current())
    package fileprivate(set) var active: [Exchange] = []
    fileprivate(set) var pace = Pace()
    /// When to look for exchanges that took too long; `nil` if none has a deadline.
    package fileprivate(set) var nextScan: LoopTime?
    /// Callers whose exchanges ended in this turn.
    fileprivate var callers: [Exchange.Continuation] = []
    fileprivate var undecoded = Line<Exchange>()
    fileprivate var unflushed: [Exchange] = []

    package init() {}

    /// Whether nothing is under way.
    package var isEmpty: Bool { active.isEmpty && callers.isEmpty }
    /// Whether bytes wait to be decoded, or to be handed to their readers.
    package var hasMoreToDo: Bool { !undecoded.isEmpty || !unflushed.isEmpty }

    package mutating func beginTurn() {
        readClock()
        budget.beginTurn(at: now)
    }

    mutating func readClock() { now = .current() }
}

/// Moves exchanges on, a turn of its loop at a time, whatever carries them. Used in the loop's turn.
package protocol ExchangeEngine: ExchangeServices {
    var work: ExchangeWork { get set }
    /// The loop's.
    var mailbox: any ExchangeMailbox { get }
    /// An exchange gave up, for the reason in its failure.
    func gaveUp(_ exchange: Exchange)
    /// An exchange took too long.
    func expired(_ exchange: Exchange, _ stage: NetworkError.Stage)
}

extension ExchangeEngine {
    package var now: LoopTime { work.now }
    package var hasTime: Bool { work.budget.hasTime(for: .events) }

    package func note(_ deadline: LoopTime?) {
        work.nextScan = .earlier(work.nextScan, deadline)
    }

    // MARK: Start and end

    package func add(_ exchange: Exchange) {
        exchange.slot = work.active.count
        work.active.append(exchange)
        note(exchange.timing?.deadline)
    }

    /// It is over: its caller is resumed at the end of the turn.
    package func finish(_ exchange: Exchange) {
        exchange.settle()
        if let start = exchange.timing?.start {
            work.pace.ended(isAlone: work.active.count == 1, from: start, to: now)
        }
        remove(exchange)
        if let caller = exchange.takeCaller() { work.callers.append(caller) }
    }

    /// An exchange is not under way any more.
    package func remove(_ exchange: Exchange) {
        guard exchange.slot >= 0 else { return }
        let last = work.active.removeLast()
        if last !== exchange {
            work.active[exchange.slot] = last
            last.slot = exchange.slot
        }
        exchange.slot = -1
    }

    package func resumeCallers() {
        if work.callers.isEmpty { return }
        let due = work.callers
        work.callers.removeAll(keepingCapacity: true)
        for caller in due { caller.resume() }
    }

    // MARK: Moving

    package func resumeReceiving(_ exchange: Exchange) {
        guard !exchange.state.isOver else { return }
        exchange.flow.isFull = false
        advance(exchange)
    }

    package func resumeSending(_ exchange: Exchange) {
        guard !exchange.state.isOver else { return }
        exchange.carrier?.resumeSending(exchange)
    }

    package func flushSoon(_ exchange: Exchange) { work.unflushed.append(exchange) }

    package func advance(_ exchange: Exchange) {
        guard !exchange.state.isOver else { return }
        switch exchange.flow.advance() {
        case .wait: break
        case .queue: work.undecoded.append(exchange)
        case .resume:
            exchange.noteActivity(of: .reader)
            exchange.carrier?.resumeReceiving(exchange)
        case .finish:
            exchange.conclude()
            finish(exchange)
        }
    }

    package func flushReceived() {
        // An exchange that resumes delivers what its connection held back, which must not wait while the loop sleeps.
        while !work.unflushed.isEmpty {
            let due = work.unflushed
            work.unflushed.removeAll(keepingCapacity: true)
            for exchange in due where exchange.flush() { advance(exchange) }
            if !work.budget.hasTime(for: .decoding) { return }
        }
    }

    /// Decodes a little of each body that expands to more than its sink takes, or than a turn has time for, and again while the
    /// turn has time (decision 083).
    package func decodeWaiting() {
        while let exchange = work.undecoded.popFirst() {
            decode(exchange)
            guard work.budget.hasTime(for: .decoding) else { return }
        }
    }

    private func decode(_ exchange: Exchange) {
        // It may have been canceled meanwhile.
        guard !exchange.state.isOver else { return }
        switch exchange.decode() {
        case .done: advance(exchange)
        case .refused: gaveUp(exchange)
        case .slow(let decoder):
            // No other thread uses it until then.
            nonisolated(unsafe) let decoder = decoder
            Task.detached { [mailbox] in
                decoder.prepare()
                mailbox.decoded(exchange)
            }
        }
    }

    /// A long step was done on another thread.
    package func decoded(_ exchange: Exchange) {
        guard !exchange.state.isOver else { return }
        exchange.flow.comeBack()
        advance(exchange)
    }

    // MARK: Deadlines

    /// Finds what has taken too long.
    ///
    /// Every byte moves an exchange's deadline, so a sorted queue would change with each byte. Instead the earliest deadline that
    /// was noted is kept. When it is due, one scan finds what expired, and when to scan next.
    package func scanIfDue() {
        guard let due = work.nextScan, due <= now else { return }
        work.nextScan = nil
        for exchange in work.active {
            guard !exchange.state.isOver, let deadline = exchange.timing?.deadline else { continue }
            if deadline <= now, let stage = exchange.expiredStage(at: now) {
                expired(exchange, stage)
            } else if let next = exchange.timing?.deadline {
                note(max(next, now + scanInterval))
            }
        }
    }
}

/// Scans are at least this many nanoseconds apart, so that many exchanges cost few scans.
private let scanInterval: Int64 = 10_000_000
#endif
