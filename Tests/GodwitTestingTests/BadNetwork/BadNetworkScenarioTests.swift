#if os(Linux)
import Godwit
import GodwitTesting
import Testing

@Suite("Bad networks for any transport", .timeLimit(.minutes(15)))
struct BadNetworkScenarioTests {
    private static func engine() throws -> SocketTransport { try SocketTransport { $0.proxy = .none } }

    @Test("X7 the curl engine passes each scenario", arguments: BadNetworkScenario.all)
    func engine(_ scenario: BadNetworkScenario) async throws {
        let transport = try Self.engine()
        try await scenario.check(transport)
        await transport.shutdown(.cancelling)
    }

    @Test("X7 one transport passes all scenarios at once")
    func together() async throws {
        let transport = try Self.engine()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for scenario in BadNetworkScenario.all { group.addTask { try await scenario.check(transport) } }
            try await group.waitForAll()
        }
        await transport.shutdown(.cancelling)
    }

    @Test("X7 every stage has scenarios, and each scenario its own name and words")
    func names() {
        let all = BadNetworkScenario.all
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(Set(all.map(\.stage)) == Set(BadNetworkScenario.Stage.allCases))
        #expect(all.allSatisfy { !$0.server.isEmpty && !$0.expectation.isEmpty && $0.description == $0.id })
    }

    /// A fault of a transport, a scenario that must find it, and words of the failure.
    struct Plant: Sendable, CustomTestStringConvertible {
        let fault: FaultyTransport.Fault
        let scenario: String
        let words: String
        var testDescription: String { "\(fault): \(scenario)" }

        init(_ fault: FaultyTransport.Fault, _ scenario: String, _ words: String) {
            (self.fault, self.scenario, self.words) = (fault, scenario, words)
        }
    }

    static let plants = [
        Plant(.swallowsErrors, "a truncated body", "but got status 200 with \"half\""),
        Plant(.swallowsErrors, "a body without its last chunk", "but got status 200 with \"half\""),
        Plant(.swallowsErrors, "a reset within the body", "but got status 200"),
        Plant(.swallowsErrors, "a broken chunk size", "but got status 200"),
        Plant(.swallowsErrors, "a cancellation within the body", "expected cancelled, but got status 200"),
        Plant(.sendsAgain, "a POST whose response is lost", "POST / was sent 3 times"),
        Plant(.sendsAgain, "an end instead of the response to a second POST", "POST / was sent 2 times"),
        Plant(.sendsAgain, "a restart during many calls", "was sent 2 times"),
        Plant(.hangs, "a reset without a response", "had not ended after"),
        Plant(.hangs, "a refused connection", "had not ended after"),
        Plant(.hangs, "silence before the head", "had not ended after"),
        Plant(.abandons, "a cancellation before the head", "still open"),
        Plant(.abandons, "a cancellation within the body", "still open"),
        Plant(.abandons, "a cancellation during an upload", "still open"),
        Plant(.ignoresLimits, "silence within the body", "had not ended after"),
        Plant(.ignoresLimits, "a slow drip", "had not ended after"),
        Plant(.ignoresLimits, "a body beyond the limit", "but got status 200"),
        Plant(.endsEarly, "silence before the head", "instead of"),
        Plant(.endsEarly, "a slow response", "expected status 200"),
        Plant(.losesWords, "an early response", "but got cancelled"),
        Plant(.losesWords, "an ordinary response", "an ordinary request afterwards"),
    ]

    @Test("X7 a transport with a fault fails, and the text says why", arguments: plants)
    func faulty(_ plant: Plant) async throws {
        // Any scenario ends with an ordinary request.
        let name = plant.scenario == "an ordinary response" ? "a refused connection" : plant.scenario
        let scenario = try #require(BadNetworkScenario.all.first { $0.name == name })
        let transport = FaultyTransport(engine: try Self.engine(), fault: plant.fault)
        let failure = await #expect(throws: BadNetworkFailure.self) {
            try await scenario.check(transport, limit: .seconds(2))
        }
        #expect(failure?.scenario == name)
        #expect(failure?.reason.contains(plant.words) == true, "\(String(describing: failure))")
        #expect(failure?.description.hasSuffix("The server: \(scenario.server)") == true)
        await transport.engine.shutdown(.cancelling)
    }
}
#endif
