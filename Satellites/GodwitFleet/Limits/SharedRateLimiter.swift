#if os(Linux)
import GodwitCore
import GodwitSupport
import Synchronization

/// A rate that the processes of a fleet share. Calls wait in this process, in FIFO order, and cost one command for a
/// batch of them.
///
/// A process reserves times ahead, at most a horizon, so that one that dies loses little of the limit for the others.
final class SharedRateLimiter: RateLimiter {
    private let rate: SharedRate
    private let fleet: Fleet
    private let name: String
    private let serverClock = Mutex(ServerClock())
    private let queues = Mutex<[Origin: RateLimitQueue]>([:])

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
        var id: UInt64?
        while true {
            guard !Task.isCancelled else { throw NetworkError(.cancelled, phase: .middleware) }
            let (entry, mustAsk) = change(origin) { [id] in $0.add(until: deadline, as: id) }
            // In a task of its own: a canceled call doesn't wait for Redis.
            if mustAsk { Task { await ask(origin) } }
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
                id = entry.id
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
                .recordServerLimit, [key(origin)],
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

    /// Asks until no call waits.
    private func ask(_ origin: Origin) async {
        while let pause = await askOnce(origin) { try? await timeline.sleep(for: pause) }
    }

    /// Asks for the times of the calls that wait. Returns when to ask again; `nil` if no call waits.
    private func askOnce(_ origin: Origin) async -> Duration? {
        let count = change(origin) { queue in
            if queue.waiting.isEmpty { queue.isAsking = false }
            return queue.waiting.count
        }
        guard count > 0 else { return nil }
        let answer = await reserve(min(count, batch), origin)
        let now = timeline.now
        let (resumptions, isDone) = change(origin) { queue in
            let resumptions = queue.apply(
                answer.reservation, from: answer.start, tolerance: Self.tolerance, interval: rate.interval, at: now,
                answer.reason)
            if queue.waiting.isEmpty { queue.isAsking = false }
            return (resumptions, queue.waiting.isEmpty)
        }
        for (waiter, turn) in resumptions { waiter.resume(returning: turn) }
        guard !isDone else { return nil }
        // Half of the horizon is left for the round trip. A wait that others could shorten isn't slept through.
        let next = answer.start + answer.reservation.next - now
        return min(max(.milliseconds(1), next - Self.horizon / 2), .seconds(1))
    }

    /// How many times are reserved together: an equal part of the horizon, so that no process takes all.
    private var batch: Int {
        guard rate.interval > .zero else { return 64 }
        let slots = (Self.horizon / rate.interval / Double(fleet.state.members)).rounded(.up)
        return rate.burst + Int(min(max(1, slots), 1000)) - 1
    }

    private struct Answer: Sendable {
        var reservation: Reservation
        /// The time from which the reservation's times count.
        var start: Duration
        /// Why it isn't shared.
        var reason: FleetUnavailable?
    }

    private func reserve(_ count: Int, _ origin: Origin) async -> Answer {
        let rate = rate.rest(for: fleet.state.members, without: fleet.absentMembers)
        let sent = timeline.now
        let outcome = await fleet.run(
            .reserve, [key(origin)],
            [
                RedisArgument(rate.interval.preciseMicroseconds),
                RedisArgument((rate.interval * (rate.burst - 1)).preciseMicroseconds), RedisArgument(count),
                RedisArgument(Self.horizon.microseconds),
            ])
        let received = timeline.now
        switch outcome {
        case .success(let value):
            change(origin) { $0.isLocal = false }
            let numbers = (value.array?.compactMap(\.integer) ?? []).map { Duration.microseconds(max(0, $0)) }
            guard numbers.count >= 2 else {
                return Answer(reservation: Reservation(next: Self.horizon), start: received)
            }
            let delays = numbers.dropFirst().map { min($0, .seconds(7200)) }
            let start = serverClock.withLock { clock in
                let start = clock.time(of: numbers[0], sent: sent, received: received)
                // The next reply that takes as long isn't late: Redis may be farther away from now on.
                if received - start > Self.tolerance { clock.reset() }
                return start
            }
            return Answer(reservation: Reservation(times: Array(delays.dropFirst()), next: delays[0]), start: start)
        case .failure(let reason):
            return Answer(reservation: reserveLocally(count, origin, at: received), start: received, reason: reason)
        }
    }

    private func reserveLocally(_ count: Int, _ origin: Origin, at now: Duration) -> Reservation {
        let share = rate.share(of: fleet.state.members)
        return change(origin) { queue in
            if !queue.isLocal { queue.local.begin(share, at: now) }
            queue.isLocal = true
            return queue.local.reserve(count, share, horizon: Self.horizon, at: now)
        }
    }

    @discardableResult
    private func change<Value: Sendable>(_ origin: Origin, _ body: (inout RateLimitQueue) -> Value) -> Value {
        let now = timeline.now
        return queues.withLock { queues in
            if queues.count >= Self.cleanupThreshold, queues[origin] == nil {
                queues = queues.filter { !$0.value.isFresh(at: now) }
            }
            return body(&queues[origin, default: RateLimitQueue()])
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
#endif
