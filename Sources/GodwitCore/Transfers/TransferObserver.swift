import Synchronization

/// Measures a transfer and shows its progress.
final class TransferObserver: Sendable {
    let board = ProgressBoard()
    private let meter: Mutex<ProgressMeter>
    private let timeline: Timeline

    init(interval: Duration, timeline: Timeline) {
        meter = Mutex(ProgressMeter(interval: interval))
        self.timeline = timeline
    }

    var updates: ProgressUpdates { ProgressUpdates(board) }

    /// The count jumps without bytes that were sent or received.
    func jump(to completed: Int64, total: Int64?) {
        board.show(meter.withLock { $0.jump(to: completed, total: total, at: timeline.now) })
    }

    func advance(to completed: Int64, total: Int64?) {
        if let news = meter.withLock({ $0.advance(to: completed, total: total, at: timeline.now) }) { board.show(news) }
    }

    /// Shows the last progress.
    func conclude(_ completed: Int64, total: Int64?) {
        board.show(meter.withLock { $0.report(completed, total: total, at: timeline.now) })
    }

    func finish() {
        board.finish()
    }
}
