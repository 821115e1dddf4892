import GodwitCore
import Testing

@Suite("A6 calls, sign-ins and sign-outs in any order", .timeLimit(.minutes(15)))
struct AccountInterleavingTests {
    @Test("A6 in 10,000 interleavings no request and no stored value crosses accounts", arguments: 0..<4)
    func crossing(part: UInt64) async {
        var faults: [String] = []
        var requests = 0
        for seed in 0..<UInt64(2500) {
            let outcome = await AccountScript(seed: part * 2500 + seed).run()
            faults += outcome.faults.map { "seed \(part * 2500 + seed): \($0)" }
            requests += outcome.requests
        }
        #expect(faults.prefix(5) == [])
        #expect(requests > 5000)
    }

    @Test("A6 the same interleavings find faults if calls don't carry their account")
    func control() async {
        var count = 0
        for seed in 0..<UInt64(500) where count == 0 {
            count += await AccountScript(seed: seed, isGuarded: false).run().faults.count
        }
        #expect(count > 0)
    }
}
