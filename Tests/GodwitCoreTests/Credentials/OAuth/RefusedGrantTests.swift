import GodwitCore
import GodwitOAuth
import GodwitTesting
import Testing

@Suite("A3 A5 responses to a refresh that end a session", .timeLimit(.minutes(15)))
struct RefusedGrantTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        let status: Int
        let body: String
        let ends: Bool
        /// The error of the caller if the session continues.
        var kind = NetworkError.Kind.unauthorized

        var testDescription: String { "\(status) \(body)" }
    }

    static let answers = [
        Answer(status: 400, body: #"{"error":"invalid_grant"}"#, ends: true),
        Answer(status: 401, body: #"{"error":"invalid_grant"}"#, ends: true),
        Answer(status: 401, body: "", ends: true),
        Answer(status: 401, body: #"{"error":"token_expired"}"#, ends: true),
        Answer(status: 401, body: #"{"error":"invalid_client"}"#, ends: false, kind: .client(status: 401)),
        Answer(status: 400, body: #"{"error":"invalid_client"}"#, ends: false, kind: .client(status: 400)),
        Answer(status: 400, body: #"{"error":"unauthorized_client"}"#, ends: false, kind: .client(status: 400)),
        Answer(status: 400, body: #"{"error":"invalid_request"}"#, ends: false, kind: .client(status: 400)),
        Answer(status: 400, body: "no", ends: false, kind: .client(status: 400)),
        Answer(status: 403, body: "<html>Blocked</html>", ends: false, kind: .forbidden),
        Answer(status: 404, body: "", ends: false, kind: .notFound),
        Answer(status: 503, body: "", ends: false, kind: .server(status: 503)),
        Answer(status: 200, body: "<html>Sign in to this network</html>", ends: false),
    ]

    private func server(_ answer: Answer) -> ScriptedTransport {
        ScriptedTransport { request throws(NetworkError) in
            guard request.url.path == "/token" else { return .reply(to: request, 401) }
            return .reply(to: request, answer.status, answer.body)
        }
    }

    private func check(_ api: APIClient, _ store: MemoryTokenStore, _ answer: Answer) async {
        let error = await api.failure(of: Endpoint<Void>.get("a"))
        #expect((store.load() == nil) == answer.ends)
        if answer.ends {
            #expect(error?.kind == .unauthorized)
        } else if answer.status != 200 {
            #expect(error?.kind == answer.kind)
        } else {
            guard case .decoding = error?.kind else { Issue.record("\(error as Any)"); return }
        }
    }

    /// What GitHub and Slack answer. To the program's own calls, this is a success that it has to read.
    static let successes = [
        Answer(status: 200, body: #"{"error":"bad_refresh_token","error_description":"expired"}"#, ends: true),
        Answer(status: 200, body: #"{"ok":false,"error":"invalid_refresh_token"}"#, ends: true),
    ]

    @Test("A3 A5 only invalid_grant, and a 401 for the grant, end it: with OAuth 2", arguments: answers + successes)
    func oauth(_ answer: Answer) async throws {
        let store = MemoryTokenStore(AccessToken(access: "a", refresh: "r"))
        let transport = server(answer)
        let endpoints = OAuthServer(tokenURL: try HTTPURL("https://auth.example.com/token"))
        let tokens = OAuth2(endpoints, client: OAuthClient(id: "reader"), over: transport).refresher(store: store)
        await check(articles(transport) { $0.authentication = .credential(.tokens(tokens)) }, store, answer)
    }

    @Test("A3 A5 only invalid_grant, and a 401 for the grant, end it: with another API", arguments: answers)
    func own(_ answer: Answer) async throws {
        struct Pair: Decodable, Sendable {
            var access: String
        }
        let store = MemoryTokenStore(AccessToken(access: "a", refresh: "r"))
        let api = APIClient(baseURL: "https://api.example.com", transport: server(answer)) {
            $0.retry.maximumAttempts = 1
            $0.authentication = .refreshing(store) { api, _ in
                AccessToken(access: try await api.send(Endpoint<Pair>.post("token")).access)
            }
        }
        await check(api, store, answer)
    }

    @Test("A5 a response must name its issuer if the server's metadata announces that")
    func issuer() async throws {
        func metadata(_ flag: String) -> MockTransport {
            MockTransport {
                $0.get("/.well-known/oauth-authorization-server").reply(
                    .text(
                        #"{"issuer":"https://auth.example.com","token_endpoint":"https://auth.example.com/t","#
                            + #""authorization_endpoint":"https://auth.example.com/a""# + flag + "}"))
            }
        }
        let flags = [
            #","authorization_response_iss_parameter_supported":true"#, "",
            #","authorization_response_iss_parameter_supported":"no""#,
        ]
        for (index, flag) in flags.enumerated() {
            let mock = metadata(flag)
            let server = try await OAuthServer.discover(issuer: "https://auth.example.com", over: mock)
            #expect(server.namesIssuer == (index == 0))
            let request = try OAuth2(server, client: OAuthClient(id: "r"), over: mock)
                .authorizationRequest(redirect: "a:/")
            let state = try #require(
                request.url.query?.split(separator: "&").first { $0.hasPrefix("state=") }?.dropFirst(6))
            let plain = Result { try request.code(in: "a:/?code=1&state=\(state)") }
            #expect((try? plain.get()) == nil ? index == 0 : index != 0)
            _ = try request.code(in: "a:/?code=1&state=\(state)&iss=https://auth.example.com")
            for foreign in ["https://evil.example.com", "https://auth.example.com&iss=https://evil.example.com", ""] {
                #expect(throws: NetworkError.self) { try request.code(in: "a:/?code=1&state=\(state)&iss=\(foreign)") }
            }
        }
    }
}
