#if os(Linux)
import GodwitCore

/// Whether a ``Fleet`` shares its limits now.
public enum FleetState: Sendable, Hashable {
    /// The processes share their limits, permits and tokens. With the number of processes.
    case shared(members: Int)
    /// Redis can't be used: this process uses its share of each limit, by the last known number of processes.
    case local(members: Int, FleetUnavailable)

    /// The number of processes, as far as known; at least 1.
    public var members: Int {
        switch self {
        case .shared(let members), .local(let members, _): members
        }
    }
}

/// Why a ``Fleet`` doesn't share its limits, as the underlying error of a call that was refused meanwhile.
///
/// Contains no password, key or value: safe to log.
public struct FleetUnavailable: Error, Sendable, Hashable {
    /// The addresses of Redis.
    public let addresses: String
    /// What happened, such as `Redis didn't answer in time`.
    public let reason: String

    /// What happened, in a form to switch over.
    public let problem: StorageDiagnostic.Problem
}

extension FleetUnavailable: CustomStringConvertible, LocalizedError {
    /// The reason, the addresses, and what follows.
    public var description: String {
        "\(reason) (\(addresses)); this process uses its share of each limit until Redis is back"
    }

    /// What `localizedDescription` says: ``description``.
    public var errorDescription: String? { description }
}

extension FleetUnavailable {
    /// - Parameter part: What fails alone, such as `permits`; `nil` if nothing can be shared.
    init(_ failure: RedisFailure, at addresses: String, part: String? = nil) {
        let problem: StorageDiagnostic.Problem =
            switch failure.kind {
            case .unreachable, .moved, .ask, .unknownScript, .other: .unavailable
            case .slow: .slow
            case .full: .memoryFull
            case .refused, .denied: .noPermission
            }
        let reason = (part.map { "\($0): " } ?? "") + failure.reason
        self.init(addresses: addresses, reason: reason, problem: problem)
    }
}

/// Decides from the outcomes of commands whether limits are shared. It has no clock.
struct FleetHealth: Sendable {
    private(set) var state: FleetState
    /// Chosen by the first process after Redis started without data.
    private var epoch: String?
    private var hasFailed = false
    private var isClosed = false
    /// The processes that send or may send: those that are alive, and those that are lost.
    private var known: Int
    /// The least number of processes to assume, until a time: others have not all sent a heartbeat yet.
    private var minimum: (count: Int, end: Duration)?
    /// Whether Redis has lost its data, and others may still use their share.
    private var isRefilling = false
    /// Parts whose failure was reported.
    private var failedParts: Set<String> = []

    init(expectedMembers: Int, _ reason: FleetUnavailable) {
        known = Self.plausible(expectedMembers)
        state = .local(members: known, reason)
    }

    /// Why limits aren't shared; `nil` if they are.
    var reason: FleetUnavailable? { if case .local(_, let reason) = state { reason } else { nil } }

    private static func plausible(_ members: Int) -> Int { min(max(1, members), 100_000) }

    /// The number of processes that use the limits, with those that may be cut off from Redis.
    private func users(at now: Duration) -> Int {
        guard let minimum, now < minimum.end else { return known }
        return max(known, minimum.count)
    }

    /// A command failed. Returns whether that is worth a report: the first time, and after a change.
    mutating func fail(_ reason: FleetUnavailable, at now: Duration) -> Bool {
        let isNew = !hasFailed || self.reason?.problem != reason.problem
        hasFailed = true
        guard !isClosed else { return false }
        if case .local(let members, _) = state {
            state = .local(members: members, reason)
        } else {
            state = .local(members: users(at: now), reason)
        }
        return isNew
    }

    /// A command of one part failed, and others may work. Returns whether that is worth a report: the first time.
    mutating func fail(part: String) -> Bool { failedParts.insert(part).inserted }

    /// A heartbeat succeeded. Returns whether Redis has lost its data since the last one.
    ///
    /// - Parameters:
    ///   - members: The processes that are alive.
    ///   - lost: Those that stopped without a goodbye, and were not replaced.
    ///   - life: How long one heartbeat counts.
    mutating func succeed(
        members: Int, lost: Int, epoch: String, at now: Duration, life: Duration
    ) -> Bool {
        guard !isClosed else { return false }
        let isEmptied = self.epoch.map { $0 != epoch } ?? false
        // After a start, and in an empty Redis, the others are counted with their next heartbeat.
        if isEmptied || self.epoch == nil { minimum = (users(at: now), now + life) }
        self.epoch = epoch
        let alive = Self.plausible(members)
        known = Self.plausible(alive + max(0, lost))
        isRefilling = isEmptied || (isRefilling && minimum.map { now < $0.end } ?? false)
        state = .shared(members: alive)
        return isEmptied
    }

    /// How many processes may send their share without Redis, while this one shares.
    func absent(at now: Duration) -> Int {
        guard case .shared(let members) = state else { return 0 }
        return max(0, (isRefilling ? users(at: now) : known) - members)
    }

    /// The process leaves: limits are local from now on.
    mutating func close(_ reason: FleetUnavailable, at now: Duration) {
        state = .local(members: users(at: now), reason)
        isClosed = true
    }
}
#endif
