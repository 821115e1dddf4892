#if os(Linux)
import GodwitCore
import GodwitSupport

/// The permits of this process and the tasks that wait for one, in FIFO order. It has no clock and resumes no task.
struct FleetPermitQueue: Sendable {
    typealias Resumption = (waiter: Waiter<FleetPermit?>, permit: FleetPermit)

    struct Waiting: Sendable {
        let id: UInt64
        let waiter: Waiter<FleetPermit?>
    }

    private var waiting: [Waiting] = []
    /// The permits that are held, and whether Redis knows them.
    private var held: [String: Bool] = [:]
    /// Permits that Redis may still count, as its reply was late or never came: they would stay taken for a lease.
    private var unsure: [String] = []
    /// Whether a task asks for permits now.
    private var isAsking = false
    private var isRenewing = false
    private var lastID: UInt64 = 0

    var isAnyWaiting: Bool { !waiting.isEmpty }

    /// Adds a task. Returns whether another one must ask for permits.
    mutating func add() -> (Waiting, mustAsk: Bool) {
        lastID += 1
        let entry = Waiting(id: lastID, waiter: Waiter())
        waiting.append(entry)
        defer { isAsking = true }
        return (entry, !isAsking)
    }

    mutating func cancel(_ id: UInt64) -> Waiter<FleetPermit?>? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        return waiting.remove(at: index).waiter
    }

    /// Begins to ask. Returns how many permits are wanted; with 0, asking has ended.
    mutating func begin(maximum: Int) -> Int {
        if waiting.isEmpty { isAsking = false }
        return min(waiting.count, maximum)
    }

    /// Gives permits to the tasks that wait longest. Returns those that no task wants any more, and whether a task must
    /// begin to renew them.
    mutating func hand(
        _ permits: [FleetPermit]
    ) -> (resumptions: [Resumption], unused: [FleetPermit], mustRenew: Bool) {
        for permit in permits { held[permit.id] = permit.fencingToken != nil }
        let resumptions = zip(waiting, permits).map { ($0.waiter, $1) }
        waiting.removeFirst(resumptions.count)
        let mustRenew = !permits.isEmpty && !isRenewing
        isRenewing = isRenewing || mustRenew
        return (resumptions, Array(permits.dropFirst(resumptions.count)), mustRenew)
    }

    /// The permits that this process may take while Redis can't be used.
    func takeLocally(_ ids: [String], share: Int) -> [FleetPermit] {
        ids.prefix(max(0, share - held.count)).map { FleetPermit(id: $0, fencingToken: nil) }
    }

    /// Notes permits that were taken or released without a reply.
    mutating func noteUnsure(_ ids: [String]) { unsure = (unsure + ids).suffix(256) }

    /// Takes the permits that Redis may still count and that no task holds.
    mutating func takeUnsure() -> [String] {
        let free = unsure.filter { held[$0] == nil }
        unsure.removeAll { held[$0] == nil }
        return free
    }

    /// Returns whether Redis knows the permit.
    mutating func release(_ id: String) -> Bool { held.removeValue(forKey: id) ?? false }

    /// The permits to renew; if there are none, renewing has ended.
    mutating func idsToRenew() -> [String] {
        if held.isEmpty { isRenewing = false }
        return Array(held.keys)
    }

    /// Notes that Redis knows a permit. Returns `false` if it was released meanwhile.
    mutating func noteRenewal(of id: String) -> Bool {
        guard held[id] != nil else { return false }
        held[id] = true
        return true
    }
}
#endif
