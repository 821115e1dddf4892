#if os(Linux)
import GodwitCore
import GodwitSupport

/// The calls to one origin that wait for a time to be sent, in FIFO order. It has no clock and resumes no task.
struct RateLimitQueue: Sendable {
    /// What a waiting call gets.
    enum Turn: Sendable {
        /// It may be sent at this time.
        case at(Duration)
        /// It would have to wait for this long, which is too long. With the reason if limits aren't shared.
        case tooLong(Duration, FleetUnavailable?)
        case cancelled
    }

    struct Waiting: Sendable {
        let id: UInt64
        let deadline: Duration
        let waiter: Waiter<Turn>
    }

    typealias Resumption = (waiter: Waiter<Turn>, turn: Turn)

    var waiting: [Waiting] = []
    private var lastID: UInt64 = 0
    /// Whether a task asks for times now.
    var isAsking = false
    /// Calls that were sent and have no response yet.
    var inFlight = 0
    var local = LocalRate()
    var isLocal = false

    /// Whether it decides as a new one does.
    func isFresh(at now: Duration) -> Bool {
        waiting.isEmpty && !isAsking && inFlight == 0 && local.isFresh(at: now)
    }

    /// Adds a call. Returns whether a task must ask for times.
    ///
    /// - Parameter id: The ID that the call had before it missed its time: it keeps its place.
    mutating func add(until deadline: Duration, as id: UInt64? = nil) -> (Waiting, mustAsk: Bool) {
        if id == nil { lastID += 1 }
        let entry = Waiting(id: id ?? lastID, deadline: deadline, waiter: Waiter())
        waiting.insert(entry, at: waiting.firstIndex { $0.id > entry.id } ?? waiting.count)
        defer { isAsking = true }
        return (entry, !isAsking)
    }

    mutating func cancel(_ id: UInt64) -> Resumption? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        return (waiting.remove(at: index).waiter, .cancelled)
    }

    /// Hands out the times of a reservation, and refuses calls that would have to wait too long.
    ///
    /// - Parameters:
    ///   - start: The time of the reservation.
    ///   - tolerance: A time that passed longer ago is given up, because its reply was late.
    mutating func apply(
        _ reservation: Reservation, from start: Duration, tolerance: Duration, interval: Duration, at now: Duration,
        _ reason: FleetUnavailable?
    ) -> [Resumption] {
        var resumptions: [Resumption] = []
        let times = reservation.times.map { start + $0 }.filter { now - $0 <= tolerance }
        let count = min(times.count, waiting.count)
        for (entry, time) in zip(waiting, times) { resumptions.append((entry.waiter, .at(time))) }
        waiting.removeFirst(count)
        // Others of the fleet may come first, so that this is the shortest possible wait.
        var index = 0
        waiting.removeAll { entry in
            let wait = max(.zero, start + reservation.next - now) + interval * index
            index += 1
            guard now + wait > entry.deadline else { return false }
            resumptions.append((entry.waiter, .tooLong(wait, reason)))
            return true
        }
        return resumptions
    }
}
#endif
