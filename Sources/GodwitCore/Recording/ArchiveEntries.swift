import Synchronization

/// How far an exchange has come. It also ends when nothing refers to the exchange any longer, as after a streamed body
/// that was not read to its end.
final class RecordedProgress: Sendable {
    private struct State {
        var received: Int64 = 0
        var hasResponse = false
        var hasEnded = false
        var awaitsBody = false

        var isOver: Bool { hasResponse && hasEnded && !awaitsBody }
    }

    private let number: UInt64
    private let exchange: ObservedExchange
    private weak let recorder: HARRecorder?
    private let state = Mutex(State())

    init(_ number: UInt64, _ exchange: ObservedExchange, of recorder: HARRecorder) {
        self.number = number
        self.exchange = exchange
        self.recorder = recorder
    }

    deinit {
        recorder?.finish(number)
    }

    func note(_ event: TransferEvent) {
        switch event {
        case .received(let count, total: _): state.withLock { $0.received = count }
        case .finished(let metrics):
            let (received, isOver) = state.withLock { state in
                state.hasEnded = true
                return (state.received, state.isOver)
            }
            exchange.note(.metrics(metrics, received: received))
            if isOver { recorder?.finish(number) }
        case .sent, .interim, .waitingForConnectivity: break
        }
    }

    /// Adds an error, which ends the exchange.
    func note(_ message: String, after time: Duration) {
        exchange.note(.error(message, after: time))
        recorder?.finish(number)
    }

    /// - Parameter arrivesLater: Whether the body may still come.
    func noteResponse(arrivesLater: Bool) {
        let isOver = state.withLock { state in
            state.hasResponse = true
            state.hasEnded = state.hasEnded || !arrivesLater
            return state.isOver
        }
        if isOver { recorder?.finish(number) }
    }

    /// The entry waits for ``noteBody(_:)``.
    func awaitBody() {
        state.withLock { $0.awaitsBody = true }
    }

    /// Adds a body that has ended, or will not be read further.
    func noteBody(_ content: HAR.Content) {
        exchange.note(.body(content))
        let isOver = state.withLock { state in
            state.awaitsBody = false
            return state.isOver
        }
        if isOver { recorder?.finish(number) }
    }
}

/// The start of a body that is being read.
final class CapturedBody: Sendable {
    private struct State {
        var start = Data()
        var size: Int64 = 0
        var isOver = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Returns the body when it has ended, once.
    func add(_ step: HTTPBody.ReadingStep) -> (start: Data, size: Int64, isWhole: Bool)? {
        state.withLock { state in
            if state.isOver { return nil }
            switch step {
            case .chunk(let chunk):
                state.size += Int64(chunk.count)
                state.start += chunk.prefix(max(0, limit - state.start.count))
                return nil
            case .end, .released:
                state.isOver = true
                defer { state.start = Data() }
                if case .end(nil) = step { return (state.start, state.size, true) }
                return (state.start, state.size, false)
            }
        }
    }
}

/// The entries of a recorder in memory, by number.
struct ArchiveEntries: Sendable {
    private let limit: Int
    /// Whether an unfinished entry over the limit is kept until it is written.
    private let keepsUnfinished: Bool
    private var entries: [UInt64: ObservedExchange] = [:]
    private var open: Set<UInt64> = []
    /// Unfinished entries over the limit: at most one for each call in progress.
    private var surplus: [UInt64: ObservedExchange] = [:]
    private var next: UInt64 = 0
    /// The number of the oldest entry.
    private var first: UInt64 = 0

    init(limit: Int, keepsUnfinished: Bool) {
        self.limit = max(1, limit)
        self.keepsUnfinished = keepsUnfinished
    }

    var count: Int { entries.count }

    /// The entries up to the limit, in order.
    var kept: [ObservedExchange] { (first..<next).compactMap { entries[$0] } }

    var unfinished: [ObservedExchange] { open.sorted().compactMap { entries[$0] ?? surplus[$0] } }

    mutating func add(_ exchange: ObservedExchange) -> UInt64 {
        let number = next
        entries[number] = exchange
        open.insert(number)
        next += 1
        while entries.count > limit { removeFirst() }
        return number
    }

    private mutating func removeFirst() {
        if open.contains(first) {
            if keepsUnfinished { surplus[first] = entries[first] } else { open.remove(first) }
        }
        entries[first] = nil
        first += 1
    }

    /// Returns the exchange if it was unfinished until now.
    mutating func finish(_ number: UInt64) -> ObservedExchange? {
        guard open.remove(number) != nil else { return nil }
        return surplus.removeValue(forKey: number) ?? entries[number]
    }

    mutating func removeAll() {
        entries = [:]
        open = []
        surplus = [:]
        first = next
    }
}

extension HTTPBody {
    /// Whether the body, and the metrics of its exchange, may come after the response.
    var arrivesLater: Bool {
        switch storage {
        case .bytes, .file: false
        case .stream, .incoming: true
        }
    }
}
