/// The spans that wait for export. Decides which is accepted, and when a batch is due.
struct SpanQueue: Sendable {
    /// What an exporter does next.
    enum Step: Sendable {
        /// Sleep until woken, or until a batch is due.
        case wait(Duration?)
        case send([SpanRecord])
        /// Nothing is left, and nothing more is accepted.
        case finish
    }

    /// A place in the order of spans.
    struct Mark: Sendable {
        /// The number of the last span before it.
        fileprivate let number: Int
        /// How many accepted spans were dropped before.
        fileprivate let dropped: Int
    }

    private let options: TelemetryOptions
    private var spans: [SpanRecord] = []
    private var bytes = 0
    /// When the first of them came in.
    private var oldest: Duration?
    /// The spans that were accepted, and those of them whose export has ended.
    private(set) var accepted = 0
    private var settled = 0
    /// Those that were accepted, and then dropped.
    private var lost = 0
    private var flushed = 0
    private(set) var isClosed = false
    private(set) var statistics = TelemetryStatistics()

    init(_ options: TelemetryOptions) {
        self.options = options
    }

    /// Adds a span, or drops it if the queue is full. Returns whether the exporter must look.
    mutating func append(_ span: SpanRecord, at now: Duration) -> Bool {
        statistics.spans += 1
        guard !isClosed, accepted - settled < options.maxQueueSize, bytes + span.size <= options.maxQueueBytes else {
            statistics.droppedSpans += 1
            return false
        }
        let wasFull = isFull
        spans.append(span)
        accepted += 1
        bytes += span.size
        statistics.waitingSpans += 1
        if oldest == nil {
            oldest = now
            return true
        }
        return isFull && !wasFull
    }

    private var isFull: Bool { spans.count >= options.maxExportBatchSize || bytes >= options.maxExportBatchBytes }

    /// - Parameter now: On the same timeline as the times of ``append(_:at:)``.
    mutating func next(at now: Duration) -> Step {
        guard let oldest else { return isClosed ? .finish : .wait(nil) }
        let due = oldest + options.scheduledDelay
        guard isFull || isClosed || flushed > settled || due <= now else { return .wait(due - now) }
        return .send(take(at: now))
    }

    private mutating func take(at now: Duration) -> [SpanRecord] {
        var (count, size) = (0, 0)
        while count < min(spans.count, options.maxExportBatchSize), size < options.maxExportBatchBytes {
            size += spans[count].size
            count += 1
        }
        let batch = Array(spans[..<count])
        spans.removeFirst(count)
        bytes -= size
        // The others came later; when is not noted.
        oldest = spans.isEmpty ? nil : now
        return batch
    }

    /// Notes how the export of a batch ended.
    mutating func settle(_ count: Int, exported: Int, rejected: Int) {
        settled += count
        statistics.waitingSpans -= count
        statistics.exportedSpans += exported
        statistics.rejectedSpans += rejected
        let dropped = count - exported - rejected
        statistics.droppedSpans += dropped
        lost += dropped
    }

    /// Makes everything due that was accepted so far. Returns the place after the last span.
    mutating func flush() -> Mark {
        flushed = accepted
        return Mark(number: accepted, dropped: lost)
    }

    /// Whether none of the spans up to a place was dropped since; `nil` until the export of all has ended.
    func result(of mark: Mark) -> Bool? {
        settled >= mark.number ? lost == mark.dropped : nil
    }

    /// Accepts nothing more.
    mutating func close() {
        isClosed = true
        flushed = accepted
    }

    /// Drops all that waits.
    mutating func dropAll() {
        let count = spans.count
        spans = []
        bytes = 0
        oldest = nil
        settle(count, exported: 0, rejected: 0)
    }

    mutating func note(_ failure: String?, warning: String?) {
        statistics.lastFailure = failure
        statistics.lastWarning = warning ?? statistics.lastWarning
    }
}
