import GodwitCore
import Synchronization
import Testing

@Suite("T8 challenges", .timeLimit(.minutes(15)))
struct ChallengesTests {
    private static let right = PasswordCredential(user: "kuaka", password: "godwit")

    /// Answers with one credential after the other, and keeps what it was asked.
    private final class Answers: CredentialProvider {
        private let state: Mutex<(left: [PasswordCredential], asked: [CredentialQuestion])>

        init(_ credentials: PasswordCredential...) {
            state = Mutex((credentials, []))
        }

        var asked: [CredentialQuestion] { state.withLock(\.asked) }

        func credential(for question: CredentialQuestion) async -> PasswordCredential? {
            state.withLock { state in
                state.asked.append(question)
                return state.left.isEmpty ? nil : state.left.removeFirst()
            }
        }
    }

    private func chain(_ server: GuardedServer, _ provider: some CredentialProvider) -> Chain {
        Chain([Redirects(), Challenges(provider)], over: server.transport)
    }

    private func request(_ url: String = "https://a.example/x/y?z=1", _ method: HTTPMethod = .get) throws -> HTTPRequest
    {
        HTTPRequest(method: method, url: try HTTPURL(url))
    }

    private static let basic = "Basic realm=\"nest\", charset=\"UTF-8\""
    private static func digest(_ algorithm: String) -> String {
        "Digest realm=\"nest\", nonce=\"%n\", qop=\"auth\", algorithm=\(algorithm)"
    }

    @Test(
        "T8 the strongest challenge is answered, in any position",
        arguments: [
            ([basic], "Basic "), ([digest("MD5")], "MD5"), ([basic, digest("MD5")], "MD5"),
            ([digest("MD5"), digest("SHA-256"), basic], "SHA-256"), ([digest("SHA-256"), digest("MD5")], "SHA-256"),
            ([digest("SHA-512-256"), basic], "Basic "), (["Negotiate, " + basic + ", NTLM"], "Basic "),
            (["Bearer realm=\"nest\"", digest("MD5")], "MD5"),
        ])
    func strongest(challenges: [String], mark: String) async throws {
        var rules = GuardedServer.Rules()
        rules.challenges = challenges
        let server = GuardedServer(rules)
        let response = try await chain(server, Answers(Self.right)).send(request())
        #expect(response.head.status == .ok)
        #expect(server.statuses == [false, true])
        #expect(server.requests[1].fields[.authorization]?.contains(mark) == true)
    }

    @Test("T8 the question names the origin, realm and scheme")
    func question() async throws {
        let provider = Answers(Self.right)
        _ = try await chain(GuardedServer(), provider).send(request())
        let origin = try HTTPURL("https://a.example").origin
        #expect(provider.asked == [CredentialQuestion(origin: origin, realm: "nest", scheme: .digest)])
    }

    @Test("T8 an accepted credential is sent without a challenge, and counted", arguments: [basic, digest("SHA-256")])
    func preemptive(challenge: String) async throws {
        var rules = GuardedServer.Rules()
        rules.challenges = [challenge]
        let (server, provider) = (GuardedServer(rules), Answers(Self.right))
        let chain = chain(server, provider)
        for url in ["https://a.example/x/y?z=1", "https://a.example/x/", "https://a.example/x/y/z"] {
            #expect(try await chain.send(request(url)).head.status == .ok)
        }
        #expect(server.statuses == [false, true, true, true])
        #expect(provider.asked.count == 1)
    }

    @Test(
        "T8 a credential is sent without a challenge only to its protection space",
        arguments: [
            (basic, "https://a.example/x/z", true), (basic, "https://a.example/other", false),
            (basic, "https://a.example/", false), (digest("MD5"), "https://a.example/", true),
            (digest("MD5"), "https://a.example:444/x/y", false), (digest("MD5"), "https://b.example/x/y", false),
            (digest("MD5") + ", domain=\"/x/ https://b.example/\"", "https://a.example/x/q", true),
            (digest("MD5") + ", domain=\"/x/ https://b.example/\"", "https://a.example/z", false),
            (digest("MD5") + ", domain=\"/x/ https://b.example/\"", "https://b.example/", false),
        ])
    func spaces(challenge: String, url: String, goesAlong: Bool) async throws {
        var rules = GuardedServer.Rules()
        rules.challenges = [challenge]
        let server = GuardedServer(rules)
        let chain = chain(server, Answers(Self.right))
        _ = try await chain.send(request())
        _ = try await chain.send(request(url))
        #expect(server.requests[2].fields.contains(.authorization) == goesAlong)
    }

    @Test("T8 an old nonce is replaced without asking again")
    func stale() async throws {
        var rules = GuardedServer.Rules()
        rules.usesPerNonce = 2
        let (server, provider) = (GuardedServer(rules), Answers(Self.right))
        let chain = chain(server, provider)
        for _ in 0..<5 { #expect(try await chain.send(request()).head.status == .ok) }
        #expect(provider.asked.count == 1)
        // One unasked 401, and one for each nonce that was used up: after the second and the fourth request.
        #expect(server.requests.count == 5 + 1 + 2)
    }

    @Test("T8 Authentication-Info provides the next nonce")
    func nextNonce() async throws {
        var rules = GuardedServer.Rules()
        rules.usesPerNonce = 1
        rules.namesNextNonce = true
        let server = GuardedServer(rules)
        let chain = chain(server, Answers(Self.right))
        for _ in 0..<5 { #expect(try await chain.send(request()).head.status == .ok) }
        #expect(server.requests.count == 6)
    }

    @Test("T8 after a refusal, the provider is asked again, three times in total")
    func refused() async throws {
        let wrong = PasswordCredential(user: "kuaka", password: "wrong")
        let provider = Answers(wrong, wrong, wrong, Self.right)
        let server = GuardedServer()
        let response = try await chain(server, provider).send(request())
        #expect(response.head.status == .unauthorized)
        #expect(provider.asked.map(\.failureCount) == [0, 1, 2])
        #expect(server.requests.count == 4)
        let second = Answers(wrong, Self.right)
        #expect(try await chain(GuardedServer(), second).send(request()).head.status == .ok)
        #expect(second.asked.map(\.failureCount) == [0, 1])
    }

    @Test("T8 a credential that is refused later is removed, and the provider is asked again")
    func changed() async throws {
        let provider = Answers(Self.right, Self.right)
        let isLocked = Atomic(false)
        let server = GuardedServer()
        let transport = ScriptedTransport { request throws(NetworkError) in
            guard isLocked.load(ordering: .relaxed), request.fields.contains(.authorization) else {
                return server.answer(request)
            }
            isLocked.store(false, ordering: .relaxed)
            return server.answer(HTTPRequest(url: request.url))
        }
        let chain = Chain([Challenges(provider)], over: transport)
        _ = try await chain.send(request())
        isLocked.store(true, ordering: .relaxed)
        #expect(try await chain.send(request()).head.status == .ok)
        #expect(provider.asked.map(\.failureCount) == [0, 1])
    }

    @Test("T8 without a credential or a supported challenge, the 401 is returned with its body")
    func unanswered() async throws {
        let none = try await chain(GuardedServer(), Answers()).send(request())
        #expect(none.head.status == .unauthorized)
        #expect(try await none.body.text() == "who are you?")
        var rules = GuardedServer.Rules()
        rules.challenges = ["Negotiate", "Bearer realm=\"x\""]
        let provider = Answers(Self.right)
        #expect(try await chain(GuardedServer(rules), provider).send(request()).head.status == .unauthorized)
        #expect(provider.asked.isEmpty)
    }

    @Test(
        "T8 credentials are sent only over https and to this machine",
        arguments: [
            ("https://a.example/", true), ("http://localhost:8080/", true), ("http://127.0.0.1/", true),
            ("http://a.example/", false), ("http://10.0.0.1/", false),
        ])
    func plaintext(url: String, isAsked: Bool) async throws {
        let (server, provider) = (GuardedServer(), Answers(Self.right))
        _ = try await chain(server, provider).send(request(url))
        #expect(provider.asked.isEmpty == !isAsked)
        #expect(server.requests.contains { $0.fields.contains(.authorization) } == isAsked)
    }

    @Test("T8 a redirect to another origin drops the credential, and its 401 is a new question")
    func redirect() async throws {
        let server = GuardedServer()
        let transport = ScriptedTransport { request throws(NetworkError) in
            let answer = server.answer(request)
            guard request.url.host == "a.example", answer.head.status == .ok else { return answer }
            return .redirect(of: request, 307, to: "https://b.example/x/y")
        }
        let provider = Answers(Self.right, Self.right)
        let response = try await Chain([Redirects(), Challenges(provider)], over: transport).send(request())
        #expect(response.head.status == .ok)
        #expect(server.statuses == [false, true, false, true])
        #expect(provider.asked.map(\.origin.host) == ["a.example", "b.example"])
    }

    @Test("T8 a body that isn't replayable is not sent again")
    func body() async throws {
        let provider = Answers(Self.right)
        let server = GuardedServer()
        var once = try request("https://a.example/", .post)
        once.body = .stream(once: AsyncStream<Data> { $0.finish() })
        #expect(try await chain(server, provider).send(once).head.status == .unauthorized)
        #expect(server.requests.count == 1 && provider.asked.isEmpty)
        var again = try request("https://a.example/", .post)
        again.body = "content"
        #expect(try await chain(server, provider).send(again).head.status == .ok)
        #expect(try await server.requests[2].body?.text() == "content")
    }

    @Test("T8 a request with its own Authorization, or without authentication, passes unchanged")
    func own() async throws {
        let provider = Answers(Self.right)
        var own = try request()
        own.fields[.authorization] = "Bearer mine"
        #expect(try await chain(GuardedServer(), provider).send(own).head.status == .unauthorized)
        var none = try request()
        none.options.authentication = .none
        #expect(try await chain(GuardedServer(), provider).send(none).head.status == .unauthorized)
        #expect(provider.asked.isEmpty)
    }

    @Test("T8 a 407 is returned as is")
    func proxy() async throws {
        let transport = ScriptedTransport(407, "", ["Proxy-Authenticate": "Basic realm=\"nest\""])
        let provider = Answers(Self.right)
        let response = try await Chain([Challenges(provider)], over: transport).send(request())
        #expect(response.head.status.code == 407)
        #expect(provider.asked.isEmpty && transport.requests.count == 1)
    }

    @Test("T8 an invalid credential throws .invalidRequest", arguments: [basic, digest("MD5")])
    func unusable(challenge: String) async throws {
        var rules = GuardedServer.Rules()
        rules.challenges = [challenge]
        let chain = chain(GuardedServer(rules), Answers(PasswordCredential(user: "a\r\nb", password: "c")))
        let error = await #expect(throws: NetworkError.self) { try await chain.send(request()) }
        let isInvalidRequest = if case .invalidRequest = error?.kind { true } else { false }
        #expect(isInvalidRequest, "\(String(describing: error))")
    }

    @Test("T8 responses and errors don't show the credential")
    func concealed() async throws {
        let response = try await chain(GuardedServer(), Answers(Self.right)).send(request())
        #expect(response.request.fields[.authorization] == "redacted")
        let transport = ScriptedTransport { request throws(NetworkError) in
            guard request.fields.contains(.authorization) else {
                return .reply(to: request, 401, "", [.wwwAuthenticate: Self.basic])
            }
            throw NetworkError(.timedOut(.inactivity), phase: .sending, request: request)
        }
        let failing = Chain([Challenges(Answers(Self.right))], over: transport)
        let error = await #expect(throws: NetworkError.self) { try await failing.send(request()) }
        #expect(error?.request?.fields[.authorization] == "redacted")
        #expect(error?.attempt == 2)
    }

    @Test("T8 concurrent requests all succeed, each with its own nonce count")
    func concurrent() async throws {
        let server = GuardedServer()
        let chain = chain(server, CredentialTable())
        _ = try await chain.send(request())
        let statuses = try await (0..<200).concurrentMap(limit: 32) { _ in try await chain.send(request()).head.status }
        #expect(statuses.allSatisfy { $0 == .ok })
        let used = server.requests.compactMap { $0.fields[.authorization] }
        #expect(Set(used).count == used.count)
    }

    private struct CredentialTable: CredentialProvider {
        func credential(for question: CredentialQuestion) async -> PasswordCredential? { ChallengesTests.right }
    }
}
