import GodwitCore
import Synchronization

/// A rate that the processes of a fleet share. Calls wait in this process, in FIFO order, and cost one command for a
/// batch of them.
///
/// A process reserves times ahead, at most a horizon, so that one that dies loses little of the limit for the others.
final class SharedRateLimiter: RateLimiter {
    private let rate: SharedRate
    private let fleet: Fleet
    private let name: String
    private let queues = Mutex<[Origin: SlotQueue]>([:])

    /// How far ahead times are reserved.
    static let horizon = Duration.milliseconds(100)
    /// A time that was missed by more is given up: calls that a stalled process sends together exceed the limit.
    static let tolerance = Duration.milliseconds(30)
    /// With this many origins, those in their initial state are removed before another is added.
    private static let cleanupThreshold = 256

    private var timeline: Timeline { fleet.timeline }

    init(_ rate: SharedRate, _ fleet: Fleet, name: String) {
        self.rate = rate
        self.fleet = fleet
        self.name = name
    }

    func admit(_ origin: Origin, longestWait: Duration) async throws(NetworkError) {
        let deadline = timeline.now + longestWait.bounded
        var isFirst = false
        while true {
            guard !Task.isCancelled else { throw NetworkError(.cancelled, phase: .middleware) }
            let (entry, mustAsk) = change(origin) { $0.add(until: deadline, isFirst: isFirst) }
            if mustAsk { await ask(origin) }
            let turn = await entry.waiter.value { [self] in
                if let canceled = change(origin, { $0.cancel(entry.id) }) {
                    canceled.waiter.resume(returning: canceled.turn)
                }
            }
            switch turn {
            case .cancelled: throw NetworkError(.cancelled, phase: .middleware)
            case .tooLong(let wait, let reason):
                throw NetworkError(.rateLimited(retryAfter: wait), phase: .middleware, underlying: reason)
            case .at(let time):
                if try await isOnTime(time) { return change(origin) { $0.inFlight += 1 } }
                // A missed time is lost; the call keeps its place.
                isFirst = true
            }
        }
    }

    func end(_ origin: Origin, _ limit: ServerLimit?) {
        let now = timeline.now
        let inFlight = change(origin) { queue in
            queue.inFlight = max(0, queue.inFlight - 1)
            if let limit { queue.local.apply(limit, inFlight: queue.inFlight, at: now) }
            return queue.inFlight
        }
        guard let limit else { return }
        Task { [fleet] in
            _ = await fleet.run(
                .learn, [key(origin)],
                [
                    RedisArgument(limit.pause?.microseconds ?? -1), RedisArgument(limit.remaining ?? -1),
                    RedisArgument(limit.reset?.microseconds ?? -1), RedisArgument(inFlight),
                ])
        }
    }
}

extension SharedRateLimiter {
    private func key(_ origin: Origin) -> String { fleet.key("rate", name, "\(origin)") }

    /// Waits for a time. Returns whether it wasn't missed.
    private func isOnTime(_ time: Duration) async throws(NetworkError) -> Bool {
        do throws(CancellationError) {
            try await timeline.sleep(for: time - timeline.now)
        } catch {
            throw NetworkError(.cancelled, phase: .middleware)
        }
        return timeline.now - time <= Self.tolerance
    }

    /// Asks for the first time, and continues in the background if more calls wait.
    private func ask(_ origin: Origin) async {
        guard let pause = await askOnce(origin) else { return }
        Task {
            var pause = pause
            while true {
                try? await timeline.sleep(for: pause)
                guard let next = await askOnce(origin) else { return }
                pause = next
            }
        }
    }

    /// Asks for the times of the calls that wait. Returns when to ask again; `nil` if no call waits.
    private func askOnce(_ origin: Origin) async -> Duration? {
        let count = change(origin) { queue in
            if queue.waiting.isEmpty { queue.isAsking = false }
            return queue.waiting.count
        }
        guard count > 0 else { return nil }
        let (plan, reason) = await plan(min(count, batch), origin)
        let now = timeline.now
        let (resumptions, isDone) = change(origin) { queue in
            let resumptions = queue.apply(plan, interval: rate.interval, at: now, reason)
            if queue.waiting.isEmpty { queue.isAsking = false }
            return (resumptions, queue.waiting.isEmpty)
        }
        for (waiter, turn) in resumptions { waiter.resume(returning: turn) }
        guard !isDone else { return nil }
        // Half of the horizon is left for the round trip. A wait that others could shorten isn't slept through.
        return min(max(.milliseconds(1), plan.next - Self.horizon / 2), .seconds(1))
    }

    /// How many times are reserved at once: an equal part of the horizon, so that no process takes all.
    private var batch: Int {
        guard rate.interval > .zero else { return 64 }
        let slots = (Self.horizon / rate.interval / Double(fleet.state.members)).rounded(.up)
        return rate.burst + Int(min(max(1, slots), 1000)) - 1
    }

    private func plan(_ count: Int, _ origin: Origin) async -> (SlotPlan, FleetUnavailable?) {
        let outcome = await fleet.run(
            .reserve, [key(origin)],
            [
                RedisArgument(rate.interval.preciseMicroseconds),
                RedisArgument((rate.interval * (rate.burst - 1)).preciseMicroseconds), RedisArgument(count),
                RedisArgument(Self.horizon.microseconds),
            ])
        switch outcome {
        case .success(let value):
            let times = value.array?.compactMap(\.integer).map { Duration.microseconds(min(max(0, $0), 7_200_000_000)) }
            change(origin) { $0.isLocal = false }
            guard let times, let next = times.first else { return (SlotPlan(next: Self.horizon), nil) }
            return (SlotPlan(slots: Array(times.dropFirst()), next: next), nil)
        case .failure(let reason):
            return (planLocally(count, origin), reason)
        }
    }

    private func planLocally(_ count: Int, _ origin: Origin) -> SlotPlan {
        let now = timeline.now
        let share = rate.share(of: fleet.state.members)
        return change(origin) { queue in
            if !queue.isLocal { queue.local.begin(share, at: now) }
            queue.isLocal = true
            return queue.local.reserve(count, share, horizon: Self.horizon, at: now)
        }
    }

    @discardableResult
    private func change<Value: Sendable>(_ origin: Origin, _ body: (inout SlotQueue) -> Value) -> Value {
        let now = timeline.now
        return queues.withLock { queues in
            if queues.count >= Self.cleanupThreshold, queues[origin] == nil {
                queues = queues.filter { !$0.value.isFresh(at: now) }
            }
            return body(&queues[origin, default: SlotQueue()])
        }
    }
}

extension Duration {
    /// Whole microseconds.
    var microseconds: Int64 { Int64(bounded / .microseconds(1)) }

    /// Microseconds with fractions, for scripts.
    var preciseMicroseconds: String { String(self / .microseconds(1)) }
}

extension RedisArgument {
    init(_ number: Double) { self.init(String(number)) }
}
