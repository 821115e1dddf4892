import Godwit
import Testing

@Suite("V5 random sequences", .timeLimit(.minutes(20)))
@MainActor
struct SequenceTests {
    private static let variables = ProcessInfo.processInfo.environment
    private static let count = variables["GODWIT_TEST_SOAK"] == "1" ? 10_000 : 100

    @Test("V5 whatever happens in whatever order, no change is lost, nothing newer is replaced, and nothing flickers")
    func sequences() async {
        if let seed = Self.variables["GODWIT_TEST_SEED"].flatMap({ UInt64($0) }) { return await run(seed) }
        let first = UInt64.random(in: 0...(1 << 40))
        for seed in first..<first + UInt64(Self.count) { await run(seed) }
    }

    /// Runs one sequence: `GODWIT_TEST_SEED` repeats it.
    private func run(_ seed: UInt64) async {
        let sequence = SequenceRun(seed: seed)
        let violations = await sequence.run(Int(seed % 40) + 5, isLoaded: seed % 4 != 0, isComplete: seed % 8 == 1)
        #expect(violations.isEmpty, "seed \(seed):\n\(sequence.log.joined(separator: "\n"))")
    }
}
