import Godwit
import GodwitOAuth
import GodwitTesting
import Testing

// One after the other: each takes four thousand descriptors.
@Suite("A3 a thousand requests with an expired token, over real sockets", .serialized, .timeLimit(.minutes(5)))
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

    /// Sends a thousand requests at once. The refresh is answered once all were refused, and some cancelled.
    private func thousand(cancelling cancelled: Int = 0) async throws -> Outcome {
        let server = try await api.start()
        let transport = try SocketTransport()
        let auth = OAuthServer(tokenURL: try HTTPURL("\(server.url)token"))
        let oauth = OAuth2(auth, client: OAuthClient(id: "reader"), over: transport)
        let credential = Credential.tokens(oauth.refresher(store: store))
        let chain = Chain([Authentication(credential, for: [server.url.origin])], over: transport)
        let url = try HTTPURL("\(server.url)articles")
        let tasks = (0..<1000).map { _ in Task { await Self.outcome(of: HTTPRequest(url: url), over: chain) } }
        try await api.wait(forRefusals: 1000)
        for task in tasks.prefix(cancelled) { task.cancel() }
        api.openGate()
        var outcome = Outcome()
        for task in tasks {
            switch await task.value {
            case .success(let status): outcome.statuses[status, default: 0] += 1
            case .failure(let error): outcome.kinds[error.kind, default: 0] += 1
            }
        }
        await transport.shutdown(.cancelling)
        await server.stop()
        return outcome
    }

    private static func outcome(of request: HTTPRequest, over chain: Chain) async -> Result<Int, NetworkError> {
        do throws(NetworkError) {
            return .success(try await chain.send(request).head.status.code)
        } catch {
            return .failure(error)
        }
    }

    @Test("A3 one refresh, a thousand successes, with a server that rotates and invalidates tokens")
    func success() async throws {
        let outcome = try await thousand()
        #expect(api.refreshCount == 1)
        #expect(outcome.kinds == [:])
        #expect(outcome.statuses == [200: 1000])
        #expect(store.load() == AccessToken(access: api.access, refresh: api.refresh, type: "bearer"))
    }

    @Test("A3 canceling two hundred callers doesn't cancel the refresh for the others")
    func cancelled() async throws {
        let outcome = try await thousand(cancelling: 200)
        #expect(api.refreshCount == 1)
        #expect(outcome.kinds == [.cancelled: 200])
        #expect(outcome.statuses == [200: 800])
    }

    @Test("A3 a rejected refresh is sent once, and all callers get .unauthorized")
    func refused() async throws {
        api.revoke()
        let outcome = try await thousand()
        #expect(api.refreshCount == 1)
        #expect(outcome.statuses == [:])
        #expect(outcome.kinds == [.unauthorized: 1000])
        #expect(store.load() == nil)
    }
}
