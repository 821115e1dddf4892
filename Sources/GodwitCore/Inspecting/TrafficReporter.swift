import Dispatch
import GodwitLibc
import GodwitSupport
import Synchronization

/// Sends the notes of all clients of this process to one page, on its own thread.
final class TrafficReporter: Sendable {
    private static let noteLimit = 20_000
    private static let byteLimit = 32 << 20
    private static let batchSize = 500
    /// The page takes 16 MiB at a time, and JSON can be several times as long as a text.
    private static let batchBytes = 1 << 20

    private struct Queue {
        var notes: [(note: TrafficNote, recorder: TrafficRecorder)] = []
        var bytes = 0
        var dropped = 0
        /// Whether the thread waits for the next note.
        var isIdle = true
        var isRunning = false
    }

    private static let all = Mutex<[String: TrafficReporter]>([:])

    /// `nil` for the page of this user.
    private let url: String?
    private let queue = Mutex(Queue())
    private let work = DispatchSemaphore(value: 0)
    private let memory = TrafficMemory()
    private let isListening = Atomic(false)
    /// Whether a page gets the notes, or may get them once it has proved to be one.
    private let hasPage = Atomic(false)

    private init(_ url: String?) {
        self.url = url
    }

    /// The reporter for a page; the same for all clients of the process.
    static func shared(for url: String?) -> TrafficReporter {
        all.withLock { all in
            if all.isEmpty { atexit { TrafficReporter.finishAll() } }
            if let reporter = all[url ?? ""] { return reporter }
            let reporter = TrafficReporter(url)
            all[url ?? ""] = reporter
            return reporter
        }
    }

    /// Adds a note, or drops and counts it if the page is slow.
    func add(_ note: TrafficNote, from recorder: TrafficRecorder) {
        let size = note.size
        let (wakes, starts) = queue.withLock { queue in
            guard queue.notes.count < Self.noteLimit, queue.bytes + size <= Self.byteLimit else {
                queue.dropped += 1
                return (false, false)
            }
            queue.notes.append((note, recorder))
            queue.bytes += size
            defer {
                queue.isIdle = false
                queue.isRunning = true
            }
            return (queue.isIdle, !queue.isRunning)
        }
        if starts { start() }
        if wakes { work.signal() }
    }

    private func start() {
        // Before the thread runs, as the program may end sooner than it looks for a page.
        hasPage.store(true, ordering: .relaxed)
        guard let thread = SystemThread(stackSize: 1 << 20, { [self] in run() }) else {
            return hasPage.store(false, ordering: .relaxed)
        }
        thread.detach()
    }

    private func run() {
        var page: PageConnection?
        while true {
            let (notes, dropped) = take()
            guard !notes.isEmpty else {
                work.wait()
                continue
            }
            for (note, recorder) in notes { memory.keep(note, from: recorder) }
            if page == nil { page = connect() }
            guard let open = page else {
                // Without a page, notes are dropped for a while instead of being kept.
                usleep(500_000)
                continue
            }
            listen(open.address)
            let lines = lines(notes)
            if !open.post(lines, dropped: dropped) {
                // The page may have closed an idle connection, or restarted at another address.
                page = connect()
                if page?.post(lines, dropped: dropped) == false { page = nil }
            }
        }
    }

    private func connect() -> PageConnection? {
        hasPage.store(true, ordering: .relaxed)
        let page = PageAddress.current(url).flatMap(PageConnection.init)
        hasPage.store(page != nil, ordering: .relaxed)
        return page
    }

    private func take() -> (notes: [(note: TrafficNote, recorder: TrafficRecorder)], dropped: Int) {
        queue.withLock { queue in
            var bytes = 0
            let taken = Array(
                queue.notes.prefix(Self.batchSize).prefix { entry in
                    defer { bytes += entry.note.size }
                    return bytes < Self.batchBytes
                })
            queue.notes.removeFirst(taken.count)
            queue.bytes -= taken.reduce(0) { $0 + $1.note.size }
            queue.isIdle = taken.isEmpty
            defer { queue.dropped = 0 }
            return (taken, queue.dropped)
        }
    }

    private func lines(_ notes: [(note: TrafficNote, recorder: TrafficRecorder)]) -> Data {
        var lines = Data()
        let encoder = JSONModelEncoder()
        for (note, recorder) in notes {
            guard let event = recorder.text.event(note), let line = try? encoder.encode(event) else { continue }
            lines.append(line)
            lines.append(0x0A)
        }
        return lines
    }

    // MARK: What the page asks for

    /// Waits for requests of the page, on another thread, until the page ends.
    private func listen(_ address: PageAddress) {
        guard !isListening.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let thread = SystemThread { [self] in
            if let connection = PageConnection(address) {
                while let command = connection.nextCommand() { perform(command, address) }
            }
            isListening.store(false, ordering: .releasing)
        }
        if let thread { thread.detach() } else { isListening.store(false, ordering: .releasing) }
    }

    private func perform(_ command: PageCommand, _ address: PageAddress) {
        if let call = command.replay { memory.replay(call) }
        if let exchange = command.exchange, let part = command.part, let call = command.call {
            var event = TrafficEvent(call: call, time: Date().timeIntervalSince1970 * 1000)
            event.revealed = TrafficEvent.Revealed(
                exchange: exchange, part: part, values: memory.values(of: part, call, exchange))
            guard var line = try? JSONModelEncoder().encode(event) else { return }
            line.append(0x0A)
            _ = PageConnection(address)?.post(line, dropped: 0)
        }
    }

    // MARK: The end of the process

    /// Gives the last notes up to 2 s, if there is a page: a short program would otherwise end before they are sent.
    private static func finishAll() {
        let reporters = all.withLock { Array($0.values) }
        for _ in 0..<1000 where reporters.contains(where: \.isBusy) { usleep(2000) }
    }

    private var isBusy: Bool {
        hasPage.load(ordering: .relaxed) ? queue.withLock { !$0.isIdle } : false
    }
}

/// What the page asks of a program.
package struct PageCommand: Codable, Sendable {
    /// The call to send again.
    package var replay: UInt64?
    /// The exchange and the part to reveal.
    package var call: UInt64?
    package var exchange: UInt64?
    package var part: String?
}
