#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitSupport
import Synchronization

/// Appends finished entries to an archive's file in the background, several with one write.
///
/// The file (0600) is a complete archive after each write, also if the process is killed. Entries wait in memory up to
/// ``queueLimit``; then the call that adds one writes them itself, so that a fast caller can't outrun the disk.
final class ArchiveStream: Sendable {
    private struct Queue {
        var entries: [RecordedExchange] = []
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
    func append(_ entry: RecordedExchange) {
        let (isFirst, isFull) = queue.withLock { queue in
            queue.entries.append(entry)
            queue.weight += entry.weight
            defer { queue.isScheduled = true }
            return (!queue.isScheduled, queue.weight > Self.queueLimit)
        }
        if isFull {
            drainReporting()
        } else if isFirst {
            Task.detached(priority: .utility) { self.drainReporting() }
        }
    }

    /// Writes the waiting entries, then `unfinished` ones, which the next write replaces.
    func flush(showing unfinished: [RecordedExchange]) throws(NetworkError) {
        try output.withLock { output throws(NetworkError) in
            try write(takeAll(), showing: unfinished, to: &output)
        }
    }

    /// Writes the waiting entries and the last ones.
    func finish(with entries: [RecordedExchange]) {
        queue.withLock { $0.entries += entries }
        drainReporting()
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
        _ entries: [RecordedExchange], showing unfinished: [RecordedExchange], to output: inout ArchiveOutput
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
    private func keep(_ entries: [RecordedExchange]) {
        queue.withLock { queue in
            let weight = queue.weight + entries.reduce(0) { $0 + $1.weight }
            guard weight <= Self.queueLimit / 2 else { return }
            (queue.entries, queue.weight) = (entries + queue.entries, weight)
        }
    }

    private func takeAll() -> [RecordedExchange] {
        queue.withLock { queue in
            defer { queue = Queue() }
            return queue.entries
        }
    }

    private static func encoded(_ entries: [RecordedExchange]) throws(NetworkError) -> [Data] {
        do {
            return try HAR.encoded(entries.map(\.entry))
        } catch {
            throw NetworkError(.encoding(reason: "the archive: \(error)"), phase: .middleware, underlying: error)
        }
    }
}

/// The open file of an archive.
private struct ArchiveOutput: Sendable {
    private let url: URL
    private let limit: Int64
    private var descriptor: Int32 = -1
    /// The offset after the last entry that stays.
    private var end: Int64 = 0
    private var size: Int64 = 0
    private var isEmpty = true
    /// Why nothing is written any more: the limit was reached, or the file belongs to another writer.
    private(set) var fault: NetworkError?

    init(_ url: URL, limit: Int64) {
        self.url = url
        self.limit = limit
    }

    mutating func close() {
        fault = nil
        guard descriptor >= 0 else { return }
        closeDescriptor(descriptor)
        descriptor = -1
    }

    /// Replaces the archive's end by entries and a new end, in one write.
    ///
    /// - Parameter unfinished: Entries that the next call replaces.
    mutating func append(_ entries: [Data], showing unfinished: [Data]) throws(NetworkError) {
        try open()
        var (text, isFirst) = (Data(), isEmpty)
        Self.add(entries, to: &text, &isFirst)
        let count = Int64(text.count)
        guard end + count + Int64(HAR.tail.count) <= limit else {
            throw stopped("\(url.lastPathComponent) has reached its limit of \(limit) bytes")
        }
        var last = isFirst
        Self.add(unfinished, to: &text, &last)
        text += HAR.tail
        // White space after the archive keeps it valid; a separate truncation could be prevented by a kill.
        let surplus = size - end - Int64(text.count)
        if surplus > 0 { text += Data(repeating: UInt8(ascii: " "), count: Int(surplus)) }
        try write(text)
        (end, isEmpty, size) = (end + count, isFirst, max(size, end + Int64(text.count)))
        if surplus > 0, ftruncate(descriptor, off_t(size - surplus)) == 0 { size -= surplus }
    }

    private static func add(_ entries: [Data], to text: inout Data, _ isFirst: inout Bool) {
        for entry in entries {
            if !isFirst { text += HAR.separator }
            text += entry
            isFirst = false
        }
    }

    /// Opens a new archive, unless one is open that has not been removed.
    private mutating func open() throws(NetworkError) {
        var status = stat()
        if descriptor >= 0, fstat(descriptor, &status) == 0 {
            if status.st_nlink > 0 { return }
            // Two writers would otherwise replace each other's file in turn.
            if lstat(url.path, &status) == 0 {
                throw stopped("\(url.lastPathComponent) was replaced by another writer")
            }
        }
        close()
        descriptor = try PrivateFile(url, allowsSharedFolder: true).replaceKeepingOpen(with: HAR.head + HAR.tail)
        (end, isEmpty) = (Int64(HAR.head.count), true)
        size = end + Int64(HAR.tail.count)
    }

    private mutating func stopped(_ reason: String) -> NetworkError {
        let error = PrivateFile.error(reason)
        fault = error
        return error
    }

    /// If it fails, the file is again what it was, as far as the disk allows.
    private func write(_ text: Data) throws(NetworkError) {
        guard !put(text) else { return }
        let code = errno
        _ = put(HAR.tail)
        _ = ftruncate(descriptor, off_t(end) + off_t(HAR.tail.count))
        throw PrivateFile.error("cannot write \(url.lastPathComponent): \(String(cString: strerror(code)))")
    }

    private func put(_ text: Data) -> Bool {
        text.withUnsafeBytes { Descriptor.write($0, to: descriptor, at: Int64(end)) }
    }
}

// The method hides the C function.
private let closeDescriptor: @Sendable (Int32) -> Void = { _ = close($0) }
