import Godwit
import GodwitTesting
import Testing

/// docs/coming-from-asynchttpclient.md: the code for servers and tools that had AsyncHTTPClient before.
enum ComingFromServersSnippets {
    static func client() -> APIClient {
        // snippet: ahc-client
        let api = APIClient(baseURL: "https://api.example.com/v1")
        // end
        return api
    }

    static func any(_ api: APIClient, _ link: String) async throws {
        // snippet: ahc-any
        let response = try await api.send(HTTPRequest(url: HTTPURL(link)))  // any status, any host
        let body = try await response.body.collect(upTo: 1 << 20)
        print(response.head.status.code, response.head.fields[.contentType] ?? "", body.count)
        // end
    }

    static func status(_ api: APIClient) async throws {
        // snippet: ahc-status
        do {
            try await api.send(.delete(id: 42))
        } catch {
            guard error.response?.status == .conflict else { throw error }
            print(error.userMessage ?? "")  // the server's own words, read from its body
        }
        // end
    }

    static func fields() -> APIClient {
        // snippet: ahc-fields
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.defaultFields[.userAgent] = "reader/1.0"
            $0.authentication = .credential(.basic(user: "ann", password: "secret"))
        }
        // end
        return api
    }

    static func chunks(_ api: APIClient) async throws {
        // snippet: ahc-chunks
        for try await chunk in api.stream(.export) { print(chunk.count) }
        // end
    }

    static func stream(_ api: APIClient, _ chunks: AsyncStream<Data>, _ size: Int64) async throws {
        // snippet: ahc-stream
        let body = HTTPBody.stream(once: chunks, length: size)  // a file could be sent again
        let article = try await api.send(Endpoint<Article>.put("films/1", body: .stream(body, type: .octetStream)))
        // end
        _ = article
    }

    static func engine() throws -> APIClient {
        // snippet: ahc-engine
        let transport = try SocketTransport {
            $0.proxy = .url("http://proxy.example.com:3128")
            $0.additionalAuthorities = URL(filePath: "/etc/corp-ca.pem")
            $0.protocols = .http1
            $0.connections.maximumPerHost = 16
            $0.connections.idleTimeout = .seconds(20)
        }
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: transport)
        // end
        return api
    }

    static func socket() throws -> APIClient {
        // snippet: ahc-unix
        let transport = try SocketTransport { $0.unixSocketPath = "/run/docker.sock" }
        let docker = APIClient(baseURL: "http://localhost", transport: transport)
        // end
        return docker
    }

    static func errors(_ api: APIClient) async throws {
        // snippet: ahc-errors
        do {
            print(try await api.send(.article(id: 42)).title)
        } catch {
            switch error.kind {
            case .timedOut: print("too late:", error.phase)
            case .transport, .insecure: print("not reached:", error.description)
            default: throw error
            }
        }
        // end
    }

    static func tracing() -> APIClient {
        // snippet: ahc-tracing
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.tracing = Tracing()
            $0.logging.level = .basic
        }
        // end
        return api
    }

    static func shutdown(_ api: APIClient) async {
        // snippet: ahc-shutdown
        await api.shutdown(.finishing)  // not needed: a client that is released closes its connections
        // end
    }

    static func vapor(_ api: APIClient, _ words: String) async throws {
        // snippet: vapor-get
        let found = try await api.send(Endpoint<[Article]>.get("search", query: ["q": words]))
        // end
        _ = found
    }

    static func vaporPost(_ api: APIClient, _ draft: Draft, _ token: String) async throws {
        // snippet: vapor-post
        let article = try await api.send(.create(draft).header(.authorization, "Bearer \(token)"))
        // end
        _ = article
    }

    static func limits() -> APIClient {
        // snippet: vapor-limits
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.timeouts.call = .seconds(5)  // with attempts and waits
            $0.redirects = .block
            $0.retry.maximumAttempts = 2
        }
        // end
        return api
    }

    static func test() async throws {
        // snippet: vapor-test
        let mock = MockTransport { $0.get("/v1/articles/1").reply(.status(503)) }
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: mock) { $0.clock = ImmediateClock() }
        let error = await #expect(throws: NetworkError.self) { try await api.send(.article(id: 1)) }
        #expect(error?.response?.status == .serviceUnavailable && mock.requests.count == 3)
        // end
    }

    static func server() async throws {
        // snippet: hummingbird-test
        let server = try await MockServer { $0.get("/v1/articles/1").reply(json: ["id": 1, "title": "Tides"]) }
        let api = APIClient(baseURL: "\(server.url)v1")
        #expect(try await api.send(.article(id: 1)).title == "Tides")
        // end
        await server.stop()
    }
}
