import Synchronization

/// How far a download or an upload has come.
public struct TransferProgress: Sendable, Hashable, Nonisolated {
    /// The bytes that are there, those of earlier runs included.
    public var completed: Int64

    /// The bytes there will be; nil where the server does not say.
    public var total: Int64?

    /// How fast it went in the last seconds; nil until that can be said.
    public var bytesPerSecond: Double?

    /// Makes a progress.
    public init(completed: Int64 = 0, total: Int64? = nil, bytesPerSecond: Double? = nil) {
        self.completed = completed
        self.total = total
        self.bytesPerSecond = bytesPerSecond
    }

    /// The part that is done, from 0 to 1; nil where the total is not known.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(max(0, Double(completed) / Double(total)), 1) : 1
    }

    /// How long the rest will take at the present rate; nil where that cannot be said.
    public var timeRemaining: Duration? {
        guard let total, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        // A century says "never" as well as any number, and fits.
        return .bounded(seconds: Double(max(0, total.saturatingSubtracting(completed))) / bytesPerSecond)
    }
}

/// Makes progress out of byte counts: says when there is news, and how fast it goes.
///
/// A pure value; the time is given to it.
package struct ProgressMeter: Sendable {
    /// How far back the rate looks.
    private static let window = Duration.seconds(5)

    private struct Sample {
        let time: Duration
        let bytes: Int64
    }

    private let interval: Duration
    private var samples: [Sample] = []
    private var lastNews: Duration?

    /// - Parameter interval: The least time between two pieces of news.
    package init(interval: Duration) {
        self.interval = interval
    }

    /// The count jumps, as at the start or where a transfer starts over: no rate comes of that.
    package mutating func jump(to completed: Int64, total: Int64?, at now: Duration) -> TransferProgress {
        samples = [Sample(time: now, bytes: completed)]
        lastNews = now
        return TransferProgress(completed: completed, total: total)
    }

    /// So many bytes are there now; nil where it is too early for news.
    package mutating func advance(to completed: Int64, total: Int64?, at now: Duration) -> TransferProgress? {
        if let lastNews, now - lastNews < interval { return nil }
        return report(completed, total: total, at: now)
    }

    /// The same, whenever the last news was.
    package mutating func report(_ completed: Int64, total: Int64?, at now: Duration) -> TransferProgress {
        lastNews = now
        samples.append(Sample(time: now, bytes: completed))
        // One sample from before the window is kept, so that a slow transfer has a rate too.
        while samples.count > 2, now - samples[1].time >= Self.window { samples.removeFirst() }
        return TransferProgress(completed: completed, total: total, bytesPerSecond: rate)
    }

    private var rate: Double? {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return nil }
        return Double(last.bytes.saturatingSubtracting(first.bytes)) / ((last.time - first.time) / .seconds(1))
    }
}

/// Shows the latest progress to any number of readers, each at its own pace. Nobody is waited for.
package final class ProgressBoard: Sendable {
    /// A progress, and its place among all that were shown.
    package struct Notice: Sendable {
        package let progress: TransferProgress
        let number: Int
    }

    fileprivate typealias Reader = CheckedContinuation<Notice?, Never>

    fileprivate struct State {
        var latest: Notice?
        var isOver = false
        var readers: [Int: Reader] = [:]
        var nextReader = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Shows a progress in place of the one before.
    package func show(_ progress: TransferProgress) {
        let (notice, readers) = state.withLock { state in
            let notice = Notice(progress: progress, number: (state.latest?.number ?? 0) + 1)
            state.latest = notice
            return (notice, state.takeReaders())
        }
        for reader in readers { reader.resume(returning: notice) }
    }

    /// Says that no more will come.
    package func finish() {
        let readers = state.withLock { state in
            state.isOver = true
            return state.takeReaders()
        }
        for reader in readers { reader.resume(returning: nil) }
    }

    /// The latest, once it is another than the one of this number; nil at the end, or when the task is cancelled.
    package func next(after number: Int) async -> Notice? {
        let id = state.withLock { state in
            state.nextReader += 1
            return state.nextReader
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait(as: id, after: number, with: $0) }
        } onCancel: {
            state.withLock { $0.readers.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }

    private func wait(as id: Int, after number: Int, with reader: Reader) {
        let isWaiting = state.withLock { state -> Bool in
            let hasNews = state.latest.map { $0.number > number } ?? false
            guard !hasNews, !state.isOver, !Task.isCancelled else { return false }
            state.readers[id] = reader
            return true
        }
        guard !isWaiting else { return }
        let latest = state.withLock(\.latest)
        reader.resume(returning: latest.flatMap { $0.number > number && !Task.isCancelled ? $0 : nil })
    }
}

extension ProgressBoard.State {
    fileprivate mutating func takeReaders() -> [ProgressBoard.Reader] {
        defer { readers = [:] }
        return Array(readers.values)
    }
}

/// The progress of a transfer: the latest there is, whenever the loop asks for more; ends with the transfer.
///
/// ```swift
/// for await progress in download.progress { bar.value = progress.fraction }
/// ```
///
/// A slow loop misses steps and delays nothing. Any number of loops may run, each sees the last progress there is.
public struct ProgressUpdates: AsyncSequence, Sendable {
    public typealias Element = TransferProgress
    public typealias Failure = Never

    private let board: ProgressBoard

    package init(_ board: ProgressBoard) {
        self.board = board
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(board: board)
    }

    /// Waits for one progress after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let board: ProgressBoard
        private var seen = 0

        fileprivate init(board: ProgressBoard) {
            self.board = board
        }

        /// The latest progress, once there is a new one; nil at the end of the transfer or when the task is cancelled.
        public mutating func next() async -> TransferProgress? {
            guard let notice = await board.next(after: seen) else { return nil }
            seen = notice.number
            return notice.progress
        }
    }
}
