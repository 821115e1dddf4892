import GodwitCore
import GodwitSupport
import Synchronization

/// Starts prefetches in order, while fewer than a number of images load. Visible ones count, but never wait.
final class PrefetchQueue: Sendable {
    typealias Work = @Sendable () async -> Void

    /// What one call of `prefetch` asked for.
    private struct Batch {
        let id: UInt64
        var waiting: ArraySlice<Work>
        /// The tasks by number; `nil` for a moment before the task is known.
        var running: [UInt64: Task<Void, Never>?] = [:]
        var waiters = Waiters<Void>()

        var isDone: Bool { waiting.isEmpty && running.isEmpty }
    }

    private struct State {
        var batches: [Batch] = []
        var lastID: UInt64 = 0
        var visible = 0
        var running = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    /// The number of prefetches that haven't started.
    var waitingCount: Int { state.withLock { $0.batches.reduce(0) { $0 + $1.waiting.count } } }

    /// Registers a visible image that loads.
    func visibleBegan() {
        state.withLock { $0.visible += 1 }
    }

    /// Unregisters a visible image.
    func visibleEnded() {
        state.withLock { $0.visible -= 1 }
        startNext()
    }

    /// Adds work, and starts what is possible.
    func add(_ work: [Work]) -> UInt64 {
        let id = state.withLock { state in
            state.lastID += 1
            if !work.isEmpty { state.batches.append(Batch(id: state.lastID, waiting: work[...])) }
            return state.lastID
        }
        startNext()
        return id
    }

    /// Drops the work that hasn't started and cancels the rest.
    func stop(_ id: UInt64) {
        let batch = state.withLock { state in
            state.batches.firstIndex { $0.id == id }.map { state.batches.remove(at: $0) }
        }
        guard var batch else { return }
        for task in batch.running.values { task?.cancel() }
        for waiter in batch.waiters.takeAll() { waiter.resume() }
    }

    /// Returns when the work is done or stopped, or the calling task is canceled.
    func wait(for id: UInt64) async {
        let waiter = state.withLock { state in
            state.batches.firstIndex { $0.id == id }.map { state.batches[$0].waiters.add() }
        }
        guard let waiter else { return }
        await waiter.value {
            state.withLock { state in
                guard let index = state.batches.firstIndex(where: { $0.id == id }) else { return }
                state.batches[index].waiters.remove(waiter)
            }
            waiter.resume()
        }
    }

    private func startNext() {
        while let (batch, number, work) = take() {
            let task = Task(priority: .utility) {
                await work()
                finish(batch, number)
            }
            let isStopped = state.withLock { state in
                guard let index = state.batches.firstIndex(where: { $0.id == batch }) else { return true }
                // Otherwise the task has finished already.
                if state.batches[index].running[number] != nil { state.batches[index].running[number] = task }
                return false
            }
            if isStopped { task.cancel() }
        }
    }

    /// Takes the next work if it may start.
    private func take() -> (batch: UInt64, number: UInt64, work: Work)? {
        state.withLock { state in
            guard state.running + state.visible < limit,
                let index = state.batches.firstIndex(where: { !$0.waiting.isEmpty }),
                let work = state.batches[index].waiting.popFirst()
            else { return nil }
            state.running += 1
            state.lastID += 1
            state.batches[index].running[state.lastID] = .some(nil)
            return (state.batches[index].id, state.lastID, work)
        }
    }

    private func finish(_ id: UInt64, _ number: UInt64) {
        let waiters = state.withLock { state -> [Waiter<Void>] in
            state.running -= 1
            guard let index = state.batches.firstIndex(where: { $0.id == id }) else { return [] }
            state.batches[index].running.removeValue(forKey: number)
            guard state.batches[index].isDone else { return [] }
            var batch = state.batches.remove(at: index)
            return batch.waiters.takeAll()
        }
        for waiter in waiters { waiter.resume() }
        startNext()
    }
}
