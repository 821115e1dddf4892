/// At most so many in any span of a given length: a value without a clock.
struct SlidingWindow: Sendable, Hashable {
    private let count: Int
    private let span: Duration
    /// The last times in a ring, the oldest at `next` once the ring is full.
    private var times: [Duration] = []
    private var next = 0

    /// A count of less than 1 counts as 1.
    init(count: Int, span: Duration) {
        self.count = max(1, count)
        self.span = span.bounded
    }

    /// How long until another may go; zero where it may now.
    func wait(at now: Duration) -> Duration {
        guard times.count == count else { return .zero }
        return max(.zero, times[next] + span - now)
    }

    /// Notes that one goes now.
    mutating func note(at now: Duration) {
        if times.count < count {
            times.append(now)
        } else {
            times[next] = now
            next = (next + 1) % count
        }
    }

    /// Whether nothing of the past matters any more.
    func isFresh(at now: Duration) -> Bool {
        times.allSatisfy { $0 + span <= now }
    }
}
