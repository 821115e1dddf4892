import Godwit
import GodwitTesting
import Synchronization
import Testing

@Suite("Recipes: accounts and trust")
struct AccountRecipes {
    private let base = "https://api.example.com"

    private func folder() throws -> URL {
        let folder = URL(filePath: "/tmp/godwit-recipe-\(UInt64.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
    }

    @Test("A key for the client's own origin")
    func credential() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        let key = "k3y"
        // snippet: recipe-A1
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.authentication = .credential(.apiKey(key, field: "X-API-Key"))  // .bearer, .basic, .tokens
        }
        try await api.send(.export)
        try await api.send(.export.unauthenticated())  // without the key
        // end
        #expect(transport.requests.map { $0.fields["X-API-Key"] } == [key, nil])
    }

    @Test("A token that is kept")
    func store() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "token")
        let token = AccessToken(access: "s3cret")
        // snippet: recipe-A2
        let store = FileTokenStore(at: file)  // 0600; SecretServiceTokenStore, KeychainTokenStore, MemoryTokenStore
        try store.save(token)
        let kept = try store.load()
        print(kept == token, "\(token)")  // the description shows no secret
        // end
        #expect(kept == token)
        #expect(!"\(token)".contains("s3cret"))
    }

    @Test("Many calls meet an expired token, and one refreshes it")
    func refresh() async throws {
        let transport = MockTransport { route in
            route.post("/refresh").reply(json: ["access": "new", "type": "Bearer"])
            route.any("*").where { $0.fields[.authorization] == "Bearer new" }.reply(.status(.noContent))
            route.any("*").reply(.status(401))
        }
        // snippet: recipe-A3
        let store = MemoryTokenStore(AccessToken(access: "old", refresh: "r1"))
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.authentication = .refreshing(store) { api, old in
                try await api.send(.refreshed(old))  // an endpoint that is .unauthenticated()
            }
        }
        _ = try await (1...8).concurrentMap(limit: 8) { _ in try await api.send(.export) }
        // end
        #expect(transport.requests.matching(.post, "/refresh").count == 1)
        #expect(store.load()?.access == "new")
    }

    @Test("Signing out forgets it all")
    func signOut() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        let store = MemoryTokenStore()
        let token = AccessToken(access: "one")
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.authentication = .refreshing(store) { _, old in old }
        }
        // snippet: recipe-A4
        try await api.signIn(token)  // what your login endpoint returned
        try await api.send(.export)  // Authorization: Bearer …
        try await api.signOut()  // removes token, cookies, cache, models and passwords
        // hidden
        let error = await thrownError {
            // shown
            try await api.send(.export)  // throws .unauthorized, and nothing is sent
            // hidden
        }
        // end
        #expect(error?.kind == .unauthorized)
        #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer one"])
    }

    @Test("An app that shows its login when the session ends, and keeps its tokens in a vault")
    func session() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        let store = MemoryTokenStore(AccessToken(access: "one"))
        let vault = MemoryTokenStore(AccessToken(access: "two"))
        let shown = Mutex<[String]>([])
        let showLogin: @Sendable (AccountSession.End) -> Void = { reason in shown.withLock { $0.append("\(reason)") } }
        // snippet: recipe-A6
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.authentication = .refreshing(store) { try await $0.send(.refreshed($1)) }
        }
        let login = Task {
            for await state in api.session {  // .signedIn, .refreshing, .ended; the current one first
                if case .ended(let reason) = state { showLogin(reason) }
            }
        }
        try await api.send(.export)
        try await api.signOut()

        let other = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.authentication = .credential { try await vault.token() }  // asked for each call, and after a 401
        }
        try await other.send(.export)
        // end
        while shown.withLock({ $0.isEmpty }) { await Task.yield() }
        login.cancel()
        #expect(shown.withLock { $0 } == ["signed out"])
        #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer one", "Bearer two"])
    }

    @Test("OAuth 2 for a program")
    func oauth() async throws {
        let transport = MockTransport {
            $0.post("/token").reply(json: ["access_token": "one", "token_type": "Bearer", "expires_in": 3600])
        }
        let secret = "s3cret"
        // snippet: recipe-A5
        let server = OAuthServer(tokenURL: try HTTPURL("https://auth.example.com/token"))  // or .discover(issuer:over:)
        let oauth = OAuth2(server, client: OAuthClient(id: "reader", secret: secret), over: transport)
        let response = try await oauth.clientCredentials(scopes: ["articles"])
        // a person: oauth.signIn(…) with PKCE; another device: oauth.deviceAuthorization(…)
        // end
        #expect(response.token.access == "one")
        #expect(transport.requests[0].text.contains("grant_type=client_credentials"))
    }

    @Test("An authority of a host's own")
    func authorities() throws {
        let file = URL(filePath: "/tmp/godwit-no-such-ca.pem")
        let error = #expect(throws: NetworkError.self) {
            // snippet: recipe-S1
            let transport = try CurlTransport {
                $0.tls.authorities["dev.example.com"] = .adding(.file(file))  // or .only
            }
            // end
            _ = transport
        }
        guard case .insecure(.configuration) = error?.kind else { throw RecipeFailure("a missing file was taken") }
    }

    @Test("Keys that a host must have")
    func pins() throws {
        let current = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        let backup = "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="
        // snippet: recipe-S2
        let api = APIClient(baseURL: "https://api.example.com") {
            $0.pins["api.example.com"] = [.sha256(current), .sha256(backup)]
            $0.pins[domain: "cdn.example.com"] = PinSet([.sha256(current), .sha256(backup)]).reportingOnly { print($0) }
        }
        // end
        #expect(api.configuration.pins.value(for: "api.example.com")?.expirationDate == nil)
        #expect(api.configuration.pins.value(for: "img.cdn.example.com")?.isReportOnly == true)
        #expect(throws: NetworkError.self) {
            try CurlTransport { $0.tls.pins["api.example.com"] = [.sha256(current)] }
        }
    }

    @Test("Plain http only where it is named")
    func plaintext() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        // snippet: recipe-S3
        // hidden: , transport: transport
        let printer = APIClient(baseURL: "http://printer.example", transport: transport) {
            $0.plaintextHosts = ["printer.example"]
        }
        // hidden: , transport: transport
        let other = APIClient(baseURL: "http://api.example.com", transport: transport)
        // hidden
        let error = await thrownError {
            // shown
            try await other.send(.export)  // throws .insecure(.plaintext), and nothing is sent
            // hidden
        }
        // end
        try await printer.send(.export)
        #expect(error?.kind == .insecure(.plaintext(host: "api.example.com")))
        #expect(transport.requestCount == 1)
    }

    @Test("A certificate of the client's own")
    func certificate() throws {
        let (certificate, key) = (URL(filePath: "/tmp/godwit-none.pem"), URL(filePath: "/tmp/godwit-none.key"))
        let error = #expect(throws: NetworkError.self) {
            // snippet: recipe-S4
            let transport = try CurlTransport {
                $0.tls.clientCertificates["partner.example"] = .pem(certificate: .file(certificate), key: .file(key))
            }
            // end
            _ = transport
        }
        guard case .insecure(.configuration) = error?.kind else { throw RecipeFailure("missing files were taken") }
    }

    @Test("Cookies go back to who set them")
    func cookies() async throws {
        let transport = MockTransport {
            $0.post("/login").reply(.status(.noContent).field(.setCookie, "session=1; Secure; HttpOnly; Path=/"))
            $0.get("/export").reply(.status(.noContent))
        }
        // snippet: recipe-K1
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport)  // a jar in memory, by default
        try await api.send(Endpoint<Void>.post("login"))  // Set-Cookie: session=1; Secure; HttpOnly
        try await api.send(.export)  // Cookie: session=1
        // end
        #expect(transport.requests.map { $0.fields[.cookie] } == [nil, "session=1"])
    }

    @Test("Which cookies are kept, and looking at them")
    func policy() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        // snippet: recipe-K2
        let jar = CookieJar(accepting: .ownSite)  // .always by default, or .never
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.cookies = .jar(jar) }
        try jar.add(Cookie(name: "theme", value: "dark", domain: "api.example.com"))
        try await api.send(.export.cookies(.off))  // neither sends nor keeps any
        print(jar.cookies(for: try HTTPURL("https://api.example.com/")).map(\.name))  // ["theme"]
        jar.delete(domain: "example.com")
        // end
        #expect(transport.requests.map { $0.fields[.cookie] } == [nil])
        #expect(jar.cookies.isEmpty)
    }

    @Test("Cookies that survive the program")
    func persistent() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "cookies.json")
        // snippet: recipe-K3
        let jar = try CookieJar(file: CookieFile(file), suffixes: PublicSuffixList())
        let api = APIClient(baseURL: "https://api.example.com") { $0.cookies = .jar(jar) }
        try jar.save()  // before the process ends
        // end
        #expect(api.cookieJar === jar)
    }
}

extension MemoryTokenStore {
    fileprivate func token() async throws -> AccessToken {
        guard let token = load() else { throw RecipeFailure("the vault is empty") }
        return token
    }
}

extension Endpoint {
    fileprivate static func refreshed(_ old: AccessToken) -> Endpoint<AccessToken> {
        .post("refresh", body: .json(["refresh": old.refresh])).unauthenticated()
    }
}
