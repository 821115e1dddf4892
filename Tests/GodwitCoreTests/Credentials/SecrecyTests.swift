import GodwitCore
import GodwitTesting
import Testing

@Suite("A2 secrets stay secret", .timeLimit(.minutes(15)))
struct SecrecyTests {
    private static let token = AccessToken(access: "access-s3cret", refresh: "refresh-s3cret", expiry: .distantFuture)

    enum Kind: CaseIterable, Sendable {
        case bearer, basic, field, queryItem, tokens

        /// Created for each test, as a refresher has state.
        var credential: Credential {
            switch self {
            case .bearer: .bearer("access-s3cret")
            case .basic: .basic(user: "s3cret", password: "s3cret")
            case .field: .apiKey("k-s3cret", field: "X-Mine")
            case .queryItem: .apiKey("k s3cret", queryItem: "appid")
            case .tokens: .tokens(TokenRefresher(store: MemoryTokenStore(token)) { $0 })
            }
        }
    }

    /// Whether a text holds a secret, as it is or as basic authentication writes it.
    private func hasSecret(_ text: String) -> Bool {
        text.contains("s3cret") || text.contains(Data("s3cret:s3cret".utf8).base64EncodedString())
    }

    private func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped]
    }

    @Test("A2 printing a token never shows its secrets")
    func token() {
        let wrapped: [String: AccessToken] = ["current": Self.token]
        let store = MemoryTokenStore(Self.token)
        let holders: [Any] = [
            store, TokenRefresher(store: store) { $0 }, Result<AccessToken, any Error>.success(Self.token),
        ]
        for text in texts(of: Self.token) + texts(of: wrapped) + holders.flatMap(texts) {
            #expect(!hasSecret(text), "\(text)")
        }
    }

    @Test("A1 printing a credential never shows its secret", arguments: Kind.allCases)
    func credential(_ kind: Kind) {
        for text in texts(of: kind.credential) { #expect(!hasSecret(text), "\(text)") }
    }

    @Test("A2 logs, responses and errors don't show it", arguments: Kind.allCases, [200, 401, 500, 0])
    func traffic(_ kind: Kind, status: Int) async throws {
        let messages = Collected<String>()
        let transport = ScriptedTransport { request throws(NetworkError) in
            guard status > 0 else {
                throw NetworkError(.transport(.connectionLost("x")), phase: .receiving, request: request)
            }
            return .reply(to: request, status)
        }
        let origin = try HTTPURL("https://api.example.com").origin
        let api = articles(transport) {
            $0.logging.level = .bodies
            $0.logging.destination = { messages.append($0) }
            $0.middleware.append(Authentication(kind.credential, for: [origin]))
        }
        switch await api.result(of: Endpoint<Void>.get("a")) {
        case .success: #expect(status == 200)
        case .failure(let error):
            #expect(status != 200)
            for text in texts(of: error) { #expect(!hasSecret(text), "\(text)") }
            #expect(error.request.map { hasSecret("\($0.url) \(Array($0.fields.map(\.value)))") } == false)
        }
        #expect(transport.requests.contains { hasSecret("\($0.url) \($0.fields.map(\.value))") })
        // Two for each request, and one more for a call that took several.
        let requests = transport.requests.count
        #expect(messages.values.count == requests * 2 + (requests > 1 ? 1 : 0))
        for message in messages.values { #expect(!hasSecret(message), "\(message)") }
    }
}
