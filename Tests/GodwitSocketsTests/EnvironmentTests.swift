import Glibc
import Godwit
import GodwitOAuth
import GodwitSockets
import GodwitTesting
import Testing

@Suite("T2 SocketTransport and the environment's proxies", .timeLimit(.minutes(15)))
struct EnvironmentTests {
    // In separate processes: all tests share the environment.
    @Test("T2 T23 http_proxy is used, except for hosts in no_proxy")
    func environment() async throws {
        await #expect(processExitsWith: .success) {
            let proxy = try await MockServer { request in .text("proxied \(request.target)") }
            let server = try await MockServer { _ in .text("straight") }
            setenv("http_proxy", "http://127.0.0.1:\(proxy.url.port)", 1)
            setenv("no_proxy", "other.example,127.0.0.1", 1)
            let transport = try SocketTransport()
            #expect(try await text("http://service.invalid/a", transport) == "proxied http://service.invalid/a")
            #expect(try await text("\(server.url)", transport) == "straight")
            let direct = try SocketTransport { $0.proxy = .none }
            #expect(try await text("\(server.url)", direct) == "straight")
            #expect(proxy.requestCount == 1)
        }
    }

    @Test("T2 T23 the configuration's proxy overrides the environment and its exceptions")
    func configured() async throws {
        await #expect(processExitsWith: .success) {
            let proxy = try await MockServer { request in .text("proxied \(request.target)") }
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            setenv("no_proxy", "*", 1)
            let transport = try SocketTransport { $0.proxy = .url("http://127.0.0.1:\(proxy.url.port)") }
            #expect(try await text("http://service.invalid/a", transport) == "proxied http://service.invalid/a")
        }
    }

    @Test("S7 this machine is reached without the environment's proxy, in each of its spellings")
    func loopback() async throws {
        await #expect(processExitsWith: .success) {
            let proxy = try await MockServer { request in .text("proxied \(request.target)") }
            let server = try await MockServer { request in .text("straight \(request.fields[.authorization] ?? "")") }
            for name in ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"] {
                setenv(name, "http://127.0.0.1:\(proxy.url.port)", 1)
            }
            let client = APIClient(baseURL: server.url) { $0.authentication = .credential(.bearer("s3cret")) }
            for host in [
                "127.0.0.1", "localhost", "LOCALHOST", "api.localhost", "0.0.0.0", "[::ffff:127.0.0.1]",
            ] {
                let url = try HTTPURL("http://\(host):\(server.url.port)/")
                #expect(try await text("\(url)", SocketTransport()) == "straight ")
            }
            // Some resolvers ask DNS for these, in vain: a proxy would be asked instead.
            for host in ["localhost.", "api.localhost.", "[::]"] {
                _ = try? await text("http://\(host):\(server.url.port)/", SocketTransport())
            }
            #expect(try await client.send(Endpoint<String>.get("/")) == "straight Bearer s3cret")
            #expect(proxy.requestCount == 0)
        }
    }

    @Test("S7 plain http to this machine through an explicit proxy carries no credential, whoever adds it")
    func explicit() async throws {
        let proxy = try await MockServer { request in .text("proxied \(request.fields[.cookie] ?? "")") }
        let transport = try SocketTransport { $0.proxy = .url("http://127.0.0.1:\(proxy.url.port)") }
        let base = "http://127.0.0.1:1/"
        let plain = APIClient(baseURL: base, transport: transport)
        #expect(try await plain.send(Endpoint<String>.get("a")) == "proxied ")
        let credentials: [Credential] = [
            .bearer("s3cret"), .basic(user: "ann", password: "s3cret"), .apiKey("s3cret", field: "X-Mine"),
            .apiKey("s3cret", queryItem: "q"), .provided { .bearer("s3cret") },
        ]
        for credential in credentials {
            let client = APIClient(baseURL: base, transport: transport) { $0.authentication = .credential(credential) }
            await expectRefusal(client, .get("a"))
        }
        for name in ["Authorization", "X-Api-Key", "Proxy-Authorization"] as [HTTPField.Name] {
            await expectRefusal(plain, Endpoint<String>.get("a").header(name, "s3cret"))
        }
        let named = APIClient(baseURL: base, transport: transport) { $0.plaintextHosts = ["127.0.0.1"] }
        #expect(try await named.send(Endpoint<String>.get("a").header("X-Api-Key", "k")) == "proxied ")
        let jar = CookieJar()
        try jar.add(Cookie(name: "a", value: "1", domain: "127.0.0.1"))
        var secure = Cookie(name: "b", value: "s3cret", domain: "127.0.0.1")
        secure.isSecure = true
        try jar.add(secure)
        let withJar = APIClient(baseURL: base, transport: transport) { $0.cookies = .jar(jar) }
        #expect(try await withJar.send(Endpoint<String>.get("a")) == "proxied a=1")
        let server = OAuthServer(tokenURL: try HTTPURL("\(base)token"))
        let oauth = OAuth2(server, client: OAuthClient(id: "c", secret: "s3cret"), over: transport)
        await #expect { _ = try await oauth.clientCredentials() } throws: { error in
            (error as? NetworkError)?.kind == .insecure(.plaintext(host: "127.0.0.1"))
        }
        #expect(proxy.requests.allSatisfy { !"\($0.fields)\($0.target)".contains("s3cret") })
    }

    private func expectRefusal(_ client: APIClient, _ endpoint: Endpoint<String>) async {
        await #expect { _ = try await client.send(endpoint) } throws: { error in
            (error as? NetworkError)?.kind == .insecure(.plaintext(host: "127.0.0.1"))
        }
    }

    @Test(
        "S7 a proxy's exceptions, another target or address, and no proxy decide whether loopback leaves this machine")
    func forwarding() throws {
        let origin = try HTTPURL("http://localhost:8080/").origin
        let cases: [((inout SocketConfiguration) -> Void, Bool)] = [
            ({ $0.proxy = .none }, false), ({ $0.proxy = .url("http://127.0.0.1:1") }, true),
            ({ $0.proxy = .url("http://127.0.0.1:1", except: ["localhost"]) }, false),
            ({ $0.proxy = .url("http://127.0.0.1:1", except: ["localhost:81"]) }, true),
            ({ $0.connectionTargets = ["localhost:8080": "127.0.0.1:9"] }, false),
            ({ $0.connectionTargets = ["LOCALHOST:8080": "service.example:9"] }, true),
            ({ $0.addressOverrides = ["localhost:8080": ["127.0.0.1", "::1"]] }, false),
            ({ $0.addressOverrides = ["localhost:8080": ["127.0.0.1", "192.0.2.1"]] }, true),
        ]
        for (configure, forwards) in cases {
            #expect(try SocketTransport(configure).forwardsLoopback(origin) == forwards)
        }
    }
}

private func text(_ url: String, _ transport: SocketTransport) async throws -> String {
    let response = try await transport.send(HTTPRequest(url: HTTPURL(url)))
    return String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self)
}
