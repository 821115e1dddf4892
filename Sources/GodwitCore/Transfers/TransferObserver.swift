import GodwitSupport
import Synchronization

/// Measures a transfer and reports its progress.
final class TransferObserver: Sendable {
    private struct State {
        var meter: ProgressMeter
        var latest = TransferProgress()
    }

    private let feed = ProgressFeed()
    private let state: Mutex<State>
    private let timeline: Timeline
    private let report: @Sendable (TransferProgress) -> Void

    /// - Parameter report: Called for each progress that is shown.
    init(
        interval: Duration, timeline: Timeline, report: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) {
        state = Mutex(State(meter: ProgressMeter(interval: interval)))
        self.timeline = timeline
        self.report = report
    }

    var updates: ProgressUpdates { ProgressUpdates(feed) }

    /// The count changes without bytes being transferred, as at the start or when a transfer starts over.
    func jump(to completed: Int64, total: Int64?) {
        change(to: completed, total: total) { $0.jump(to: completed, total: total, at: $1) }
    }

    /// Bytes were transferred. A smaller count than before came late, and is ignored.
    func advance(to completed: Int64, total: Int64?) {
        change(to: completed, total: total, ifNotLess: true) { $0.advance(to: completed, total: total, at: $1) }
    }

    /// Bytes were transferred. A smaller count than before means that the transfer started over.
    func advanceOrRestart(to completed: Int64, total: Int64?) {
        let isRestart = completed < state.withLock(\.latest.completed)
        isRestart ? jump(to: completed, total: total) : advance(to: completed, total: total)
    }

    /// Reports the last progress.
    func conclude(_ completed: Int64, total: Int64?) {
        change(to: completed, total: total) { $0.report(completed, total: total, at: $1) }
    }

    /// Reports the latest progress, even if it is not due yet.
    func concludeLatest() {
        let latest = state.withLock(\.latest)
        conclude(latest.completed, total: latest.total)
    }

    func finish() {
        feed.finish()
    }

    private func change(
        to completed: Int64, total: Int64?, ifNotLess: Bool = false,
        _ measure: (inout ProgressMeter, Duration) -> TransferProgress?
    ) {
        let now = timeline.now
        let progress = state.withLock { state -> TransferProgress? in
            guard !ifNotLess || completed >= state.latest.completed else { return nil }
            state.latest = TransferProgress(completed: completed, total: total)
            return measure(&state.meter, now)
        }
        guard let progress else { return }
        feed.show(progress)
        report(progress)
    }
}
