import Godwit
import GodwitOAuth
import GodwitSigning
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
            $0.authentication = .credential(.apiKey(key, field: "X-API-Key"))  // or .bearer, .basic, .tokens
        }
        try await api.send(.export)
        try await api.send(.export.unauthenticated())  // without the key
        // end
        #expect(transport.requests.map { $0.fields["X-API-Key"] } == [key, nil])
    }

    @Test("A token is stored on disk")
    func store() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "token")
        let token = AccessToken(access: "s3cret")
        // snippet: recipe-A2
        let store = FileTokenStore(at: file)  // or SecretServiceTokenStore, KeychainTokenStore, MemoryTokenStore
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.authentication = .refreshing(store) { api, old in try await api.send(.refresh(old)) }
        }
        try await api.signIn(token)  // writes the file, mode 0600
        // end
        #expect(try store.load() == token)
        #expect(!"\(token)".contains("s3cret"))
    }

    @Test("Many calls meet an expired token, and one refreshes it")
    func refresh() async throws {
        let transport = MockTransport { route in
            route.post("/refresh").reply(json: ["access": "new", "type": "Bearer"])
            route.any("*").where { $0.fields[.authorization] == "Bearer new" }.reply(.status(.noContent))
            route.any("*").reply(.status(401))
        }
        let store = MemoryTokenStore(AccessToken(access: "old", refresh: "r1"))
        // snippet: recipe-A3
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.authentication = .refreshing(store) { api, old in
                try await api.send(.refresh(old))  // your refresh endpoint, marked .unauthenticated()
            }
        }
        // end
        _ = try await (1...8).concurrentMap(limit: 8) { _ in try await api.send(.export) }
        #expect(transport.requests.matching(.post, "/refresh").count == 1)
        #expect(store.load()?.access == "new")
    }

    @Test("Several processes change one file")
    func sharedFile() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "notes")
        let note = "seen"
        // snippet: recipe-A9
        let notes = PrivateFile(file)
        try notes.change { data in data = (data ?? Data()) + Data("\(note)\n".utf8) }
        // end
        try notes.change { data in data = (data ?? Data()) + Data("again\n".utf8) }
        #expect(try notes.read() == Data("seen\nagain\n".utf8))
    }

    @Test("Signing out removes everything of the account")
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
            try await api.send(.export)  // throws .unauthorized without sending anything
            // hidden
        }
        // end
        #expect(error?.kind == .unauthorized)
        #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer one"])
    }

    @Test("An app shows its login screen when the session ends")
    func session() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        let store = MemoryTokenStore(AccessToken(access: "one"))
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.authentication = .refreshing(store) { try await $0.send(.refresh($1)) }
        }
        var shown: [String] = []
        func showLogin(_ reason: AccountSession.End) { shown.append("\(reason)") }
        try await api.signOut()
        // snippet: recipe-A6
        for await state in api.session {  // the current state first: .signedIn, .refreshing or .ended
            if case .ended(let reason) = state { showLogin(reason) }
            // hidden
            break
            // shown
        }
        // end
        #expect(shown == ["signed out"])
    }

    @Test("OAuth 2 with and without a browser")
    func oauth() async throws {
        let transport = MockTransport {
            $0.get("/.well-known/oauth-authorization-server").reply(json: [
                "issuer": "https://auth.example.com", "authorization_endpoint": "https://auth.example.com/authorize",
                "token_endpoint": "https://auth.example.com/token",
            ])
            $0.post("/token").reply(json: ["access_token": "one", "token_type": "Bearer", "expires_in": 3600])
        }
        let showInBrowser: @Sendable (HTTPURL) -> Void = { page in
            let items = URLComponents(string: page.absoluteString)?.queryItems ?? []
            let browser = APIClient(baseURL: items.first { $0.name == "redirect_uri" }?.value ?? "")
            let query: QueryItems = ["code": "c0de", "state": items.first { $0.name == "state" }?.value]
            Task { try await browser.send(Endpoint<String>.get("", query: query)) }
        }
        // snippet: recipe-A5
        // transport: SocketTransport() on Linux, URLSessionTransport() on Apple platforms
        let server = try await OAuthServer.discover(issuer: "https://auth.example.com", over: transport)
        let oauth = OAuth2(server, client: OAuthClient(id: "reader"), over: transport)
        let response = try await oauth.signIn(scopes: ["articles"]) { page in showInBrowser(page) }
        // without a browser: oauth.deviceAuthorization(…), or oauth.clientCredentials(…) for a server
        // end
        #expect(response.token.access == "one")
        #expect(transport.requests.last?.text.contains("code=c0de") == true)
    }

    @Test("Tokens that are bound to a key")
    func boundTokens() async throws {
        let folder = try folder()
        let (keyFile, tokenFile) = (folder.appending(path: "key"), folder.appending(path: "token"))
        let server = OAuthServer(tokenURL: try HTTPURL("https://auth.example.com/token"))
        let transport = MockTransport {
            $0.post("/token").reply(json: ["access_token": "one", "token_type": "DPoP"])
        }
        // snippet: recipe-A7
        let dpop = DPoP(try await DPoPKey.stored(in: FileTokenStore(at: keyFile)))
        let oauth = OAuth2(server, client: OAuthClient(id: "reader"), over: transport, dpop: dpop)
        let tokens = oauth.refresher(store: FileTokenStore(at: tokenFile))
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.authentication = .credential(.tokens(tokens))
            $0.attemptMiddleware.append(dpop)
        }
        // end
        try await tokens.signIn(oauth.clientCredentials().token)
        #expect(try await tokens.token().type == "DPoP")
        _ = api
    }

    @Test("Signatures of messages and of AWS")
    func signing() async throws {
        let pem = try #require(try SigningKey.generate().pem)
        let credentials = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "k3y")
        // snippet: recipe-A8
        let key = try SigningKey(pem: pem, id: "reader-2026")  // Ed25519, P-256 or RSA
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.attemptMiddleware.append(MessageSigning(key, for: "https://api.example.com"))
        }
        let aws = AWSSigner(service: "s3", region: "eu-central-1") { credentials }
        let bucket = APIClient(baseURL: "https://tides.s3.eu-central-1.amazonaws.com") {
            $0.attemptMiddleware.append(AWSSigning(aws, for: "https://tides.s3.eu-central-1.amazonaws.com"))
        }
        // end
        #expect(key.algorithm == .ed25519)
        _ = (api, bucket)
    }

    @Test("A certificate authority for one host")
    func authorities() async throws {
        let file = URL(filePath: "/tmp/godwit-no-such-ca.pem")
        // snippet: recipe-S1
        let api = APIClient(baseURL: "https://dev.example.com") {
            $0.tls.authorities["dev.example.com"] = .adding(.file(file))  // or .only(…)
        }
        // end
        let error = await thrownError { try await api.send(.export) }
        guard case .insecure(.configuration) = error?.kind else { throw RecipeFailure("a missing file was accepted") }
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
            try SocketTransport { $0.tls.pins["api.example.com"] = [.sha256(current)] }
        }
    }

    @Test("A secret that a server repeats is in no text")
    func secretsInTexts() async throws {
        let transport = MockTransport { _ in
            .json(["message": "The key S3KR1T-42 is not valid"], status: .badRequest)
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.authentication = .credential(.bearer("S3KR1T-42"))
        }
        let details = "the server wrote S3KR1T-42"
        let log = { (text: String) in #expect(text == "the server wrote <redacted>") }
        let print = { (error: NetworkError) in
            #expect(error.description.contains("The key <redacted> is not valid"))
        }
        // snippet: recipe-S6
        do throws(NetworkError) {
            try await api.send(.export)
        } catch {
            print(error)  // HTTP 400 from POST https://api.example.com/export: The key <redacted> is not valid
            if let request = error.request { log(request.redacted(details)) }  // a text of your own
        }
        // end
    }

    @Test("A secret in a file of one's own")
    func privateFile() throws {
        let (folder, key) = (try folder(), "4711")
        defer { try? FileManager.default.removeItem(at: folder) }
        // snippet: recipe-S7
        let file = PrivateFile(folder.appending(path: "pairing-key"))
        try file.replace(with: Data(key.utf8))  // 0600, written completely or not at all
        let stored = try file.read()  // nil if there is none
        // end
        #expect(stored == Data("4711".utf8))
    }

    @Test("What a server says is printed without effects")
    func terminalText() async throws {
        let transport = MockTransport { _ in .text("\u{1B}[2J") }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport)
        let print = { (text: String) in #expect(text == "\\u{1b}[2J") }
        // snippet: recipe-S8
        let note = try await api.send(Endpoint<String>.get("note"))
        print(TerminalText.escaped(note))  // \u{1b}[2J instead of an empty screen
        // end
    }

    @Test("HTTPS that hosts demand")
    func hsts() async throws {
        let caches = try folder()
        defer { try? FileManager.default.removeItem(at: caches) }
        let transport = MockTransport { $0.get("/articles/42").reply(json: ["id": 42, "title": "Tides"]) }
        // snippet: recipe-T18
        let store = try HSTSStore(file: caches.appending(path: "hsts.txt"))
        store.add(.init("example.com", includesSubdomains: true))  // without waiting for its field
        // hidden: , transport: transport
        let api = APIClient(baseURL: "http://api.example.com", transport: transport) { $0.hsts = .store(store) }
        let response = try await api.response(for: .article(id: 42))
        print(response.request.url, response.metrics.upgradeCount)  // https://api.example.com/articles/42 1
        try store.save()  // before your program exits
        // end
        #expect(response.request.url.absoluteString == "https://api.example.com/articles/42")
        #expect(response.metrics.upgradeCount == 1)
        #expect(try HSTSStore(file: caches.appending(path: "hsts.txt")).hosts.count == 1)
    }

    @Test("Plain http only to named hosts")
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
            try await other.send(.export)  // throws .insecure(.plaintext) without sending anything
            // hidden
        }
        // end
        try await printer.send(.export)
        #expect(error?.kind == .insecure(.plaintext(host: "api.example.com")))
        #expect(transport.requestCount == 1)
    }

    @Test("A client certificate")
    func certificate() async throws {
        let (certificate, key) = (URL(filePath: "/tmp/godwit-none.pem"), URL(filePath: "/tmp/godwit-none.key"))
        // snippet: recipe-S4
        let api = APIClient(baseURL: "https://partner.example") {
            $0.tls.clientCertificates["partner.example"] = .pem(certificate: .file(certificate), key: .file(key))
        }
        // end
        let error = await thrownError { try await api.send(.export) }
        guard case .insecure(.configuration) = error?.kind else { throw RecipeFailure("missing files were accepted") }
    }

    @Test("Cookies go back to the host that set them")
    func cookies() async throws {
        let transport = MockTransport {
            $0.post("/login").reply(.text("welcome").field(.setCookie, "session=1; Secure; HttpOnly; Path=/"))
            $0.get("/export").reply(.status(.noContent))
        }
        let login = Login(user: "ann", password: "s3cret")
        // snippet: recipe-K1
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport)  // has a cookie jar in memory
        _ = try await api.send(.login(login))  // receives Set-Cookie: session=1; Secure; HttpOnly
        try await api.send(.export)  // sends Cookie: session=1
        // end
        #expect(transport.requests.map { $0.fields[.cookie] } == [nil, "session=1"])
    }

    @Test("A cookie policy, and the contents of a jar")
    func policy() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        // snippet: recipe-K2
        let jar = CookieJar(accepting: .ownSite)  // .always by default; or .never
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.cookies = .jar(jar) }
        try jar.add(Cookie(name: "theme", value: "dark", domain: "api.example.com"))
        try await api.send(.export.cookies(.off))  // sends and stores no cookies
        print(jar.cookies(for: try HTTPURL("https://api.example.com/")).map(\.name))  // ["theme"]
        jar.delete(domain: "example.com")
        // end
        #expect(transport.requests.map { $0.fields[.cookie] } == [nil])
        #expect(jar.cookies.isEmpty)
    }

    @Test("Cookies that are stored in a file")
    func persistent() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "cookies.json")
        // snippet: recipe-K3
        let jar = try CookieJar(file: CookieFile(file), suffixes: PublicSuffixList())
        let api = APIClient(baseURL: "https://api.example.com") { $0.cookies = .jar(jar) }
        try jar.save()  // before your program exits
        // end
        #expect(api.cookieJar === jar)
    }
}

extension Endpoint {
    fileprivate static func refresh(_ old: AccessToken) -> Endpoint<AccessToken> {
        .post("refresh", body: .json(["refresh": old.refresh])).unauthenticated()
    }
}
