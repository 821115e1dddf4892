import Godwit
import GodwitSupport
import GodwitTesting
import PeerSupport
import Testing

@Suite("Contract: proxies", .timeLimit(.minutes(15)))
struct ProxyTests {
    /// A proxy that passes plain requests on to nobody, but answers them itself.
    private func makeProxy() async throws -> MockServer {
        try await MockServer { request in .text("proxied \(request.target)") }
    }

    @Test("T2 T23 a plain request goes to the proxy with its whole URL", arguments: Subject.allCases)
    func plain(_ subject: Subject) async throws {
        let proxy = try await makeProxy()
        let transport = try subject.make { $0.proxy = "http://127.0.0.1:\(proxy.url.port)" }
        let response = try await transport.get(HTTPURL("http://service.invalid/a?b=c"))
        #expect(try await text(of: response) == "proxied http://service.invalid/a?b=c")
        #expect(proxy.requests.first?.fields[.host] == "service.invalid")
    }

    @Test("T2 T23 the error for an unusable proxy does not contain its password", arguments: Subject.allCases)
    func password(_ subject: Subject) async throws {
        let transport = try subject.make { $0.proxy = "gopher://user:s3cret@127.0.0.1:9" }
        let error = await transport.failure(of: .get(try HTTPURL("http://service.invalid/")))
        #expect(error?.description.contains("gopher://<redacted>@127.0.0.1:9") == true)
        #expect(error.map { !"\($0) \($0.kind)".contains("s3cret") } == true)
    }

    @Test("T2 T23 exceptions are reached straight", arguments: Subject.allCases)
    func exceptions(_ subject: Subject) async throws {
        let proxy = try await makeProxy()
        let server = try await MockServer { $0.any("*").reply(.text("straight")) }
        let direct = try subject.make {
            $0.proxy = "http://127.0.0.1:\(proxy.url.port)"
            $0.proxyExceptions = ["other.example", "127.0.0.1"]
        }
        #expect(try await text(of: direct.get(server.url)) == "straight")
        let proxied = try subject.make {
            $0.proxy = "http://127.0.0.1:\(proxy.url.port)"
            $0.proxyExceptions = ["other.example"]
        }
        #expect(try await text(of: proxied.get(server.url)) == "proxied \(server.url)")
    }

    @Test("T2 T23 a tunnel for https", .enabled(if: Nginx.isRunning, Nginx.hint), arguments: Subject.allCases)
    func tunnel(_ subject: Subject) async throws {
        let target = try Nginx.h2.at("/1k.json")
        let proxy = try Listener()
        let heads = Watched<[String]>([])
        proxy.serve { connection in
            guard let head = connection.readHead(), let server = Listener.Connection(to: target.port) else { return }
            heads.update { $0.append(head) }
            connection.write("HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n")
            SystemThread { server.pass(to: connection) }?.detach()
            connection.pass(to: server)
        }
        let transport = try subject.makeTrusting { $0.proxy = "http://127.0.0.1:\(proxy.url.port)" }
        for _ in 0..<2 {
            let response = try await transport.get(target) { $0.fields[.authorization] = "Bearer secret" }
            #expect(try await bytes(of: response).count == 1024)
            #expect(response.metrics.protocolVersion == .http2)
            #expect(!response.head.fields.contains("X-Proxy"))
        }
        #expect(heads.value.count == 1)
        #expect(heads.value.first?.hasPrefix("CONNECT 127.0.0.1:\(target.port) HTTP/1.1\r\n") == true)
        #expect(heads.value.first?.contains("secret") == false)
    }

    @Test("T2 T23 a proxy that refuses the tunnel is .proxy with the status", arguments: Subject.allCases)
    func refusedTunnel(_ subject: Subject) async throws {
        let proxy = try Listener()
        proxy.serve { connection in
            guard connection.readHead() != nil else { return }
            connection.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
        }
        let transport = try subject.make { $0.proxy = "http://127.0.0.1:\(proxy.url.port)" }
        let error = await transport.failure(of: .get(try HTTPURL("https://service.invalid/")))
        #expect(error?.shortDescription == "transport.proxy")
        #expect(error?.description.contains("403") == true, "\(String(describing: error))")
        #expect(error?.phase == .connecting)
    }

    @Test(
        "T2 T23 a proxy that is not there is .cannotConnect, one without address .cannotResolveProxy",
        arguments: Subject.allCases)
    func missing(_ subject: Subject) async throws {
        let port = try Listener.closedPort().port
        let closed = try subject.make { $0.proxy = "http://127.0.0.1:\(port)" }
        let refused = await closed.failure(of: .get(try HTTPURL("http://service.invalid/")))
        #expect(refused?.shortDescription == "transport.cannot_connect")
        let isNamed = ["127.0.0.1 port \(port)", "127.0.0.1:\(port)"].contains {
            refused?.description.contains($0) == true
        }
        #expect(isNamed)
        let unknown = try subject.make { $0.proxy = "http://no-proxy.invalid:3128" }
        let error = await unknown.failure(of: .get(try HTTPURL("http://service.invalid/")))
        #expect(error?.kind == .transport(.cannotResolveProxy))
    }
}
