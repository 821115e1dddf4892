import GodwitSupport
import Synchronization

/// Permits that tasks acquire, wait for in FIFO order, and release.
final class AsyncSemaphore: Sendable {
    private struct State {
        var queue: PermitQueue
        var waiters: [UInt64: Waiter<Bool>] = [:]
    }

    private let state: Mutex<State>

    init(total: Int?, perHost: Int?) {
        state = Mutex(State(queue: PermitQueue(total: total, perHost: perHost)))
    }

    /// Whether no task holds a permit or waits for one.
    var isIdle: Bool { state.withLock { $0.queue.isIdle && $0.waiters.isEmpty } }

    /// The number of waiting tasks.
    var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Acquires a permit if one is free.
    func acquireIfFree(for origin: Origin) -> Bool { state.withLock { $0.queue.acquireIfFree(for: origin) } }

    /// Acquires a permit, waiting for one if necessary. If the task is canceled first, throws without acquiring one.
    func acquire(for origin: Origin) async throws(CancellationError) {
        guard !Task.isCancelled else { throw CancellationError() }
        let waiting = state.withLock { state -> (id: UInt64, waiter: Waiter<Bool>)? in
            guard let id = state.queue.acquireOrWait(for: origin) else { return nil }
            let waiter = Waiter<Bool>()
            state.waiters[id] = waiter
            return (id, waiter)
        }
        guard let (id, waiter) = waiting else { return }
        let isGranted = await waiter.value { cancel(id, for: origin) }
        guard isGranted else { throw CancellationError() }
    }

    /// Releases a permit to the task that has waited longest.
    func release(for origin: Origin) {
        let waiter = state.withLock { state in
            state.queue.release(for: origin).flatMap { state.waiters.removeValue(forKey: $0) }
        }
        waiter?.resume(returning: true)
    }

    private func cancel(_ id: UInt64, for origin: Origin) {
        let waiter = state.withLock { state in
            // If the task was granted a permit in the meantime, it keeps that and releases it as usual.
            state.queue.cancel(id, for: origin) ? state.waiters.removeValue(forKey: id) : nil
        }
        waiter?.resume(returning: false)
    }
}

/// Decides which waiter gets the next permit.
///
/// Permits are limited in total and for each origin. A free permit goes to the waiter that has waited longest, unless
/// its origin is at its limit; then to the next one, so that a slow origin doesn't delay the others.
package struct PermitQueue: Sendable {
    private struct Host: Sendable {
        var acquired = 0
        var waiting = IDQueue()
    }

    private let total: Int
    private let perHost: Int
    private var acquired = 0
    private var waiting = 0
    private var hosts: [Origin: Host] = [:]
    private var lastID: UInt64 = 0

    /// Limits of less than 1 count as 1.
    package init(total: Int?, perHost: Int?) {
        self.total = max(1, total ?? .max)
        self.perHost = max(1, perHost ?? .max)
    }

    /// Whether no permit is held or waited for.
    package var isIdle: Bool { hosts.isEmpty }

    /// Acquires a permit if one is free.
    mutating func acquireIfFree(for origin: Origin) -> Bool {
        let host = hosts.index(forKey: origin)
        guard acquired < total, host.map({ hosts.values[$0].acquired }) ?? 0 < perHost else { return false }
        acquired += 1
        if let host { hosts.values[host].acquired += 1 } else { hosts[origin] = Host(acquired: 1) }
        return true
    }

    /// Acquires a permit if one is free and returns `nil`; otherwise, returns the ID of a new waiter.
    mutating func acquireOrWait(for origin: Origin) -> UInt64? {
        if acquireIfFree(for: origin) { return nil }
        lastID += 1
        waiting += 1
        hosts[origin, default: Host()].waiting.append(lastID)
        return lastID
    }

    /// Removes a waiter. Returns `false` if it isn't waiting.
    package mutating func cancel(_ id: UInt64, for origin: Origin) -> Bool {
        guard hosts[origin]?.waiting.remove(id) == true else { return false }
        waiting -= 1
        if let host = hosts.index(forKey: origin) { forgetIfIdle(host) }
        return true
    }

    /// Releases a permit. Returns the waiter that gets it, if any.
    package mutating func release(for origin: Origin) -> UInt64? {
        guard let host = hosts.index(forKey: origin), hosts.values[host].acquired > 0 else { return nil }
        acquired -= 1
        hosts.values[host].acquired -= 1
        forgetIfIdle(host)
        guard waiting > 0, let (next, id) = longestWaiting() else { return nil }
        acquired += 1
        waiting -= 1
        hosts[next]?.acquired += 1
        hosts[next]?.waiting.removeFirst()
        return id
    }

    private func longestWaiting() -> (Origin, UInt64)? {
        hosts.lazy
            .compactMap { origin, host in host.acquired < perHost ? host.waiting.first.map { (origin, $0) } : nil }
            .min { $0.1 < $1.1 }
    }

    private mutating func forgetIfIdle(_ host: Dictionary<Origin, Host>.Index) {
        guard hosts.values[host].acquired == 0, hosts.values[host].waiting.isEmpty else { return }
        hosts.remove(at: host)
    }
}

/// IDs in ascending order; any of them can be removed.
struct IDQueue: Sendable {
    private var ids: [UInt64] = []
    private var head = 0

    var isEmpty: Bool { head == ids.count }

    var first: UInt64? { isEmpty ? nil : ids[head] }

    /// Appends an ID, which must be greater than all others.
    mutating func append(_ id: UInt64) {
        ids.append(id)
    }

    mutating func removeFirst() {
        guard !isEmpty else { return }
        head += 1
        // Dropping the consumed half at a time keeps each removal cheap on average.
        if head > ids.count / 2 {
            ids.removeFirst(head)
            head = 0
        }
    }

    /// Removes an ID. Returns `false` if it isn't in the queue.
    mutating func remove(_ id: UInt64) -> Bool {
        var (low, high) = (head, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        guard low < ids.count, ids[low] == id else { return false }
        if low == head { removeFirst() } else { ids.remove(at: low) }
        return true
    }
}
