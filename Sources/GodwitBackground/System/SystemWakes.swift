/// The completion handlers of wakes, until all events of a wake are delivered. A pure value.
///
/// The system delivers the events of a wake, then reports that there are no more. As events arrive on a separate queue, the
/// report may precede the call of the program's delegate. It also comes without a wake, if the user starts the program. So
/// an early report ends a wake only after a grace period, and never a later wake.
package struct SystemWakes: Sendable {
    package typealias Completion = @Sendable () -> Void

    /// Identifies a wake of a lane.
    package struct Wake: Sendable, Hashable {
        let lane: SystemTaskLane
        fileprivate let number: Int
    }

    private struct Waiting: Sendable {
        var wake: Wake
        var completions: [Completion]
        var isDelivered = false
    }

    private var waiting: [SystemTaskLane: Waiting] = [:]
    private var deliveredEarly: Set<SystemTaskLane> = []
    private var count = 0

    package init() {}

    /// Registers a completion. Returns the wake if its events may have been delivered already: the caller gives it a
    /// grace period, then calls ``expire(_:)``.
    package mutating func wait(_ lane: SystemTaskLane, _ completion: @escaping Completion) -> Wake? {
        count += 1
        let wake = Wake(lane: lane, number: count)
        let earlier = waiting[lane]?.completions ?? []
        waiting[lane] = Waiting(wake: wake, completions: earlier + [completion])
        return deliveredEarly.remove(lane) != nil ? wake : nil
    }

    /// The system has delivered all events of a lane.
    package mutating func deliver(_ lane: SystemTaskLane) {
        if waiting[lane] == nil { deliveredEarly.insert(lane) }
        waiting[lane]?.isDelivered = true
    }

    /// The grace period of a wake is over.
    package mutating func expire(_ wake: Wake) {
        if waiting[wake.lane]?.wake == wake { waiting[wake.lane]?.isDelivered = true }
    }

    /// The completions to call, each once.
    package mutating func takeDelivered() -> [Completion] {
        let done = waiting.filter(\.value.isDelivered)
        for lane in done.keys { waiting[lane] = nil }
        return done.values.flatMap(\.completions)
    }
}
