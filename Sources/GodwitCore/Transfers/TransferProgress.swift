import GodwitSupport
import Synchronization

/// The progress of a download or an upload.
public struct TransferProgress: Sendable, Hashable, Nonisolated {
    /// The transferred bytes, those of earlier runs included.
    public var completed: Int64

    /// The bytes to transfer; `nil` if unknown.
    public var total: Int64?

    /// The rate over the last seconds; `nil` until it is known.
    public var bytesPerSecond: Double?

    /// Creates a progress from byte counts and a rate.
    public init(completed: Int64 = 0, total: Int64? = nil, bytesPerSecond: Double? = nil) {
        self.completed = completed
        self.total = total
        self.bytesPerSecond = bytesPerSecond
    }

    /// The completed fraction, from 0 to 1; `nil` if the total is unknown.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(max(0, Double(completed) / Double(total)), 1) : 1
    }

    /// The estimated time for the rest at the current rate; `nil` if unknown.
    public var timeRemaining: Duration? {
        guard let total, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        // Bounded by a century, so that it fits a `Duration`.
        return .bounded(seconds: Double(max(0, total.saturatingSubtracting(completed))) / bytesPerSecond)
    }
}

/// Turns byte counts into progress: decides when an update is due, and measures the rate. A pure value.
struct ProgressMeter: Sendable {
    /// The time over which the rate is measured.
    private static let window = Duration.seconds(5)

    private struct Sample {
        let time: Duration
        let bytes: Int64
    }

    private let interval: Duration
    private var samples: [Sample] = []
    private var lastUpdate: Duration?

    /// - Parameter interval: The minimum time between two updates.
    init(interval: Duration) {
        self.interval = interval
    }

    /// The count changes without bytes being transferred, which doesn't count toward the rate.
    mutating func jump(to completed: Int64, total: Int64?, at now: Duration) -> TransferProgress {
        samples = [Sample(time: now, bytes: completed)]
        lastUpdate = now
        return TransferProgress(completed: completed, total: total)
    }

    /// Bytes were transferred; returns `nil` if no update is due.
    mutating func advance(to completed: Int64, total: Int64?, at now: Duration) -> TransferProgress? {
        if let lastUpdate, now - lastUpdate < interval { return nil }
        return report(completed, total: total, at: now)
    }

    /// Returns an update, even if none is due.
    mutating func report(_ completed: Int64, total: Int64?, at now: Duration) -> TransferProgress {
        lastUpdate = now
        samples.append(Sample(time: now, bytes: completed))
        // One sample from before the window is kept, so that slow transfers have a rate too.
        while samples.count > 2, now - samples[1].time >= Self.window { samples.removeFirst() }
        return TransferProgress(completed: completed, total: total, bytesPerSecond: rate)
    }

    private var rate: Double? {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return nil }
        return Double(last.bytes.saturatingSubtracting(first.bytes)) / ((last.time - first.time) / .seconds(1))
    }
}

/// Shows the latest progress to any number of readers, each at its own speed, without waiting for them.
final class ProgressFeed: Sendable {
    struct Update: Sendable {
        let progress: TransferProgress
        /// Counts the updates from 1.
        let number: Int
    }

    private struct State {
        var latest: Update?
        var isFinished = false
        var readers = Waiters<Update?>()
    }

    private let state = Mutex(State())

    init() {}

    func show(_ progress: TransferProgress) {
        let (update, readers) = state.withLock { state in
            let update = Update(progress: progress, number: (state.latest?.number ?? 0) + 1)
            state.latest = update
            return (update, state.readers.takeAll())
        }
        for reader in readers { reader.resume(returning: update) }
    }

    /// Ends the readers' loops after the latest progress.
    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            return state.readers.takeAll()
        }
        for reader in readers { reader.resume(returning: nil) }
    }

    /// The first update after this number; `nil` at the end, or if the task is canceled.
    func next(after number: Int) async -> Update? {
        guard !Task.isCancelled else { return nil }
        let (update, reader) = state.withLock { state -> (Update?, Waiter<Update?>?) in
            if let latest = state.latest, latest.number > number { return (latest, nil) }
            return (nil, state.isFinished ? nil : state.readers.add())
        }
        guard let reader else { return update }
        return await reader.value {
            state.withLock { _ = $0.readers.remove(reader) }
            reader.resume(returning: nil)
        }
    }
}

/// The progress of a transfer: the latest one whenever the loop asks for more. Ends with the transfer.
///
/// ```swift
/// for await progress in download.progress { bar.value = progress.fraction }
/// ```
///
/// A slow loop misses updates and delays nothing. Any number of loops may run; each gets the last progress.
public struct ProgressUpdates: AsyncSequence, Sendable {
    public typealias Element = TransferProgress
    public typealias Failure = Never

    private let feed: ProgressFeed

    init(_ feed: ProgressFeed) {
        self.feed = feed
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(feed: feed)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let feed: ProgressFeed
        private var seen = 0

        fileprivate init(feed: ProgressFeed) {
            self.feed = feed
        }

        /// Waits for a new progress; `nil` after the end of the transfer, or if the task is canceled.
        public mutating func next() async -> TransferProgress? {
            guard let update = await feed.next(after: seen) else { return nil }
            seen = update.number
            return update.progress
        }
    }
}
