/// Who waits until everything is delivered that the system started or woke the program for. A pure value.
///
/// The system delivers the events of a wake, then says that there are no more. That may come before the program's delegate
/// asks to be told, as events arrive on a queue of their own; and it also comes without a wake, when a program that the user
/// started takes up its session again. So what was said before a wake ends that wake only after a grace period, and never a
/// later one.
package struct SystemWakes: Sendable {
    package typealias Completion = @Sendable () -> Void

    /// One wake of a lane, by number.
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

    /// The system has delivered everything.
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
