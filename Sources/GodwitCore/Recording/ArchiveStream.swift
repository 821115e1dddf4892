import GodwitSupport
import Synchronization

/// Appends finished entries to an archive's file in the background, several with one write.
///
/// The file (0600) is a complete archive after each write, also if the process is killed. Other recorders may add to it.
/// Entries wait in memory up to ``queueLimit``; then the call that adds one writes them itself, so that a fast caller
/// can't outrun the disk.
final class ArchiveStream: Sendable {
    private struct Queue {
        var entries: [ObservedExchange] = []
        var weight = 0
        var isScheduled = false
    }

    /// The approximate maximum of bytes that wait.
    private static let queueLimit = 2 << 20

    let url: URL
    private let diagnostics: Diagnostics
    private let queue = Mutex(Queue())
    private let output: Mutex<ArchiveOutput>

    /// - Parameter limit: The maximum size of the file in bytes.
    init(_ url: URL, limit: Int64, diagnostics: Diagnostics) {
        self.url = url
        self.diagnostics = diagnostics
        output = Mutex(ArchiveOutput(url, limit: limit))
    }

    deinit {
        output.withLock { $0.close() }
    }

    /// Writes an entry soon. A failure is reported, and the next entry tries again.
    func append(_ entry: ObservedExchange) {
        let (isFirst, isFull) = queue.withLock { queue in
            queue.entries.append(entry)
            queue.weight += entry.weight
            defer { queue.isScheduled = true }
            return (!queue.isScheduled, queue.weight > Self.queueLimit)
        }
        if isFull {
            drainReporting()
        } else if isFirst {
            Task.detached(priority: .utility) {
                // It may wait for another recorder.
                await BlockingWork.run { self.drainReporting() }
            }
        }
    }

    /// Writes the waiting entries, then `unfinished` ones, which the next write replaces.
    func flush(showing unfinished: [ObservedExchange]) throws(NetworkError) {
        try output.withLock { output throws(NetworkError) in
            try write(takeAll(), showing: unfinished, to: &output)
        }
    }

    /// Writes the waiting entries and the last ones, and closes the file, whatever still refers to this object.
    func finish(with entries: [ObservedExchange]) {
        queue.withLock { $0.entries += entries }
        drainReporting()
        output.withLock { $0.close() }
    }

    /// The next write starts a new file in place of the old one.
    func restart() {
        queue.withLock { queue in
            queue.entries = []
            queue.weight = 0
        }
        output.withLock { $0.close() }
    }

    private func drainReporting() {
        do throws(NetworkError) {
            try output.withLock { output throws(NetworkError) in
                let entries = takeAll()
                if !entries.isEmpty { try write(entries, showing: [], to: &output) }
            }
        } catch {
            diagnostics.report(.archive, at: url, error)
        }
    }

    private func write(
        _ entries: [ObservedExchange], showing unfinished: [ObservedExchange], to output: inout ArchiveOutput
    ) throws(NetworkError) {
        if let fault = output.fault { throw fault }
        let (texts, last) = (try Self.encoded(entries), try Self.encoded(unfinished))
        do throws(NetworkError) {
            try output.append(texts, showing: last)
        } catch {
            if output.fault == nil { keep(entries) }
            throw error
        }
    }

    /// Keeps entries for the next attempt, unless too many wait.
    private func keep(_ entries: [ObservedExchange]) {
        queue.withLock { queue in
            let weight = queue.weight + entries.reduce(0) { $0 + $1.weight }
            guard weight <= Self.queueLimit / 2 else { return }
            queue.entries = entries + queue.entries
            queue.weight = weight
        }
    }

    private func takeAll() -> [ObservedExchange] {
        queue.withLock { queue in
            defer { queue = Queue() }
            return queue.entries
        }
    }

    private static func encoded(_ entries: [ObservedExchange]) throws(NetworkError) -> [Data] {
        do {
            return try HAR.encoded(entries.map(\.entry))
        } catch {
            throw NetworkError(.encoding(reason: "the archive: \(error)"), phase: .middleware, underlying: error)
        }
    }
}
