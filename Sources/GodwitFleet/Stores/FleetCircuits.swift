import GodwitCore
import Synchronization

extension Fleet {
    /// Tells the circuits of one process to the others: if a host fails for one, none sends to it, and one probes it.
    ///
    /// ```swift
    /// $0.circuitBreaker = CircuitBreaker.Options()
    /// $0.sharedCircuits = fleet.circuits()
    /// ```
    ///
    /// While Redis can't be used, each process decides by its own failures.
    ///
    /// - Parameter name: Distinguishes circuits with different options. Empty by default.
    public func circuits(_ name: String = "") -> some CircuitSharing { FleetCircuits(name, self) }
}

/// Circuits in Redis: the messages tell changes, a key per origin keeps who probes.
final class FleetCircuits: CircuitSharing {
    private struct State: Sendable {
        var registration: FleetNews.Registration?
        var observers: [@Sendable (Origin, CircuitChange) -> Void] = []
    }

    private let fleet: Fleet
    private let name: String
    private let state = Mutex(State())

    init(_ name: String, _ fleet: Fleet) {
        self.fleet = fleet
        self.name = name
        let registration = fleet.onNews(.circuits) { [weak self] text in
            if let self, let text { receive(text) }
        }
        state.withLock { $0.registration = registration }
    }

    func publish(_ change: CircuitChange, of origin: Origin) {
        let pause = if case .opened(let pause) = change { pause.bounded.microseconds } else { Int64(0) }
        Task { [fleet, name] in
            _ = await fleet.run(.endProbe, [fleet.key("circuit", name, "\(origin)")], [])
            await fleet.publish(.circuits, "\(pause) \(origin) \(name)")
        }
    }

    func mayProbe(_ origin: Origin, for pause: Duration) async -> Bool {
        let key = fleet.key("circuit", name, "\(origin)")
        let time = max(1, min(pause.bounded, .seconds(3600)).microseconds / 1000)
        switch await fleet.run(.beginProbe, [key], [RedisArgument(fleet.member), RedisArgument(time)]) {
        case .success(let value): return value.integer == 1
        case .failure: return true
        }
    }

    func observe(_ onChange: @escaping @Sendable (Origin, CircuitChange) -> Void) {
        state.withLock { $0.observers.append(onChange) }
    }

    /// A message: the pause in µs, the origin, the name. Other members of the fleet are trusted with their own circuits.
    private func receive(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[2] == name, let pause = Int64(parts[0]), (0...3_600_000_000).contains(pause),
            let origin = try? HTTPURL(parts[1]).origin
        else { return }
        let change = pause > 0 ? CircuitChange.opened(.microseconds(pause)) : .closed
        for observer in state.withLock(\.observers) { observer(origin, change) }
    }
}

extension RedisScript {
    /// Arguments: the member, the time in ms.
    static let beginProbe = RedisScript(
        """
        if redis.call('GET', KEYS[1]) == ARGV[1] then return 1 end
        return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0
        """)

    static let endProbe = RedisScript("return redis.call('DEL', KEYS[1])")
}
