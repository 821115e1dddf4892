import Godwit
import GodwitTesting
import GodwitURLSession
import Testing

@Suite("Recipes: transports")
struct TransportRecipes {
    @Test("A transport of one's own")
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

    #if canImport(GodwitCurl)
    @Test("libcurl as one wants it")
    func curl() async throws {
        let server = try await MockServer { $0.get("/").reply(.text("here")) }
        let port = server.url.port
        // snippet: recipe-T2
        let transport = try CurlTransport {
            $0.proxy = .none  // .environment by default; .url("socks5h://localhost:1080")
            $0.protocols = .http2WhereSecure
            $0.maximumConnectionsPerHost = 6
            $0.addressOverrides = ["staging.test:\(port)": ["127.0.0.1"]]
        }
        let api = APIClient(baseURL: "http://staging.test:\(port)", transport: transport) {
            $0.plaintextHosts = ["staging.test"]
        }
        // end
        #expect(try await api.send(Endpoint<String>.get("")) == "here")
        await api.shutdown(.cancelling)
        await server.stop()
    }
    #endif

    #if canImport(GodwitCurl)
    @Test("A host of which an address is dead")
    func addresses() async throws {
        let server = try await MockServer { $0.get("/title").reply(.text("Tides")) }
        let port = server.url.port
        // snippet: recipe-T12
        let transport = try CurlTransport {
            $0.addressOverrides = ["api.test:\(port)": ["127.0.0.2", "127.0.0.1"]]  // else DNS is asked
        }
        let api = APIClient(baseURL: "http://api.test:\(port)", transport: transport) {
            $0.plaintextHosts = ["api.test"]
            $0.timeouts.connect = .seconds(10)  // for all addresses together, from when connecting begins
        }
        let title = try await api.send(Endpoint<String>.get("title"))
        // end
        #expect(title == "Tides")
        await api.shutdown(.cancelling)
        await server.stop()
    }

    @Test("TLS connections that cost little")
    func cheapTLS() async throws {
        // snippet: recipe-T13
        let transport = try CurlTransport()  // one for all clients: it keeps connections, sessions and certificates
        let articles = APIClient(baseURL: "https://api.example.com/v1", transport: transport)
        let pictures = APIClient(baseURL: "https://images.example.com", transport: transport)
        // end
        await articles.shutdown(.cancelling)
        _ = pictures
    }
    #endif

    @Test("Connections that stay healthy")
    func connections() async throws {
        let server = try await MockServer { $0.get("/title").reply(.text("Tides")) }
        // snippet: recipe-T10
        let api = APIClient(baseURL: server.url) {
            $0.connections.maximumPerHost = 16  // 64 by default
            $0.connections.idleTimeout = .seconds(20)  // 50 by default
            $0.connections.maximumLifetime = .seconds(600)  // one hour by default
        }
        try await api.warmUp(connections: 2)
        let title = try await api.send(Endpoint<String>.get("title"))
        // end
        #expect(title == "Tides")
        await api.shutdown(.cancelling)
        await server.stop()
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
        let folder = URL(filePath: "/tmp/godwit-recipe-\(UInt64.random(in: .min ... .max))")
        defer { try? FileManager.default.removeItem(at: folder) }
        // snippet: recipe-T4
        let api = try APIClient(baseURL: "https://api.example.com") {
            $0.timeouts.connect = .seconds(5)
            $0.timeouts.inactivity = .seconds(20)  // without a byte either way
            $0.timeouts.total = .seconds(60)  // nil by default
            $0.defaultFields["X-Client"] = "reader"
            $0.cache = try .disk(folder)
        }
        let visit = APIClient(baseURL: "https://api.example.com", preset: .ephemeral)  // no cookies, no cache
        // end
        #expect(api.configuration.timeouts.connect == .seconds(5))
        #expect(visit.cookieJar == nil)
    }

    @Test("Where the time went")
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
        let server = try await MockServer {
            $0.get("/old").reply(.redirect(to: "/new"))
            $0.get("/new").reply(.text("here"))
        }
        // snippet: recipe-T6
        // hidden: server.url => "https://api.example.com"
        let api = APIClient(baseURL: server.url) { $0.redirects = .followUp(to: 5) }  // 20 by default
        let stay = Endpoint<Void>.get("old").redirects(.block).accepting(.found)
        let sameHost = Endpoint<String>.get("old").redirects(
            .decide { proposed, _ in proposed.url.host == "127.0.0.1" ? proposed : nil })  // nil: this is the answer
        // end
        #expect(try await api.response(for: stay).head.fields[.location] == "/new")
        #expect(try await api.send(sameHost) == "here")
        await server.stop()
    }

    @Test("A response that is too large is stopped")
    func limit() async throws {
        let server = try await MockServer { $0.get("/export").reply(.bytes(Data(count: 5000))) }
        // snippet: recipe-T7
        // hidden: server.url => "https://api.example.com"
        let api = APIClient(baseURL: server.url) { $0.bufferLimit = 1000 }  // in memory, decoded; 64 MiB by default
        // hidden
        let error = await thrownError {
            // shown
            _ = try await api.send(Endpoint<Data>.get("export"))  // throws .tooLarge(limit: 1000)
            // hidden
        }
        // shown
        let enough = try await api.send(Endpoint<Data>.get("export").responseLimit(10_000))
        // end
        #expect(error?.kind == .tooLarge(limit: 1000))
        #expect(enough.count == 5000)
        await server.stop()
    }

    @Test("A server that asks for a password gets it")
    func passwords() async throws {
        let server = try await MockServer { route in
            route.get("/").where { $0.fields[.authorization] != nil }.reply(.text("in"))
            route.get("/").reply(.status(401).field(.wwwAuthenticate, #"Basic realm="camera""#))
        }
        let password = "secret"
        // snippet: recipe-T8
        // hidden: server.url => "https://api.example.com"
        let api = APIClient(baseURL: server.url) {
            $0.challenges = Challenges { question in  // origin, realm, scheme, failureCount
                question.failureCount == 0 ? PasswordCredential(user: "admin", password: password) : nil
            }
        }
        // end
        #expect(try await api.send(Endpoint<String>.get("")) == "in")
        await server.stop()
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

    @Test("What has a key is sent again if the connection breaks")
    func sentAgain() async throws {
        let server = try await MockServer { $0.post("/orders").replies([.close, .text("receipt")]) }
        // snippet: recipe-T11
        let api = APIClient(baseURL: server.url) { $0.idempotencyKeys = [.post] }
        let order = Endpoint<String>.post("orders", body: .text("one"))
        let receipt = try await api.send(order)  // sent again with the same key if the connection breaks
        // end
        #expect(receipt == "receipt")
        await server.stop()
    }

    @Test("Interim answers and trailers are seen, and an upload waits to be asked for")
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
            .expectContinue()  // the body waits until the server wants it
            .onEvent { event in
                if case .interim(let head) = event { print(head.status, head.fields[.link] ?? "") }
            }
        let response = try await api.response(for: upload)
        print(response.trailers["X-Checksum"] ?? "none")
        // end
        #expect(response.trailers["X-Checksum"] == "1")
        await server.stop()
    }
}
