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
