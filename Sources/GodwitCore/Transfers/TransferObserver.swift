import Synchronization

/// Measures a transfer and shows its progress.
final class TransferObserver: Sendable {
    private struct State {
        var meter: ProgressMeter
        var latest = TransferProgress()
    }

    let board = ProgressBoard()
    private let state: Mutex<State>
    private let timeline: Timeline
    private let tell: @Sendable (TransferProgress) -> Void

    /// - Parameter tell: Called for every progress that is shown.
    init(
        interval: Duration, timeline: Timeline, tell: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) {
        state = Mutex(State(meter: ProgressMeter(interval: interval)))
        self.timeline = timeline
        self.tell = tell
    }

    var updates: ProgressUpdates { ProgressUpdates(board) }

    /// The count jumps without bytes that were sent or received.
    func jump(to completed: Int64, total: Int64?) {
        show { $0.jump(to: completed, total: total, at: $1) }
    }

    /// So many bytes are there now. A smaller number than before is a new beginning.
    func advance(to completed: Int64, total: Int64?) {
        let now = timeline.now
        let news = state.withLock { state -> TransferProgress? in
            let isNew = completed < state.latest.completed
            state.latest = TransferProgress(completed: completed, total: total)
            guard isNew else { return state.meter.advance(to: completed, total: total, at: now) }
            return state.meter.jump(to: completed, total: total, at: now)
        }
        if let news { show(news) }
    }

    /// Shows the last progress.
    func conclude(_ completed: Int64, total: Int64?) {
        show { $0.report(completed, total: total, at: $1) }
    }

    /// Shows the last progress that there was, whether or not it was time for it.
    func concludeLatest() {
        let latest = state.withLock(\.latest)
        conclude(latest.completed, total: latest.total)
    }

    func finish() {
        board.finish()
    }

    private func show(_ make: (inout ProgressMeter, Duration) -> TransferProgress) {
        let now = timeline.now
        show(
            state.withLock { state in
                let progress = make(&state.meter, now)
                state.latest = progress
                return progress
            })
    }

    private func show(_ progress: TransferProgress) {
        board.show(progress)
        tell(progress)
    }
}
