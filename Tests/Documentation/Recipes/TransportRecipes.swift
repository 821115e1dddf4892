import Godwit
import GodwitTesting
import GodwitURLSession
import Testing

#if os(Linux)
import GodwitHTTP3
#endif

@Suite("Recipes: transports")
struct TransportRecipes {
    @Test("A custom transport")
    func own() async throws {
        // snippet: recipe-T1
        struct Canned: HTTPTransport {
            func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
                HTTPResponse(head: HTTPResponseHead(status: .ok), body: "Tides", request: request)
            }
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: Canned())
        // end
        #expect(try await api.send(Endpoint<String>.get("title")) == "Tides")
    }

    @Test("Encoded bytes, asked for")
    func encoded() async throws {
        let server = try await MockServer {
            $0.get("/report").reply(.bytes(Data("squeezed".utf8)).field(.contentEncoding, "gzip"))
        }
        let api = APIClient(baseURL: server.url, transport: try SocketTransport())
        // snippet: recipe-I10
        let encoded = try await api.response(for: Endpoint<Data>.get("report").header(.acceptEncoding, "gzip"))
        // end
        #expect(encoded.value == Data("squeezed".utf8) && encoded.head.fields[.contentEncoding] == "gzip")
    }

    #if os(Linux)
    @Test("libcurl's options")
    func curl() async throws {
        // snippet: recipe-T2
        let transport = try SocketTransport {
            $0.proxy = .url("socks5h://proxy.example.com:1080")  // .environment by default; or .none
            $0.protocols = .http1  // .http2WhereSecure by default; or .http2PriorKnowledge
            $0.addressOverrides = ["staging.example.com:443": ["192.0.2.7"]]  // instead of DNS
        }
        let api = APIClient(baseURL: "https://staging.example.com", transport: transport)
        // end
        #expect(try api.request(for: .export).url.host == "staging.example.com")
        #expect(throws: NetworkError.self) { try SocketTransport { $0.addressOverrides = ["staging": ["home"]] } }
        await api.shutdown(.cancelling)
    }

    @Test("A proxy with a password")
    func proxyPassword() async throws {
        // snippet: recipe-T23-proxy-password
        let transport = try SocketTransport {
            $0.proxy = .url("http://reader:p%40ss@proxy.example.com:3128", except: ["intranet.example.com"])
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport)
        // end
        #expect(!"\(Proxy.url("http://reader:p%40ss@proxy.example.com:3128"))".contains("p%40ss"))
        await api.shutdown(.cancelling)
        let proxy = try await MockServer { (request: MockRequest) in
            guard !request.fields.contains("Proxy-Authorization") else { return .text(request.target) }
            return .status(HTTPStatus(407) ?? .badRequest).field("Proxy-Authenticate", "Basic realm=\"nest\"")
        }
        let proxied = try SocketTransport { $0.proxy = .url("http://reader:p%40ss@127.0.0.1:\(proxy.url.port)") }
        let page = APIClient(baseURL: "http://service.invalid", transport: proxied) {
            $0.plaintextHosts = ["service.invalid"]
        }
        #expect(try await page.send(Endpoint<String>.get("a")) == "http://service.invalid/a")
        #expect(proxy.requests.map { $0.fields["Proxy-Authorization"] }.first == .some(nil))
        #expect(proxy.requests.last?.fields["Proxy-Authorization"] == "Basic cmVhZGVyOnBAc3M=")  // reader:p@ss
        await page.shutdown(.cancelling)
        await proxy.stop()
    }

    @Test("A host with a dead address")
    func addresses() async throws {
        let server = try await MockServer { $0.get("/articles/1").reply(json: ["id": 1, "title": "Tides"]) }
        let transport = try SocketTransport {
            $0.addressOverrides = ["api.example.com:\(server.url.port)": ["127.0.0.2", "127.0.0.1"]]
        }
        let toServer = LocalRoute(port: server.url.port)
        // snippet: recipe-T12
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.timeouts.connect = .seconds(10)  // for all addresses together; 30 by default
            // hidden
            $0.attemptMiddleware.append(toServer)
            // shown
        }
        let article = try await api.send(.article(id: 1))
        // end
        #expect(article.title == "Tides")
        await api.shutdown(.cancelling)
        await server.stop()
    }

    @Test("Shared TLS sessions")
    func cheapTLS() async throws {
        // snippet: recipe-T13
        let transport = try SocketTransport()  // shares connections, TLS sessions and certificates
        let articles = APIClient(baseURL: "https://api.example.com/v1", transport: transport)
        let images = APIClient(baseURL: "https://images.example.com", transport: transport)
        // end
        await articles.shutdown(.cancelling)
        let error = await thrownError { try await images.send(.export) }
        #expect(error?.kind == .shutdown)
    }
    #endif

    @Test("Connections that stay healthy")
    func connections() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        // snippet: recipe-T10
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.connections.maximumPerHost = 16  // 64 by default
            $0.connections.idleTimeout = .seconds(20)  // 50 by default
            $0.connections.maximumLifetime = .seconds(600)  // one hour by default
        }
        try await api.warmUp(connections: 2)
        // end
        #expect(api.configuration.connections.maximumPerHost == 16)
        #expect(transport.requestCount == 0)
    }

    @Test("URLSession as the engine")
    func urlSession() throws {
        // snippet: recipe-T3
        let transport = try URLSessionTransport { $0.adjust = { $0.networkServiceType = .background } }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport)
        // end
        #expect(try api.request(for: .export).url.host == "api.example.com")
    }

    @Test("A configuration and its presets")
    func presets() throws {
        // snippet: recipe-T4
        let api = APIClient(baseURL: "https://api.example.com") {
            $0.timeouts.connect = .seconds(5)  // 30 by default
            $0.timeouts.inactivity = .seconds(20)  // 60 by default
            $0.timeouts.total = .seconds(60)  // no limit by default
            $0.defaultFields["X-Client"] = "reader"
        }
        let guest = APIClient(baseURL: "https://api.example.com", preset: .ephemeral)  // no cookies, no cache
        // end
        #expect(api.configuration.timeouts.connect == .seconds(5))
        #expect(guest.cookieJar == nil)
    }

    @Test("The User-Agent field")
    func userAgent() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        // snippet: recipe-T4-user-agent
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.userAgent = "Reader/2.1 (+https://reader.example.com)"  // "Godwit/0.1.0" by default; nil sends none
        }
        try await api.send(.export)
        try await api.send(.export.header(.userAgent, "Reader-Sync/2.1"))  // for one call
        // end
        let plain = APIClient(baseURL: "https://api.example.com", transport: transport)
        try await plain.send(.export)
        let silent = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.userAgent = nil }
        try await silent.send(.export)
        #expect(
            transport.requests.map { $0.fields[.userAgent] } == [
                "Reader/2.1 (+https://reader.example.com)", "Reader-Sync/2.1", "Godwit/0.1.0", nil,
            ])
    }

    @Test("The timing of an exchange")
    func metrics() async throws {
        let server = try await MockServer { $0.get("/articles/1").reply(json: ["id": 1, "title": "Tides"]) }
        let api = APIClient(baseURL: server.url)
        // snippet: recipe-T5
        let response = try await api.response(for: .article(id: 1))
        let metrics = response.metrics
        print(metrics.dns ?? .zero, metrics.connect ?? .zero, metrics.firstByte ?? .zero, metrics.total ?? .zero)
        print(metrics.bytesReceived, metrics.reusedConnection, metrics.protocolVersion?.rawValue ?? "")
        // end
        #expect(metrics.firstByte != nil && metrics.bytesReceived > 0)
        await server.stop()
    }

    @Test("Redirects are followed, blocked or rewritten")
    func redirects() async throws {
        let transport = MockTransport {
            $0.get("/export").reply(.redirect(to: "/new"))
            $0.get("/new").reply(.status(.noContent))
        }
        // snippet: recipe-T6
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.redirects = .followUp(to: 5)  // 20 by default
        }
        let blocked = Endpoint<Void>.export.redirects(.block).accepting(.found)
        let sameHost = Endpoint<Void>.export.redirects(
            .decide { proposed, _ in proposed.url.host == "api.example.com" ? proposed : nil })  // nil blocks it
        // end
        #expect(try await api.response(for: blocked).head.fields[.location] == "/new")
        #expect(try await api.response(for: sameHost).request.url.path == "/new")
    }

    @Test("A stream is read as far as it is wanted")
    func bomb() async throws {
        let transport = MockTransport {
            $0.get("/export").reply(.text(String(repeating: "line\n", count: 2000)))
            $0.get("/rows").reply(.bytes(Data(count: 100)))
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport)
        // snippet: recipe-S5
        let export = api.stream(.export).lines(limit: 64 << 10)  // decompressed as far as the loop reads
        for try await line in export.prefix(1000) { print(line) }
        let rows = try await api.send(.rows.responseLimit(8 << 20))  // throws .tooLarge above 8 MiB
        // end
        #expect(rows.count == 100)
    }

    @Test("A response that is too large is stopped")
    func limit() async throws {
        let transport = MockTransport { $0.get("/images/7").reply(.bytes(Data(count: 2 << 20))) }
        // snippet: recipe-T7
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.bufferLimit = 1 << 20  // bytes; 64 MiB by default
        }
        // hidden
        let error = await thrownError {
            // shown
            let image = try await api.send(.image(id: 7))  // throws .tooLarge above 1 MiB
            // hidden
            _ = image
        }
        // shown
        let largeImage = try await api.send(.image(id: 7).responseLimit(10 << 20))  // for this call 10 MiB
        // end
        #expect(error?.kind == .tooLarge(limit: 1 << 20))
        #expect(largeImage.count == 2 << 20)
    }

    @Test("Basic authentication")
    func passwords() async throws {
        let transport = MockTransport { route in
            route.get("/").where { $0.fields[.authorization] != nil }.reply(.text("in"))
            route.get("/").reply(.status(401).field(.wwwAuthenticate, #"Basic realm="camera""#))
        }
        let password = "secret"
        // snippet: recipe-T8
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://camera.example.com", transport: transport) {
            $0.challenges = Challenges { challenge in  // has origin, realm, scheme, failureCount
                challenge.failureCount == 0 ? PasswordCredential(user: "admin", password: password) : nil
            }
        }
        // end
        #expect(try await api.send(Endpoint<String>.get("")) == "in")
    }

    @Test("After a shutdown nothing is sent")
    func shutdown() async throws {
        let server = try await MockServer { $0.any("*").reply(.status(.noContent)) }
        let api = APIClient(baseURL: server.url)
        // snippet: recipe-T9
        await api.shutdown(.finishing)  // or .cancelling
        // hidden
        let error = await thrownError {
            // shown
            try await api.send(.export)  // throws .shutdown
            // hidden
        }
        // end
        #expect(error?.kind == .shutdown)
        await server.stop()
    }

    @Test("A POST with a key is resent if the connection breaks")
    func sentAgain() async throws {
        let clock = ImmediateClock()
        let transport = MockTransport {
            $0.post("/articles").replies([
                .failure(.transport(.connectionLost("reset by peer"))), .json(["id": 1, "title": "Tides"]),
            ])
        }
        let draft = Draft(title: "Tides")
        // snippet: recipe-T11
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.idempotencyKeys = [.post]
            // hidden
            $0.clock = clock
            // shown
        }
        let article = try await api.send(.create(draft))  // resent with the same key if the connection breaks
        // end
        #expect(article.title == "Tides")
        #expect(Set(transport.requests.map { $0.fields[.idempotencyKey] }).count == 1 && transport.requestCount == 2)
    }

    @Test("What the distribution's libraries can't do")
    func distribution() {
        // snippet: recipe-I9
        if let fault = HTTP3Transport.fault { print("without HTTP/3: \(fault)") }
        // end
    }

    @Test("HTTP/3 where a server announced it, and why not")
    func http3() async throws {
        let server = try await MockServer { $0.get("/v1/articles/42").reply(json: ["id": 42, "title": "Tides"]) }
        let caches = URL.temporaryDirectory.appending(
            path: "godwit-recipe-T15-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: caches, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: caches) }
        let toServer = LocalRoute(port: server.url.port)
        // snippet: recipe-T15
        let transport = try HTTP3Transport {
            $0.alternativeServices = AlternativeServices(file: caches.appending(path: "alt-svc"))
            // hidden
            $0.sockets.addressOverrides = ["api.example.com:\(toServer.port)": ["127.0.0.1"]]
            // shown
        }
        // hidden:  {
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: transport) {
            // hidden
            $0.attemptMiddleware.append(toServer)
        }
        // shown
        let response = try await api.response(for: .article(id: 42))
        print(response.metrics.protocolVersion?.rawValue ?? "", response.metrics.http3Fallback ?? "")
        // end
        #expect(response.metrics.protocolVersion == .http1_1 && response.metrics.http3Fallback != nil)
        await api.shutdown(.cancelling)
        await server.stop()
    }

    @Test("A call tells which connection it used, and whether it opened it")
    func connectionUse() async throws {
        let server = try await MockServer { $0.get("/articles/42").reply(json: ["id": 42, "title": "Tides"]) }
        let api = APIClient(baseURL: server.url)
        var lines: [String] = []
        func print(_ line: String) { lines.append(line) }
        // snippet: recipe-T17
        let metrics = try await api.response(for: .article(id: 42)).metrics
        if let count = metrics.openConnections {
            print("opened connection \(count), from port \(metrics.localPort ?? 0)")
        }
        // end
        #expect(lines.count == 1 && lines[0].hasPrefix("opened connection 1, from port "))
        let second = try await api.response(for: .article(id: 42)).metrics
        #expect(second.openConnections == nil && second.localPort == metrics.localPort)
        await api.shutdown(.cancelling)
        await server.stop()
    }

    @Test("What is urgent comes first")
    func priorities() async throws {
        let server = try await MockServer {
            $0.get("/articles/42").reply(json: ["id": 42, "title": "Tides"])
            $0.get("/articles/43").reply(json: ["id": 43, "title": "Winds"])
        }
        let api = APIClient(baseURL: server.url)
        var titles: [String] = []
        func show(_ article: Article) { titles.append(article.title) }
        // snippet: recipe-T19
        async let article = api.send(.article(id: 42).priority(.high))
        async let next = api.send(.article(id: 43).priority(.low))
        show(try await article)
        _ = try await next
        // end
        #expect(titles == ["Tides"])
        await api.shutdown(.cancelling)
        await server.stop()
    }

    @Test("A POST whose fate is unknown is checked before it is sent again")
    func fateUnknown() async throws {
        let transport = MockTransport {
            $0.post("/articles").reply(.failure(.transport(.connectionLost("reset by peer"))))
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport)
        let draft = Draft(title: "Tides")
        var asked: [String] = []
        func askWhetherItExists(_ draft: Draft) { asked.append(draft.title) }
        // snippet: recipe-T20
        do throws(NetworkError) {
            _ = try await api.send(.create(draft))
        } catch {
            guard case .transport(.connectionLost) = error.kind else { throw error }
            askWhetherItExists(draft)  // the server may have created it
        }
        // end
        #expect(asked == ["Tides"] && transport.requestCount == 1)
    }

    @Test("Interim responses, trailers and Expect: 100-continue")
    func interim() async throws {
        var answer = MockResponse.text("done").framed(.chunked)
        answer.interim = [HTTPResponseHead(status: try #require(HTTPStatus(103)))]
        answer.trailers = ["X-Checksum": "1"]
        let scripted = answer
        let server = try await MockServer { $0.put("/film").reply(scripted) }
        let api = APIClient(baseURL: server.url)
        let film = Data(count: 1000)
        // snippet: recipe-T14
        let upload = Endpoint<Void>.put("film", body: .data(film))
            .expectContinue()  // sends the body when the server asks for it
            .onEvent { event in
                if case .interim(let head) = event { print(head.status, head.fields[.link] ?? "") }
            }
        let response = try await api.response(for: upload)
        print(response.trailers["X-Checksum"] ?? "none")
        // end
        #expect(response.trailers["X-Checksum"] == "1")
        await server.stop()
    }

    @Test("A response that is read while the request is sent, and trailers of a request")
    func duplex() async throws {
        let server = try await MockServer {
            $0.post("/talk").early().reply(.text("2\n"))
            $0.put("/film").reply(.text("ok"))
        }
        let api = APIClient(baseURL: server.url)
        let film = FileManager.default.temporaryDirectory.appending(
            path: "recipe-T16-\(UInt32.random(in: .min ... .max))")
        try Data(count: 1000).write(to: film)
        defer { try? FileManager.default.removeItem(at: film) }
        // snippet: recipe-T16
        let (turns, input) = AsyncStream<Data>.makeStream()
        let talk = Endpoint<Void>.post("talk", body: .stream(.stream(once: turns)))
        input.yield(Data("1\n".utf8))
        for try await line in api.stream(talk).lines {
            print(line)
            input.finish()  // or input.yield(…), an answer to what was read
        }

        let counted = HTTPBody.file(at: film).withTrailers(["X-Count"], reducing: 0) { count, chunk in
            count += chunk.count
        } fields: { count in
            ["X-Count": "\(count)"]
        }
        try await api.send(Endpoint<Void>.put("film", body: .stream(counted)))
        // end
        #expect(server.requests.last?.trailers["X-Count"] == "1000")
        await server.stop()
    }
}

extension Endpoint {
    fileprivate static func image(id: Int) -> Endpoint<Data> { .get("images/\(id)") }
    fileprivate static var rows: Endpoint<Data> { .get("rows") }
}

/// Sends requests for a host to a mock server's port, in plain text.
private struct LocalRoute: Middleware {
    let port: Int

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        var call = call
        do {
            call.request.url = try HTTPURL("http://\(call.request.url.host):\(port)\(call.request.url.target)")
        } catch {
            throw NetworkError(.invalidURL(reason: "\(error)"), phase: .building)
        }
        return try await next(call)
    }
}
