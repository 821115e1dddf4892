import GodwitCore
import GodwitCurl
import Testing

private let second: Int64 = 1_000_000_000

@Suite("T10 Rules for kept connections")
struct ConnectionRulesTests {
    private func rules(idle: Int64?, lifetime: Int64?) -> ConnectionRules {
        var policy = ConnectionPolicy()
        policy.idleTimeout = idle.map { .seconds($0) }
        policy.maximumLifetime = lifetime.map { .seconds($0) }
        return ConnectionRules(policy)
    }

    @Test(
        "T10 age and idle time decide about a connection",
        arguments: [
            // idle limit, lifetime, age, idle time, decision
            (50, 3600, 10, 10, .keep(again: 40 * second)), (50, 3600, 60, 50, .close),
            (50, 3600, 3590, 10, .keep(again: 10 * second)), (50, 3600, 3600, 0, .close),
            (50, 3600, 10, nil, .keep(again: 3590 * second)), (50, 3600, 3600, nil, .retire),
            (50, nil, 9999, nil, .keep(again: nil)), (nil, nil, 9999, 9999, .keep(again: nil)),
            (nil, 100, 50, 50, .keep(again: 50 * second)), (50, nil, 9999, 51, .close),
        ] as [(Int64?, Int64?, Int64, Int64?, ConnectionRules.Decision)])
    func decisions(
        _ idle: Int64?, _ lifetime: Int64?, _ age: Int64, _ idleTime: Int64?, _ decision: ConnectionRules.Decision
    ) {
        let rules = rules(idle: idle, lifetime: lifetime)
        #expect(rules.decision(age: age * second, idleTime: idleTime.map { $0 * second }) == decision)
    }

    @Test("T10 the first check is due after the shorter limit, or never")
    func delays() {
        #expect(rules(idle: 50, lifetime: 3600).delay == 50 * second)
        #expect(rules(idle: nil, lifetime: 3600).delay == 3600 * second)
        #expect(rules(idle: nil, lifetime: nil).delay == nil)
        #expect(rules(idle: .max, lifetime: nil).delay == (1 << 31) * second)
    }

    @Test(
        "T10 how long a shared connection may be silent",
        arguments: [
            // ending, silence, others, whether it is given up
            (.inactivity(limit: 10_000), 5_000, 0, true), (.inactivity(limit: 10_000), 4_999, 0, false),
            (.inactivity(limit: 10_000), 9_980, 3, true), (.inactivity(limit: 10_000), 9_979, 3, false),
            (.total(waited: 300), 300, 0, false), (.total(waited: 300), 1_000, 0, true),
            (.total(waited: 3_000), 2_900, 0, false),
            (.total(waited: 3_000), 9_999, 1, false), (.total(waited: 3_000), 10_000, 1, true),
            (.cancelled(waited: 5_000), 5_000, 0, true), (.cancelled(waited: 500), 1_999, 0, false),
            (.cancelled(waited: 60_000), 60_000, 1, false), (.inactivity(limit: 10_000), -1, 0, false),
        ] as [(SilenceRule.Ending, Int64, Int, Bool)])
    func silence(_ ending: SilenceRule.Ending, _ silence: Int64, _ others: Int, _ givesUp: Bool) {
        #expect(SilenceRule(ending).givesUp(after: silence, others: others) == givesUp)
    }
}
