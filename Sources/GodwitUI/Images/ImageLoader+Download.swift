import GodwitCore
import GodwitSupport
import Synchronization

extension ImageLoader {
    /// Downloads an image file. If a task waits for its beginning, that is published as it arrives.
    func download(_ source: Source, _ priority: RequestPriority) async throws(NetworkError) -> Data {
        defer { beginnings.end(of: source) }
        let limit = api.configuration.bufferLimit
        var request = HTTPRequest(
            url: source.url, delivery: .buffered(limit: limit), options: api.configuration.options)
        CallScope.current?.apply(to: &request.options)
        request.options.account = source.account
        request.options.priority = priority
        request.fields[.accept] = "image/*, */*;q=0.8"
        if decodePreview != nil, beginnings.areAwaited(of: source) {
            request.options[PartialBody.self] = { [beginnings] in beginnings.publish($0, of: source) }
        }
        return try await api.accepted(request).body.collect(upTo: limit)
    }
}

/// Hands the bytes that have arrived so far to those who ask for them, once for each request.
///
/// Whoever held the bytes all the time would make each further chunk copy them.
final class DownloadBeginnings<Source: Hashable & Sendable>: Sendable {
    private struct Entry {
        /// The number of tasks that want beginnings of this file.
        var watchers = 0
        var waiters = Waiters<Data?>()
    }

    private let entries = Mutex<[Source: Entry]>([:])

    /// Whether a task wants beginnings of a file.
    func areAwaited(of source: Source) -> Bool {
        entries.withLock { $0[source] != nil }
    }

    /// Registers a task before the download starts.
    func watch(_ source: Source) {
        entries.withLock { $0[source, default: Entry()].watchers += 1 }
    }

    /// Unregisters a task.
    func unwatch(_ source: Source) {
        entries.withLock { entries in
            guard let watchers = entries[source]?.watchers else { return }
            if watchers > 1 { entries[source]?.watchers -= 1 } else { entries[source] = nil }
        }
    }

    /// The bytes after the next chunk; `nil` at the end of the download, or if the task is canceled.
    func next(of source: Source) async -> Data? {
        guard !Task.isCancelled else { return nil }
        let waiter = entries.withLock { $0[source]?.waiters.add() }
        guard let waiter else { return nil }
        return await waiter.value {
            _ = entries.withLock { $0[source]?.waiters.remove(waiter) }
            waiter.resume(returning: nil)
        }
    }

    func publish(_ data: Data, of source: Source) {
        for waiter in takeWaiters(of: source) { waiter.resume(returning: data) }
    }

    func end(of source: Source) {
        for waiter in takeWaiters(of: source) { waiter.resume(returning: nil) }
    }

    private func takeWaiters(of source: Source) -> [Waiter<Data?>] {
        entries.withLock { $0[source]?.waiters.takeAll() ?? [] }
    }
}
