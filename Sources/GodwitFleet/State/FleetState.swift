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
    public let place: String
    /// What happened, such as `Redis didn't answer in time`.
    public let reason: String

    /// What happened, in a form to switch over.
    public let problem: StorageDiagnostic.Problem
}

extension FleetUnavailable: CustomStringConvertible, LocalizedError {
    /// The reason, the addresses, and what follows.
    public var description: String {
        "\(reason) (\(place)); this process uses its share of each limit until Redis is back"
    }

    /// What `localizedDescription` says: ``description``.
    public var errorDescription: String? { description }
}

extension FleetUnavailable {
    init(_ failure: RedisFailure, at place: String) {
        let problem: StorageDiagnostic.Problem =
            switch failure.kind {
            case .unreachable, .moved, .ask, .unknownScript, .other: .unavailable
            case .slow: .slow
            case .full: .memoryFull
            case .refused: .noPermission
            }
        self.init(place: place, reason: failure.reason, problem: problem)
    }
}

/// Decides from the outcomes of commands whether limits are shared. It has no clock.
struct FleetHealth: Sendable {
    private(set) var state: FleetState
    /// Chosen by the first process after Redis started without data.
    private var epoch: String?
    private var hasFailed = false

    init(expectedMembers: Int, _ reason: FleetUnavailable) {
        state = .local(members: Self.plausible(expectedMembers), reason)
    }

    /// Why limits aren't shared; `nil` if they are.
    var reason: FleetUnavailable? { if case .local(_, let reason) = state { reason } else { nil } }

    private static func plausible(_ members: Int) -> Int { min(max(1, members), 100_000) }

    /// A command failed. Returns whether that is worth a report: the first time, and after a change.
    mutating func fail(_ reason: FleetUnavailable) -> Bool {
        let isNew = !hasFailed || self.reason?.problem != reason.problem
        hasFailed = true
        state = .local(members: state.members, reason)
        return isNew
    }

    /// A heartbeat succeeded. Returns whether Redis has lost its data since the last one.
    mutating func succeed(members: Int, epoch: String) -> Bool {
        defer { self.epoch = epoch }
        state = .shared(members: Self.plausible(members))
        return self.epoch.map { $0 != epoch } ?? false
    }
}
