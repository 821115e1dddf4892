import GodwitCore
import GodwitTesting
import Testing

@Suite("A3 a thousand requests with an expired token", .timeLimit(.minutes(5)))
struct SingleFlightTests {
    private let server = RotatingServer()

    private struct Outcome: Sendable {
        var statuses: [Int] = []
        var kinds: [NetworkError.Kind] = []
    }

    /// When the refresh is answered: after all requests were sent, or as soon as it is asked for.
    enum Answer: Sendable {
        case late, early
    }

    /// Sends a thousand requests whose token the server does not accept.
    private func thousand(
        over mock: MockTransport, _ store: MemoryTokenStore, cancelling cancelled: Int = 0, answer: Answer = .late
    ) async throws -> Outcome {
        let url = try HTTPURL("https://api.example.com/articles")
        let refresher = server.refresher(over: mock, store: store)
        let chain = Chain([Authentication(.tokens(refresher), for: [url.origin])], over: mock)
        if answer == .early { server.openGate() }
        let tasks = (0..<1000).map { _ in
            Task { () async -> Result<Int, NetworkError> in
                do throws(NetworkError) {
                    return .success(try await chain.send(HTTPRequest(url: url)).head.status.code)
                } catch {
                    return .failure(error)
                }
            }
        }
        try await mock.waitForRequests(count: 1000)
        try await server.waitForRefresh()
        for task in tasks.prefix(cancelled) { task.cancel() }
        server.openGate()
        var outcome = Outcome()
        for task in tasks {
            switch await task.value {
            case .success(let status): outcome.statuses.append(status)
            case .failure(let error): outcome.kinds.append(error.kind)
            }
        }
        return outcome
    }

    private func store() -> MemoryTokenStore {
        MemoryTokenStore(AccessToken(access: "expired", refresh: server.refresh))
    }

    @Test("A3 one refresh, a thousand successes, with a server that rotates tokens", arguments: [Answer.late, .early])
    func success(answer: Answer) async throws {
        let store = store()
        let outcome = try await thousand(over: server.transport(), store, answer: answer)
        #expect(server.refreshCount == 1)
        #expect(outcome.kinds == [])
        #expect(outcome.statuses == Array(repeating: 200, count: 1000))
        #expect(store.load()?.access == server.access)
    }

    @Test("A3 two hundred canceled callers don't cancel the refresh of the others")
    func cancelled() async throws {
        let outcome = try await thousand(over: server.transport(), store(), cancelling: 200)
        #expect(server.refreshCount == 1)
        #expect(outcome.kinds == Array(repeating: .cancelled, count: 200))
        #expect(outcome.statuses == Array(repeating: 200, count: 800))
    }

    @Test("A3 a rejected refresh is sent once, and all callers are unauthorized")
    func rejected() async throws {
        server.revoke()
        let store = store()
        let outcome = try await thousand(over: server.transport(), store)
        #expect(server.refreshCount == 1)
        #expect(outcome.statuses == [])
        #expect(outcome.kinds == Array(repeating: .unauthorized, count: 1000))
        #expect(store.load() == nil)
    }
}
