import Godwit
import GodwitOAuth
import GodwitSupport
import GodwitTesting
import TestSupport
import Testing

// One after the other: each takes four thousand descriptors.
@Suite("A3 a thousand requests with an expired token", .serialized, .timeLimit(.minutes(15)))
struct SharedRefreshTests {
    private let api = RotatingAPI()
    private let store: MemoryTokenStore

    init() {
        store = MemoryTokenStore(AccessToken(access: "expired", refresh: api.refresh))
    }

    private struct Outcome: Sendable {
        var statuses: [Int: Int] = [:]
        var kinds: [NetworkError.Kind: Int] = [:]
    }

    /// What the requests go over.
    enum Way: CaseIterable {
        case mock, sockets
    }

    /// When the refresh is answered: after all requests were refused, or as soon as it is asked for.
    enum Answer: CaseIterable {
        case late, early
    }

    /// Sends a thousand requests whose token the server doesn't accept. Some are canceled before a late refresh is answered.
    private func thousand(
        over way: Way, cancelling cancelled: Int = 0, answer: Answer = .late
    ) async throws -> Outcome {
        guard way == .sockets else {
            return try await thousand(over: api.transport(), "https://api.example.com/", cancelled, answer)
        }
        let server = try await api.start()
        let transport = try SocketTransport()
        let outcome = try await thousand(over: transport, "\(server.url)", cancelled, answer)
        await transport.shutdown(.cancelling)
        await server.stop()
        return outcome
    }

    private func thousand(
        over transport: some HTTPTransport, _ root: String, _ cancelled: Int, _ answer: Answer
    ) async throws -> Outcome {
        let auth = OAuthServer(tokenURL: try HTTPURL("\(root)token"))
        let oauth = OAuth2(auth, client: OAuthClient(id: "reader"), over: transport)
        let url = try HTTPURL("\(root)articles")
        let chain = Chain(
            [Authentication(.tokens(oauth.refresher(store: store)), for: [url.origin])], over: transport)
        if answer == .early { api.openGate() }
        let tasks = (0..<1000).map { _ in
            Task {
                await Result.catching { () async throws(NetworkError) in
                    try await chain.send(HTTPRequest(url: url)).head.status.code
                }
            }
        }
        if answer == .late { try await api.wait(forRefusals: 1000) }
        for task in tasks.prefix(cancelled) { task.cancel() }
        api.openGate()
        var outcome = Outcome()
        for task in tasks {
            switch await task.value {
            case .success(let status): outcome.statuses[status, default: 0] += 1
            case .failure(let error): outcome.kinds[error.kind, default: 0] += 1
            }
        }
        return outcome
    }

    @Test(
        "A3 one refresh, a thousand successes, with a server that rotates and invalidates tokens",
        arguments: Way.allCases, Answer.allCases)
    func success(_ way: Way, _ answer: Answer) async throws {
        let outcome = try await thousand(over: way, answer: answer)
        #expect(api.refreshCount == 1)
        #expect(outcome.kinds == [:])
        #expect(outcome.statuses == [200: 1000])
        #expect(store.load() == api.token)
    }

    @Test("A3 canceling two hundred callers doesn't cancel the refresh for the others", arguments: Way.allCases)
    func cancelled(_ way: Way) async throws {
        let outcome = try await thousand(over: way, cancelling: 200)
        #expect(api.refreshCount == 1)
        #expect(outcome.kinds == [.cancelled: 200])
        #expect(outcome.statuses == [200: 800])
    }

    @Test("A3 a rejected refresh is sent once, and all callers get .unauthorized", arguments: Way.allCases)
    func refused(_ way: Way) async throws {
        api.revoke()
        let outcome = try await thousand(over: way)
        #expect(api.refreshCount == 1)
        #expect(outcome.statuses == [:])
        #expect(outcome.kinds == [.unauthorized: 1000])
        #expect(store.load() == nil)
    }
}
