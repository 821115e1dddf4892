import GodwitCore
import GodwitSupport
import Synchronization

/// Decodes a limited number of images at once, each on its own thread, and what a person sees first.
///
/// A decode can take hundreds of milliseconds, which would block one of the few threads that run all tasks.
final class DecodeQueue<Key: Hashable & Sendable>: Sendable {
    /// What a decode is for.
    enum Purpose {
        /// The image. It counts as visible while a visible view waits for its key.
        case image
        /// A preview, which never delays an image: it leaves a place free.
        case preview
    }

    private struct Entry {
        let key: Key
        let purpose: Purpose
        let waiter: Waiter<Bool>
    }

    private struct State {
        let limit: Int
        var running = 0
        var lastID: UInt64 = 0
        var entries: [UInt64: Entry] = [:]
        /// The waiting IDs. An entry that became visible is in both; it is removed from `entries` when it starts.
        var visible: [UInt64] = []
        var others: [UInt64] = []
        var previews: [UInt64] = []
        /// The number of visible views that wait for a key.
        var demand: [Key: Int] = [:]

        /// Removes the entry whose turn it is. IDs without an entry are dropped on the way.
        mutating func takeNext() -> Entry? {
            guard running < limit else { return nil }
            return take(from: \.visible) ?? take(from: \.others) ?? (mayPreview ? take(from: \.previews) : nil)
        }

        /// Whether a preview leaves a place for the next image. With a limit of 1, it can't.
        private var mayPreview: Bool { running + 1 < limit || limit == 1 }

        /// Whether a decode can start without waiting.
        func hasPlace(for purpose: Purpose) -> Bool {
            running < limit && (purpose == .image || mayPreview && entries.isEmpty)
        }

        mutating func append(_ entry: Entry) -> UInt64 {
            lastID += 1
            entries[lastID] = entry
            switch entry.purpose {
            case .preview: previews.append(lastID)
            case .image where demand[entry.key] != nil: visible.append(lastID)
            case .image: others.append(lastID)
            }
            return lastID
        }

        mutating func remove(_ id: UInt64) -> Entry? {
            let entry = entries.removeValue(forKey: id)
            if entries.isEmpty {
                visible = []
                others = []
                previews = []
            }
            return entry
        }

        private mutating func take(from queue: WritableKeyPath<Self, [UInt64]>) -> Entry? {
            guard let index = self[keyPath: queue].firstIndex(where: { entries[$0] != nil }) else {
                self[keyPath: queue] = []
                return nil
            }
            let id = self[keyPath: queue][index]
            self[keyPath: queue].removeFirst(index + 1)
            return entries.removeValue(forKey: id)
        }
    }

    private let state: Mutex<State>

    init(limit: Int) {
        state = Mutex(State(limit: max(limit, 1)))
    }

    /// The number of decodes that wait.
    var waitingCount: Int { state.withLock(\.entries.count) }

    /// Adds a visible view that waits for a key: its decode passes those of prefetched images.
    func show(_ key: Key) {
        state.withLock { state in
            state.demand[key, default: 0] += 1
            guard state.demand[key] == 1 else { return }
            let raised = state.entries.filter { $0.value.key == key && $0.value.purpose == .image }
            state.visible += raised.keys.sorted()
        }
    }

    /// Removes a visible view that waited for a key.
    func hide(_ key: Key) {
        state.withLock { state in
            guard let count = state.demand[key] else { return }
            state.demand[key] = count > 1 ? count - 1 : nil
        }
    }

    /// Runs a decode when it is its turn.
    ///
    /// A running decode can't be interrupted: it keeps its place until it has finished, even if the task is canceled.
    ///
    /// - Throws: The error of the decode; `CancellationError` if the task is canceled while waiting.
    func run<Value: Sendable>(
        _ key: Key, _ purpose: Purpose = .image, _ decode: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await acquire(key, purpose)
        let result = await Self.onThread { Result { try decode() } }
        release()
        return try result.get()
    }

    private func acquire(_ key: Key, _ purpose: Purpose) async throws(CancellationError) {
        guard !Task.isCancelled else { throw CancellationError() }
        let waiting = state.withLock { state -> (id: UInt64, waiter: Waiter<Bool>)? in
            if state.hasPlace(for: purpose) {
                state.running += 1
                return nil
            }
            let waiter = Waiter<Bool>()
            return (state.append(Entry(key: key, purpose: purpose, waiter: waiter)), waiter)
        }
        guard let (id, waiter) = waiting else { return }
        let isGranted = await waiter.value { cancel(id) }
        guard isGranted else { throw CancellationError() }
    }

    private func cancel(_ id: UInt64) {
        let entry = state.withLock { $0.remove(id) }
        // Without an entry, the decode was started in the meantime.
        entry?.waiter.resume(returning: false)
    }

    private func release() {
        let next = state.withLock { state -> Entry? in
            state.running -= 1
            let next = state.takeNext()
            if next != nil { state.running += 1 }
            return next
        }
        next?.waiter.resume(returning: true)
    }

    private static func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            // Decoders of the system need more stack than work that only waits.
            guard let thread = SystemThread(stackSize: 1 << 20, { continuation.resume(returning: work()) }) else {
                return continuation.resume(returning: work())
            }
            thread.detach()
        }
    }
}
