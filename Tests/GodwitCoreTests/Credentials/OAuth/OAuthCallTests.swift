import GodwitCore
import GodwitOAuth
import GodwitTesting
import Testing

@Suite("A5 calls to an authorization server", .timeLimit(.minutes(15)))
struct OAuthCallTests {
    private static let start = Date(timeIntervalSince1970: 1_000_000)

    private func oauth(
        _ mock: MockTransport, secret: String? = nil, in placement: OAuthClient.SecretPlacement = .header,
        at base: String = "https://auth.example.com"
    ) throws -> OAuth2 {
        let server = OAuthServer(
            tokenURL: try HTTPURL("\(base)/token"), authorizationURL: try HTTPURL("\(base)/authorize?tenant=1"),
            deviceAuthorizationURL: try HTTPURL("\(base)/device"), revocationURL: try HTTPURL("\(base)/revoke"))
        let client = OAuthClient(id: "a:b", secret: secret, secretIn: placement)
        return OAuth2(server, client: client, over: mock, now: { Self.start })
    }

    @Test("A5 the page's URL has the parameters of RFC 6749 and RFC 7636, and keeps the server's query")
    func page() throws {
        var bytes = ReplayedBytes(Array(0..<64))
        let request = try oauth(MockTransport { _ in }).authorizationRequest(
            redirect: "com.example:/back", scopes: ["a", "b"], parameters: ["prompt": "login"], using: &bytes)
        #expect(
            request.url.absoluteString
                == "https://auth.example.com/authorize?tenant=1&response_type=code&redirect_uri=com.example:/back"
                + "&client_id=a:b&scope=a%20b&prompt=login&state=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
                + "&code_challenge=zwkx4Wi0nph1A8rxivb-JTtrPYKoEAjD6OHuZ8fI3FU&code_challenge_method=S256")
    }

    @Test("A5 the code of the redirect is exchanged with the verifier and the same redirect")
    func exchange() async throws {
        let mock = MockTransport { $0.post("/token").reply(json: ["access_token": "at", "token_type": "bearer"]) }
        let oauth = try oauth(mock)
        let request = try oauth.authorizationRequest(redirect: "com.example:/back")
        let state = try #require(Self.item("state", of: request.url))
        let code = try request.code(in: "com.example:/back?code=c%201&state=\(state)#_=_")
        #expect(try await oauth.token(for: code).token == AccessToken(access: "at", type: "bearer"))
        let form = try #require(mock.requests.first?.text)
        #expect(
            form.hasPrefix("grant_type=authorization_code&code=c+1&redirect_uri=com.example%3A%2Fback&code_verifier="))
        #expect(form.hasSuffix("&client_id=a%3Ab"))
        let verifier = try #require(form.split(separator: "code_verifier=").last?.prefix { $0 != "&" })
        #expect(PKCE(verifier: String(verifier))?.challenge == Self.item("code_challenge", of: request.url))
    }

    @Test("A5 another state is refused, a refusal is .unauthorized with the server's message")
    func refusedAnswers() throws {
        let request = try oauth(MockTransport { _ in }).authorizationRequest(redirect: "a:/")
        #expect(throws: NetworkError.self) { try request.code(in: "a:/?code=1&state=x") }
        let state = try #require(Self.item("state", of: request.url))
        let error = #expect(throws: NetworkError.self) {
            try request.code(in: "a:/?error=access_denied&error_description=no&state=\(state)")
        }
        #expect(error?.kind == .unauthorized)
        #expect(error?.underlying as? OAuthError == OAuthError(code: "access_denied", detail: "no"))
    }

    @Test(
        "A5 the client's secret is sent in the header, in the form, or not at all",
        arguments: [
            (nil, .header, nil, "grant_type=client_credentials&scope=x&client_id=a%3Ab"),
            ("p/ +", .header, "Basic YSUzQWI6cCUyRislMkI=", "grant_type=client_credentials&scope=x"),
            ("p/ +", .form, nil, "grant_type=client_credentials&scope=x&client_id=a%3Ab&client_secret=p%2F+%2B"),
        ] as [(String?, OAuthClient.SecretPlacement, String?, String)])
    func client(
        secret: String?, placement: OAuthClient.SecretPlacement, header: String?, form: String
    ) async throws {
        let mock = MockTransport { $0.post("/token").reply(json: ["access_token": "at"]) }
        _ = try await oauth(mock, secret: secret, in: placement).clientCredentials(scopes: ["x"])
        #expect(mock.requests.map(\.text) == [form])
        #expect(mock.requests.map { $0.fields[.authorization] } == [header])
        #expect(mock.requests.map { $0.fields[.contentType] } == ["application/x-www-form-urlencoded"])
    }

    @Test(
        "A5 lifetimes are numbers or strings, counted from now; invalid ones are ignored",
        arguments: [
            (JSONValue.integer(60), 60.0), ("90", 90), (.integer(-1), nil), ("soon", nil), ("nan", nil),
            (.integer(1 << 62), 3_155_760_000),
        ] as [(JSONValue, Double?)])
    func lifetimes(value: JSONValue, seconds: Double?) async throws {
        let mock = MockTransport {
            $0.post("/token").reply(json: ["access_token": "at", "expires_in": value, "scope": "a b"])
        }
        let response = try await oauth(mock).clientCredentials()
        #expect(response.token.expiry == seconds.map(Self.start.addingTimeInterval))
        #expect(response.scopes == ["a", "b"])
    }

    @Test("A5 a refresh keeps the old refresh token if the server sends no new one")
    func refresh() async throws {
        let mock = MockTransport {
            $0.post("/token").replies([
                .json(["access_token": "2"]), .json(["access_token": "3", "refresh_token": "r3"]),
            ])
        }
        let oauth = try oauth(mock)
        let second = try await oauth.refresh(AccessToken(access: "1", refresh: "r1")).token
        #expect(second.refresh == "r1")
        #expect(try await oauth.refresh(second).token.refresh == "r3")
        let form = "grant_type=refresh_token&refresh_token=r1&client_id=a%3Ab"
        #expect(mock.requests.map(\.text) == [form, form])
        let error = await #expect(throws: NetworkError.self) { try await oauth.refresh(AccessToken(access: "4")) }
        #expect(error?.kind == .unauthorized)
    }

    @Test(
        "A5 the server's refusals",
        arguments: [
            ("invalid_grant", 400, NetworkError.Kind.unauthorized), ("invalid_client", 401, .unauthorized),
            ("invalid_scope", 400, .client(status: 400)), ("access_denied", 500, .server(status: 500)),
            ("bad_verification_code", 200, .unauthorized), ("incorrect_client_credentials", 200, .unauthorized),
            ("temporarily_unavailable", 200, .operationFailed),
        ])
    func refusals(code: String, status: Int, kind: NetworkError.Kind) async throws {
        let status = try #require(HTTPStatus(status))
        let mock = MockTransport {
            $0.post("/token").reply(.json(["error": .string(code), "error_description": "why"], status: status))
        }
        let error = await #expect(throws: NetworkError.self) { try await oauth(mock).clientCredentials() }
        #expect(error?.kind == kind)
        #expect(error?.underlying as? OAuthError == OAuthError(code: code, detail: "why"))
    }

    @Test(
        "A5 what can't be sent as a bearer token is refused, and the error names the member",
        arguments: [
            ("access_token", ""), ("access_token", "a\r\nX: y"), ("access_token", "  "), ("access_token", "\u{E9}"),
            ("refresh_token", "a\nb"), ("token_type", "mac"), ("token_type", "DPoP"),
        ])
    func unusableTokens(member: String, value: String) async throws {
        var answer: [String: JSONValue] = ["access_token": "at", "token_type": "Bearer", "refresh_token": "rt"]
        answer[member] = .string(value)
        let mock = MockTransport { [answer] in $0.post("/token").reply(json: .object(answer)) }
        let store = MemoryTokenStore(AccessToken(access: "1", refresh: "r1"))
        let oauth = try oauth(mock)
        let error = await #expect(throws: NetworkError.self) {
            try await oauth.refresh(AccessToken(access: "1", refresh: "r1"))
        }
        guard case .decoding(let failure) = error?.kind else { Issue.record("\(error as Any)"); return }
        #expect(failure.path == member)
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.authentication = .credential(.tokens(oauth.refresher(store: store)))
        }
        _ = await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Void>.get("a")) }
        #expect(store.load() == AccessToken(access: "1", refresh: "r1"))
    }

    @Test("A5 plain http is refused before anything is sent, except to this machine")
    func plaintext() async throws {
        let mock = MockTransport { $0.post("/token").reply(json: ["access_token": "at"]) }
        let remote = try oauth(mock, at: "http://auth.example.com")
        let insecure = NetworkError.Kind.insecure(.plaintext(host: "auth.example.com"))
        #expect(await #expect(throws: NetworkError.self) { try await remote.clientCredentials() }?.kind == insecure)
        #expect(
            #expect(throws: NetworkError.self) { try remote.authorizationRequest(redirect: "a:/") }?.kind == insecure)
        #expect(mock.requests.isEmpty)
        _ = try await oauth(mock, at: "http://127.0.0.1:1").clientCredentials()
    }

    @Test("A5 an endpoint that the server lacks is .unsupported")
    func missing() async throws {
        let mock = MockTransport { _ in }
        let server = OAuthServer(tokenURL: try HTTPURL("https://a.com/token"))
        let oauth = OAuth2(server, client: OAuthClient(id: "a"), over: mock)
        let kinds = [
            await #expect(throws: NetworkError.self) { try await oauth.deviceAuthorization() }?.kind,
            await #expect(throws: NetworkError.self) { try await oauth.revoke(AccessToken(access: "1")) }?.kind,
            #expect(throws: NetworkError.self) { try oauth.authorizationRequest(redirect: "a:/") }?.kind,
        ]
        for (kind, feature) in zip(kinds, ["device authorization", "revocation", "an authorization page"]) {
            #expect(kind == .unsupported(feature: feature, on: "this authorization server"))
        }
    }

    @Test(
        "A5 A2 no error shows a secret, whatever the server answers",
        arguments: [
            "access_token=s3cret&token_type=bearer", #"{"access_token":["s3cret"]}"#, #"{"token":"s3cret"}"#, "s3cret",
            #"{"access_token":"a","expires_in":{"s3cret":1}}"#, "",
        ], [HTTPStatus.ok, .badRequest])
    func secrecy(answer: String, status: HTTPStatus) async throws {
        let mock = MockTransport { $0.post("/token").reply(.text(answer, status: status)) }
        let oauth = try oauth(mock, secret: "s3cret")
        let error = await #expect(throws: NetworkError.self) {
            try await oauth.refresh(AccessToken(access: "s3cret", refresh: "s3cret"))
        }
        var dumped = ""
        dump(error, to: &dumped)
        for text in ["\(error as Any)", String(reflecting: error), dumped] { #expect(!text.contains("s3cret")) }
        #expect(error?.request?.body == nil)
        #expect(error?.body == nil)
    }

    @Test("A5 A2 descriptions leave out the secrets")
    func descriptions() async throws {
        let mock = MockTransport {
            $0.post("/token").reply(json: ["access_token": "s3cret", "refresh_token": "s3cret", "id_token": "s3cret"])
            $0.post("/device").reply(
                json: [
                    "device_code": "s3cret", "user_code": "s3cret", "verification_uri": "https://a", "expires_in": 9,
                ])
        }
        let oauth = try oauth(mock, secret: "s3cret")
        let request = try oauth.authorizationRequest(redirect: "a:/")
        let state = try #require(Self.item("state", of: request.url))
        let values: [Any] = [
            oauth, oauth.client, try await oauth.clientCredentials(), try await oauth.deviceAuthorization(), request,
            try request.code(in: "a:/?code=s3cret&state=\(state)"),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!text.contains("s3cret") && !text.contains(state))
            }
        }
    }

    @Test("A5 A2 a log of whole bodies shows neither codes, verifiers, tokens nor secrets")
    func logs() async throws {
        let mock = MockTransport {
            $0.post("/token").reply(json: ["access_token": "s3cret", "refresh_token": "s3cret", "expires_in": 1])
            $0.post("/device").reply(
                json: [
                    "device_code": "s3cret", "user_code": "s3cret", "verification_uri": "https://a", "expires_in": 9,
                ])
        }
        let messages = Watched("")
        var options = LogOptions(level: .bodies)
        options.destination = { text in messages.update { $0 += text } }
        let server = OAuthServer(
            tokenURL: try HTTPURL("https://a.com/token"), deviceAuthorizationURL: try HTTPURL("https://a.com/device"))
        let client = OAuthClient(id: "a", secret: "s3cret", secretIn: .form)
        let oauth = OAuth2(server, client: client, over: Chain([Logging(options)], over: mock))
        _ = try await oauth.token(for: AuthorizationCode(value: "s3cret", redirect: "a:/", verifier: "s3cret"))
        _ = try await oauth.refresh(AccessToken(access: "s3cret", refresh: "s3cret"))
        _ = try await oauth.deviceAuthorization()
        #expect(messages.value.contains("grant_type=authorization_code"))
        #expect(messages.value.contains("expires_in"))
        #expect(!messages.value.contains("s3cret"), "\(messages.value)")
    }

    @Test(
        "A5 endpoints are discovered by RFC 8414, or else OpenID Connect, also for an issuer with a path",
        arguments: [
            ("https://a.com", "/.well-known/oauth-authorization-server"),
            ("https://a.com/t/1", "/.well-known/oauth-authorization-server/t/1"),
            ("https://a.com/t/1/", "/.well-known/oauth-authorization-server/t/1"),
            ("https://a.com", "/.well-known/openid-configuration"),
            ("https://a.com/t/1/", "/t/1/.well-known/openid-configuration"),
        ])
    func discovery(issuer: String, path: String) async throws {
        let mock = MockTransport { routes in
            routes.get("/*").reply { request in
                guard request.path == path else { return .status(.notFound) }
                return .json(["issuer": .string(issuer), "token_endpoint": "https://a.com/token"])
            }
        }
        let server = try await OAuthServer.discover(issuer: issuer, over: mock)
        #expect(server == OAuthServer(tokenURL: try HTTPURL("https://a.com/token"), issuer: issuer))
    }

    @Test("A5 metadata of another issuer, and a response that isn't metadata, are refused")
    func foreignMetadata() async throws {
        let mock = MockTransport {
            $0.get("/*").replies([
                .json(["issuer": "https://evil.com", "token_endpoint": "https://evil.com/token"]), .text("hello"),
                .status(.internalServerError),
            ])
        }
        var kinds: [NetworkError.Kind?] = []
        for _ in 0..<3 {
            kinds.append(
                await #expect(throws: NetworkError.self) {
                    try await OAuthServer.discover(issuer: "https://a.com", over: mock)
                }?.kind)
        }
        #expect(kinds[0] == .invalidResponse(reason: "the metadata belongs to another issuer, https://evil.com"))
        guard case .decoding = kinds[1] else { Issue.record("\(kinds)"); return }
        #expect(kinds[2] == .server(status: 500))
    }

    @Test("A5 revocation starts with the refresh token")
    func revocation() async throws {
        let mock = MockTransport { $0.post("/revoke").reply(.text("")) }
        try await oauth(mock).revoke(AccessToken(access: "a1", refresh: "r1"))
        #expect(
            mock.requests.map(\.text) == [
                "token=r1&token_type_hint=refresh_token&client_id=a%3Ab",
                "token=a1&token_type_hint=access_token&client_id=a%3Ab",
            ])
    }

    private static func item(_ name: String, of url: HTTPURL) -> String? {
        url.query?.split(separator: "&").first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }
}
