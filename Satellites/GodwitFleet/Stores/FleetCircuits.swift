#if os(Linux)
import GodwitCore
import GodwitSupport
import Synchronization

extension Fleet {
    /// Tells the circuits of one process to the others: if a host fails for one, none sends to it, and one probes it.
    ///
    /// ```swift
    /// $0.circuitBreaker = CircuitBreaker.Options()
    /// $0.sharedCircuits = fleet.circuits()
    /// ```
    ///
    /// A process that starts later, or has missed messages, reads which circuits are open.
    ///
    /// While Redis can't be used, each process decides by its own failures.
    ///
    /// - Parameter name: Distinguishes circuits with different options. Empty by default.
    public func circuits(_ name: String = "") -> some CircuitSharing { FleetCircuits(name, self) }
}

/// Circuits in Redis: a hash with the last change of each origin, which messages tell, and a key per origin with the process
/// that probes.
final class FleetCircuits: CircuitSharing {
    typealias Observer = @Sendable (Origin, CircuitChange) -> Void

    private struct State: Sendable {
        var observers: [Observer] = []
        /// The number of the last known change. Messages can arrive in another order.
        var numbers: [Origin: Int64] = [:]
        /// Changes are published in their order.
        var lastPublication: Task<Void, Never>?
    }

    private let fleet: Fleet
    private let name: String
    private let key: String
    private let state = Mutex(State())
    private let news = NewsReceiver()
    private let work = RepeatedWork()

    /// The longest time that a change is kept, and that a probe excludes others.
    private static let longest = Duration.seconds(7 * 86400)

    init(_ name: String, _ fleet: Fleet) {
        self.fleet = fleet
        self.name = name
        key = fleet.key("circuits", name)
        news.start(fleet, .circuits) { [weak self] text in
            guard let self else { return }
            if let text { receive(text) } else { Task { await self.work.run { await self.readAll() } } }
        }
    }

    func publish(_ change: CircuitChange, of origin: Origin) {
        let pause = if case .opened(let pause) = change { max(1, Self.microseconds(pause)) } else { Int64(0) }
        state.withLock { state in
            state.lastPublication = Task { [self, former = state.lastPublication] in
                await former?.value
                await publish(pause, origin)
            }
        }
    }

    private func publish(_ pause: Int64, _ origin: Origin) async {
        let outcome = await fleet.run(
            .changeCircuit, [key, probe(origin)],
            [RedisArgument("\(origin)"), RedisArgument(pause), RedisArgument(fleet.member)])
        guard case .success(let value) = outcome, let number = value.integer else { return }
        state.withLock { $0.numbers[origin] = max($0.numbers[origin] ?? 0, number) }
        await fleet.publish(.circuits, "\(number) \(pause) \(origin) \(name)")
    }

    func mayProbe(_ origin: Origin, for pause: Duration) async -> Bool {
        let time = max(1, Self.microseconds(pause) / 1000)
        let outcome = await fleet.run(
            .beginProbe, [probe(origin)], [RedisArgument(fleet.member), RedisArgument(time)])
        switch outcome {
        case .success(let value): return value.integer == 1
        case .failure: return true
        }
    }

    func observe(_ onChange: @escaping Observer) {
        state.withLock { $0.observers.append(onChange) }
        Task { await readAll(for: onChange) }
    }

    private func probe(_ origin: Origin) -> String { fleet.key("circuit", name, "\(origin)") }

    private static func microseconds(_ time: Duration) -> Int64 { min(time.bounded, longest).microseconds }
}

// What others have changed. Other members of the fleet are trusted with their own circuits.
extension FleetCircuits {
    /// A message: the number of the change, the pause in µs, the origin, the name.
    private func receive(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[3] == name, let number = Int64(parts[0]), let pause = Int64(parts[1]) else {
            return
        }
        apply(number, pause, parts[2], for: nil)
    }

    /// Reads the last changes: all for a new observer, only new ones for the others.
    private func readAll(for observer: Observer? = nil) async {
        guard case .success(let value) = await fleet.run(.readCircuits, [key], []) else { return }
        let parts = value.array ?? []
        for index in stride(from: 0, to: parts.count - 2, by: 3) {
            guard let origin = parts[index].string, let number = parts[index + 1].integer,
                let pause = parts[index + 2].integer
            else { continue }
            apply(number, pause, origin, for: observer)
        }
    }

    private func apply(_ number: Int64, _ pause: Int64, _ origin: String, for observer: Observer?) {
        guard pause >= 0, let origin = try? HTTPURL(origin).origin else { return }
        let observers: [Observer] = state.withLock { state in
            let last = state.numbers[origin] ?? 0
            guard number >= last else { return [] }
            state.numbers[origin] = number
            return number > last ? state.observers : observer.map { [$0] } ?? []
        }
        let change = pause > 0 ? CircuitChange.opened(.microseconds(pause)) : .closed
        for observer in observers { observer(origin, change) }
    }
}

extension RedisScript {
    /// Keys: the circuits, the probe. Arguments: the origin, the pause in µs or 0 if it is closed, the member. Returns the
    /// number of the change. A value is the number and the end of the pause in µs, 0 if it is closed.
    static let changeCircuit = RedisScript(
        """
        local t = redis.call('TIME')
        local now = t[1] * 1000000 + t[2]
        local last = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '', '^%d+')
        local number = math.max((tonumber(last) or 0) + 1, now)
        local pause = tonumber(ARGV[2])
        local value = string.format('%.0f %.0f', number, pause > 0 and now + pause or 0)
        redis.call('HSET', KEYS[1], ARGV[1], value)
        redis.call('PEXPIRE', KEYS[1], 8 * 86400000)
        if redis.call('GET', KEYS[2]) == ARGV[3] then redis.call('DEL', KEYS[2]) end
        -- An hour after a pause, the change is obsolete.
        local all = redis.call('HGETALL', KEYS[1])
        for i = 1, #all, 2 do
            local changed, due = string.match(all[i + 1], '^(%d+) (%d+)$')
            if math.max(tonumber(changed) or 0, tonumber(due) or 0) < now - 3600000000 then
                redis.call('HDEL', KEYS[1], all[i])
            end
        end
        return number
        """)

    /// Returns for each origin: itself, the number of its last change, the rest of its pause in µs. A circuit whose pause has
    /// ended is left out.
    static let readCircuits = RedisScript(
        """
        local t = redis.call('TIME')
        local now = t[1] * 1000000 + t[2]
        local all, result = redis.call('HGETALL', KEYS[1]), {}
        for i = 1, #all, 2 do
            local number, due = string.match(all[i + 1], '^(%d+) (%d+)$')
            local rest = tonumber(due) - now
            if due == '0' or rest > 0 then
                result[#result + 1] = all[i]
                result[#result + 1] = tonumber(number)
                result[#result + 1] = math.max(0, rest)
            end
        end
        return result
        """)

    /// Arguments: the member, the time in ms.
    static let beginProbe = RedisScript(
        """
        if redis.call('GET', KEYS[1]) == ARGV[1] then return 1 end
        return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0
        """)
}
#endif
