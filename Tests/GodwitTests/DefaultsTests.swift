import Godwit
import GodwitTesting
import Synchronization
import Testing

/// The README's "Defaults that matter", sentence by sentence, with a client that sets nothing.
@Suite("README: defaults that matter", .timeLimit(.minutes(15)))
struct DefaultsTests {
    private static func kind(_ act: () async throws -> Void) async -> NetworkError.Kind? {
        do {
            try await act()
            return nil
        } catch {
            return (error as? NetworkError)?.kind
        }
    }

    @Test("S1 default: a certificate that no authority of the system signed is refused")
    func certificates() async throws {
        let server = try await MockServer(.tls) { (_: MockRequest) in .text("ok") }
        let client = APIClient(baseURL: server.url)
        let kind = await Self.kind { _ = try await client.send(Endpoint<String>.get("a")) }
        #expect(kind.map { "\($0)".hasPrefix("insecure") } == true, "\(kind as Any)")
        #expect(server.requestCount == 0)
        await server.stop()
    }

    @Test(
        "S3 default: plain http goes to this machine and to named hosts, nowhere else, and no redirect leads from https to http"
    )
    func plaintext() async throws {
        let transport = MockTransport { request in
            request.url?.scheme == .https ? .redirect(to: "http://api.example.com/") : .text("ok")
        }
        let refused = APIClient(baseURL: "http://api.example.com/", transport: transport)
        #expect(
            await Self.kind { _ = try await refused.send(Endpoint<String>.get("a")) }
                == .insecure(.plaintext(host: "api.example.com")))
        #expect(transport.requests.isEmpty)
        let named = APIClient(baseURL: "http://api.example.com/", transport: transport) {
            $0.plaintextHosts = ["api.example.com"]
        }
        #expect(try await named.send(Endpoint<String>.get("a")) == "ok")
        let secure = APIClient(baseURL: "https://api.example.com/", transport: transport) {
            $0.plaintextHosts = ["api.example.com"]
        }
        #expect(await Self.kind { _ = try await secure.send(Endpoint<String>.get("a")) } != nil)
        #expect(transport.requests.map { $0.url?.scheme } == [.http, .https])
    }

    @Test("A1 default: credentials go to the client's own origin, and a redirect to another origin drops them")
    func credentials() async throws {
        let other = try await MockServer { (request: MockRequest) in
            .text("\(request.fields[.authorization] ?? "-") \(request.fields["X-Session-Token"] ?? "-")")
        }
        let place = "\(other.url)b"
        let server = try await MockServer { route in
            route.get("/a").reply(.redirect(to: place))
            route.get("/own").reply { request in .text(request.fields[.authorization] ?? "-") }
        }
        let client = APIClient(baseURL: server.url) { $0.authentication = .credential(.bearer("s3cret")) }
        #expect(try await client.send(Endpoint<String>.get("own")) == "Bearer s3cret")
        #expect(try await client.send(Endpoint<String>.get("a").header("X-Session-Token", "s3cret")) == "- -")
        await server.stop()
        await other.stop()
    }

    @Test("T6 T4 default: at most 20 redirects; 30 s to connect, 60 s without a byte, no limit for the call")
    func limits() async throws {
        let server = try await MockServer { (request: MockRequest) in
            .redirect(to: "/\((Int(request.path.dropFirst()) ?? 0) + 1)")
        }
        let client = APIClient(baseURL: server.url)
        #expect(await Self.kind { _ = try await client.send(Endpoint<String>.get("0")) } != nil)
        #expect(server.requestCount == 21)
        let timeouts = client.configuration.timeouts
        #expect(timeouts.connect == .seconds(30) && timeouts.inactivity == .seconds(60) && timeouts.total == nil)
        await server.stop()
    }

    @Test("T7 default: at most 64 MiB of a response are held in memory, counted after decoding")
    func memory() async throws {
        let server = try await MockServer { (_: MockRequest) in
            var response = MockResponse.bytes(Self.bomb)
            response.fields["Content-Encoding"] = "gzip, gzip"
            return response
        }
        let client = APIClient(baseURL: server.url)
        #expect(await Self.kind { _ = try await client.send(Endpoint<Data>.get("a")) } == .tooLarge(limit: 64 << 20))
        await server.stop()
    }

    /// 128 MiB of zeros, twice gzip.
    private static let bomb =
        Data(
            base64Encoded: [
                "H4sIAAAAAAACA+3cIU4DYRCG4W2p2CCgiCoEPQG6CWlCDRoS0ASBRKK7CUFhuAQaxQFw3ABwPQBBEIIiLN09xv89jxo9cjJ59+7q",
                "qjNsP54Hg/XQ3P89ftabFQAAAFC45v1mozsGVNP29ej4DAAAACjdxfbWqD8K/J7vLqwDAAAAinc7n437D4Gv5dXIOgAAAKB4k5/V",
                "YX8LeGmfdk7tAwAAAIr3JhgAAAAAUQQDAAAAIItgAAAAAGQRDAAAAIAwggEAAACQRTAAAAAAsggGAAAAQBbBAAAAAAgjGAAAAABZ",
                "BAMAAAAgi2AAAAAAZBEMAAAAgDCCAQAAAJBFMAAAAACyCAYAAABAFsEAAAAACCMYAAAAAFkEAwAAACCLYAAAAABkEQwAAACAMIIB",
                "AAAAkEUwAAAAALIIBgAAAEAWwQAAAAAIIxgAAAAAWQQDAAAAIMvDfDbtHgPG3+31wXBSAQAAqVb7J4vLZj3U/6kSH4Su/QEA",
            ].joined()) ?? Data()

    @Test(
        "U7 U1 U5 default: a field with a line break, a path value of dots and credentials in a URL are refused unsent")
    func requests() async throws {
        let server = try await MockServer { (_: MockRequest) in .text("ok") }
        let client = APIClient(baseURL: server.url)
        let (dots, breaking) = ("..", "a\r\nX-Other: b")
        #expect(await Self.kind { _ = try await client.send(Endpoint<String>.get("a").header("X-A", breaking)) } != nil)
        #expect(await Self.kind { _ = try await client.send(Endpoint<String>.get("a/\(dots)")) } != nil)
        let withUser = APIClient(baseURL: "http://ann:pw@127.0.0.1:\(server.url.port)/")
        #expect(await Self.kind { _ = try await withUser.send(Endpoint<String>.get("a")) } != nil)
        #expect(server.requestCount == 0)
        await server.stop()
    }

    @Test(
        "M4 default: a GET that fails for a temporary reason is sent at most three times, a POST once, with a key again"
    )
    func retries() async throws {
        let server = try await MockServer { (_: MockRequest) in .status(.serviceUnavailable) }
        let client = APIClient(baseURL: server.url) { $0.clock = ImmediateClock() }
        for (endpoint, count) in [
            (Endpoint<String>.get("a"), 3), (.post("a", body: .text("b")), 1),
            (.post("a", body: .text("b")).header("Idempotency-Key", "k"), 3),
        ] {
            let before = server.requestCount
            _ = await Self.kind { _ = try await client.send(endpoint) }
            #expect(server.requestCount - before == count)
        }
        await server.stop()
    }

    @Test("K1 C1 default: cookies are kept while the client lives, and responses are not cached")
    func storage() async throws {
        let server = try await MockServer { (request: MockRequest) in
            var response = MockResponse.text(request.fields[.cookie] ?? "-")
            response.fields[.setCookie] = "a=b; Max-Age=1000"
            response.fields[.cacheControl] = "max-age=1000"
            return response
        }
        let client = APIClient(baseURL: server.url)
        #expect(try await client.send(Endpoint<String>.get("a")) == "-")
        #expect(try await client.send(Endpoint<String>.get("a")) == "a=b")
        #expect(try await APIClient(baseURL: server.url).send(Endpoint<String>.get("a")) == "-")
        #expect(server.requestCount == 3)
        await server.stop()
    }

    @Test("M2 default: logs and descriptions omit credentials, and items and members that look like secrets")
    func logs() async throws {
        let server = try await MockServer { (_: MockRequest) in .json(["access_token": "s3cret-a", "name": "Ann"]) }
        let text = Mutex("")
        let client = APIClient(baseURL: server.url) {
            $0.authentication = .credential(.bearer("s3cret-b"))
            $0.logging.level = .bodies
            $0.logging.destination = { line in text.withLock { $0 += line } }
        }
        let endpoint = Endpoint<JSONValue>.post(
            "a", query: ["token": "s3cret-c"], body: .form(["password": "s3cret-d"]))
        let response = try await client.response(for: endpoint)
        let all = text.withLock { $0 } + "\(response.request) \(response.request.fields) \(client)"
        #expect(!all.contains("s3cret") && all.contains("Ann"))
        await server.stop()
    }
}
