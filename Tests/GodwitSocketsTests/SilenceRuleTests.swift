import GodwitSockets
import Testing

@Suite("T10 when a shared connection is given up")
struct SilenceRuleTests {
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
