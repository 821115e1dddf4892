import Synchronization

/// Places that tasks take, wait for in turn, and give back.
///
/// Each waiting task is resumed exactly once: by the one who leaves, or by its own cancellation. Whoever takes the
/// continuation out under the lock resumes it after.
final class Places: Sendable {
    private enum Waiter {
        /// In the queue, not yet asleep.
        case arriving
        case asleep(UnsafeContinuation<Bool, Never>)
        /// Decided before it fell asleep.
        case decided(Bool)
    }

    private struct State {
        var queue: PlaceQueue
        var waiters: [UInt64: Waiter] = [:]
    }

    private let state: Mutex<State>

    init(total: Int?, perHost: Int?) {
        state = Mutex(State(queue: PlaceQueue(total: total, perHost: perHost)))
    }

    /// Whether nobody holds a place or waits for one.
    var isIdle: Bool { state.withLock { $0.queue.isIdle && $0.waiters.isEmpty } }

    /// How many wait.
    var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Takes a place, waiting for it in turn. Throws when the task is cancelled first; then no place is held.
    func take(at origin: Origin) async throws(CancellationError) {
        guard !Task.isCancelled else { throw CancellationError() }
        let ticket = state.withLock { state in
            let ticket = state.queue.takeOrWait(at: origin)
            if let ticket { state.waiters[ticket] = .arriving }
            return ticket
        }
        guard let ticket else { return }
        let isGranted = await withTaskCancellationHandler {
            await withUnsafeContinuation { sleep(ticket, $0) }
        } onCancel: {
            cancel(ticket, at: origin)
        }
        guard isGranted else { throw CancellationError() }
    }

    /// Gives a place back, to the one that has waited longest.
    func free(at origin: Origin) {
        let sleeper = state.withLock { state in
            state.queue.free(at: origin).flatMap { Self.decide(true, for: $0, in: &state) }
        }
        sleeper?.resume(returning: true)
    }

    private func sleep(_ ticket: UInt64, _ continuation: UnsafeContinuation<Bool, Never>) {
        let decision = state.withLock { state -> Bool? in
            if case .decided(let isGranted) = state.waiters[ticket] {
                state.waiters[ticket] = nil
                return isGranted
            }
            state.waiters[ticket] = .asleep(continuation)
            return nil
        }
        if let decision { continuation.resume(returning: decision) }
    }

    private func cancel(_ ticket: UInt64, at origin: Origin) {
        let sleeper = state.withLock { state in
            // One that has its place already keeps it, and gives it back like any other.
            state.queue.cancel(ticket, at: origin) ? Self.decide(false, for: ticket, in: &state) : nil
        }
        sleeper?.resume(returning: false)
    }

    /// Notes what became of a ticket; the continuation to resume, where its task is asleep already.
    private static func decide(
        _ isGranted: Bool, for ticket: UInt64, in state: inout State
    ) -> UnsafeContinuation<Bool, Never>? {
        guard case .asleep(let continuation) = state.waiters[ticket] else {
            state.waiters[ticket] = .decided(isGranted)
            return nil
        }
        state.waiters[ticket] = nil
        return continuation
    }
}

/// Who holds a place and who waits for one: a value without tasks or locks.
///
/// Places are limited in all and for each origin. The one that has waited longest gets a free place, unless its own
/// origin is full; then the next one does, so that one slow origin does not hold up the others. Whoever waits, waits for
/// a place that is really taken: after every change, nobody waits who could go.
package struct PlaceQueue: Sendable {
    private struct Host: Sendable {
        var taken = 0
        var waiting = TicketQueue()
    }

    private let total: Int
    private let perHost: Int
    private var taken = 0
    private var waiting = 0
    private var hosts: [Origin: Host] = [:]
    private var lastTicket: UInt64 = 0

    /// Limits of less than 1 count as 1.
    package init(total: Int?, perHost: Int?) {
        self.total = max(1, total ?? .max)
        self.perHost = max(1, perHost ?? .max)
    }

    /// Whether nobody holds a place or waits.
    package var isIdle: Bool { hosts.isEmpty }

    /// Takes a place where one is free, and returns nil; else the ticket to wait with.
    package mutating func takeOrWait(at origin: Origin) -> UInt64? {
        let place = hosts.index(forKey: origin)
        if taken < total, place.map({ hosts.values[$0].taken }) ?? 0 < perHost {
            taken += 1
            if let place { hosts.values[place].taken += 1 } else { hosts[origin] = Host(taken: 1) }
            return nil
        }
        lastTicket += 1
        waiting += 1
        hosts[origin, default: Host()].waiting.append(lastTicket)
        return lastTicket
    }

    /// Waits no longer; false where the ticket did not wait.
    package mutating func cancel(_ ticket: UInt64, at origin: Origin) -> Bool {
        guard hosts[origin]?.waiting.remove(ticket) == true else { return false }
        waiting -= 1
        if let place = hosts.index(forKey: origin) { forgetIfIdle(place) }
        return true
    }

    /// Gives a place back, and returns the ticket that has it now.
    package mutating func free(at origin: Origin) -> UInt64? {
        guard let place = hosts.index(forKey: origin), hosts.values[place].taken > 0 else { return nil }
        taken -= 1
        hosts.values[place].taken -= 1
        forgetIfIdle(place)
        guard waiting > 0, let (next, ticket) = longestWaiting() else { return nil }
        taken += 1
        waiting -= 1
        hosts[next]?.taken += 1
        hosts[next]?.waiting.removeFirst()
        return ticket
    }

    private func longestWaiting() -> (Origin, UInt64)? {
        hosts.lazy
            .compactMap { origin, host in host.taken < perHost ? host.waiting.first.map { (origin, $0) } : nil }
            .min { $0.1 < $1.1 }
    }

    private mutating func forgetIfIdle(_ place: Dictionary<Origin, Host>.Index) {
        guard hosts.values[place].taken == 0, hosts.values[place].waiting.isEmpty else { return }
        hosts.remove(at: place)
    }
}

/// Numbers in the order in which they were added, which is ascending; any of them can leave.
struct TicketQueue: Sendable {
    private var tickets: [UInt64] = []
    private var head = 0

    var isEmpty: Bool { head == tickets.count }

    var first: UInt64? { isEmpty ? nil : tickets[head] }

    /// Adds a number that is greater than all before.
    mutating func append(_ ticket: UInt64) {
        tickets.append(ticket)
    }

    mutating func removeFirst() {
        guard !isEmpty else { return }
        head += 1
        // Shifting the rest once per half keeps each removal cheap on average, and the array no longer than needed.
        if head > tickets.count / 2 {
            tickets.removeFirst(head)
            head = 0
        }
    }

    /// Takes a number out, wherever it stands; false where it is not there.
    mutating func remove(_ ticket: UInt64) -> Bool {
        var (low, high) = (head, tickets.count)
        while low < high {
            let middle = (low + high) / 2
            if tickets[middle] < ticket { low = middle + 1 } else { high = middle }
        }
        guard low < tickets.count, tickets[low] == ticket else { return false }
        if low == head { removeFirst() } else { tickets.remove(at: low) }
        return true
    }
}
