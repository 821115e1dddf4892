import Godwit
@testable import GodwitFleet
import Synchronization
import TestSupport
import Testing

@Suite("Shared circuits", .enabled(if: RedisPeer.isAvailable, RedisPeer.hint), .timeLimit(.minutes(15)))
struct FleetCircuitTests {
    /// What an observer was told.
    private final class Log: Sendable {
        private let changes = Mutex<[CircuitChange]>([])

        init(_ circuits: FleetCircuits) {
            circuits.observe { [self] _, change in changes.withLock { $0.append(change) } }
        }

        var all: [CircuitChange] { changes.withLock { $0 } }
    }

    private func circuits(_ redis: RedisPeer) async throws -> (fleet: Fleet, circuits: FleetCircuits) {
        let fleet = try await Fleet(redis: redis.url) {
            ($0.commandTimeout, $0.diagnostics) = (.seconds(10), Diagnostics())
        }
        return (fleet, FleetCircuits("api", fleet))
    }

    private func origin() throws -> Origin { try HTTPURL("https://api.example.com").origin }

    @Test("G5 A process that starts later learns that a circuit is open, also for hours")
    func late() async throws {
        let redis = try await RedisPeer()
        let first = try await circuits(redis)
        try first.circuits.publish(.opened(.seconds(7200)), of: origin())
        try await eventually { try redis.run("HLEN", "{godwit}:circuits:api") == ":1\r\n" }
        let second = try await circuits(redis)
        let log = Log(second.circuits)
        await eventually { !log.all.isEmpty }
        guard case .opened(let pause) = log.all[0] else { return #expect(Bool(false), "\(log.all)") }
        #expect(pause > .seconds(7100) && pause <= .seconds(7200))
        // The running one is told, too.
        try second.circuits.publish(.closed, of: origin())
        let third = Log(first.circuits)
        await eventually { third.all.last == .closed }
    }

    @Test("G5 An older change that arrives later is ignored")
    func order() async throws {
        let redis = try await RedisPeer()
        let (fleet, circuits) = try await circuits(redis)
        let log = Log(circuits)
        let other = try await self.circuits(redis)
        try other.circuits.publish(.opened(.seconds(60)), of: origin())
        await eventually { log.all.count == 1 }
        for number in ["1", "9000000000000000"] {
            try redis.run("PUBLISH", fleet.key("news"), "x circuits \(number) 0 https://api.example.com api")
        }
        await eventually { log.all.count > 1 }
        #expect(log.all == [.opened(.seconds(60)), .closed])
    }

    @Test("G5 A circuit that opens elsewhere doesn't end the probe of another process")
    func probe() async throws {
        let redis = try await RedisPeer()
        let (first, second) = (try await circuits(redis), try await circuits(redis))
        let origin = try origin()
        #expect(await first.circuits.mayProbe(origin, for: .seconds(60)))
        second.circuits.publish(.opened(.seconds(60)), of: origin)
        try await eventually { try redis.run("EXISTS", "{godwit}:circuits:api") == ":1\r\n" }
        #expect(await !second.circuits.mayProbe(origin, for: .seconds(60)))
        first.circuits.publish(.closed, of: origin)
        try await eventually { try redis.run("EXISTS", "{godwit}:circuit:api:https://api.example.com") == ":0\r\n" }
    }
}
