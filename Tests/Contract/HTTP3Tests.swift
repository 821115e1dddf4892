import Godwit
import GodwitHTTP3
import GodwitSupport
import PeerSupport
import TestSupport
import Testing

@Suite("HTTP/3: when it is used", .enabled(if: H3Peer.isAvailable, H3Peer.hint), .timeLimit(.minutes(15)))
struct HTTP3Tests {
    @Test("T15 HTTP/3 is used from the request after the announcement on, over one connection")
    func learned() async throws {
        let peer = try H3Peer()
        let transport = try peer.transport()
        var ports: Set<Int> = []
        for number in 0..<5 {
            let (hello, metrics) = try await transport.hello(peer)
            #expect(hello.version == (number == 0 ? "2" : "3"))
            #expect(metrics.protocolVersion == (number == 0 ? .http2 : .http3))
            #expect(metrics.http3Fallback == (number == 0 ? "the server has not announced HTTP/3" : nil))
            #expect(metrics.reusedConnection == (number > 1))
            if number > 0 { ports.insert(hello.port) }
        }
        #expect(ports.count == 1)
        await transport.shutdown(.finishing)
    }

    @Test("T15 HTTP/3 alone needs no announcement, and never uses TCP")
    func alone() async throws {
        let peer = try H3Peer("--alt-svc", "no")
        let transport = try peer.transport { $0.mode = .only }
        for number in 0..<3 {
            let (hello, metrics) = try await transport.hello(peer)
            #expect(hello.version == "3")
            #expect(metrics.reusedConnection == (number > 0))
        }
        let plain = await transport.failure(of: .get(try HTTPURL("http://127.0.0.1:1/")))
        guard case .unsupported("HTTP/3 without TLS", _)? = plain?.kind else {
            Issue.record("\(String(describing: plain))")
            return
        }
        await transport.shutdown(.finishing)
        let tcpOnly = try H3Peer("--udp", "closed")
        let other = try tcpOnly.transport { $0.mode = .only }
        let error = await other.failure(of: .get(try tcpOnly.at("/hello")))
        #expect(error?.shortDescription == "transport.cannot_connect")
        await other.shutdown(.finishing)
    }

    @Test("T15 HTTP/3 alone neither takes a proxy nor a Unix domain socket")
    func refusedSettings() {
        for change: (inout HTTP3Configuration) -> Void in [
            { $0.sockets.proxy = .url("http://127.0.0.1:1") }, { $0.sockets.unixSocketPath = "/tmp/none" },
        ] {
            #expect(throws: NetworkError.self) {
                try HTTP3Transport {
                    $0.mode = .only
                    change(&$0)
                }
            }
        }
    }

    @Test("T15 an announced port other than the origin's is used, with the origin's certificate")
    func otherPort() async throws {
        let peer = try H3Peer("--udp-port", "other")
        let transport = try peer.transport()
        for version in ["2", "3", "3"] { #expect(try await transport.hello(peer).0.version == version) }
        await transport.shutdown(.finishing)
    }

    @Test(
        "T15 other protocols, other hosts and expired announcements are not used",
        arguments: [
            #"h2=":1""#, #"h3-29=":PORT""#, #"h3="elsewhere.example:443""#, #"h3=":PORT"; ma=0"#, "nonsense",
        ])
    func unused(field: String) async throws {
        let peer = try H3Peer("--alt-svc", "no")
        let transport = try peer.transport()
        let port = String(try peer.at("/").port)
        let parts = field.split(separator: "PORT", omittingEmptySubsequences: false)
        let body = Data(parts.joined(separator: port).utf8)
        _ = try await transport.send(.upload(.bytes(body), to: peer.at("/alt-svc"), .post))
        for _ in 0..<3 {
            let (hello, metrics) = try await transport.hello(peer)
            #expect(hello.version == "2")
            #expect(metrics.http3Fallback == "the server has not announced HTTP/3")
        }
        await transport.shutdown(.finishing)
    }

    @Test("T15 a server that clears its announcement gets HTTP/2 again")
    func cleared() async throws {
        let peer = try H3Peer()
        let transport = try peer.transport()
        for version in ["2", "3"] { #expect(try await transport.hello(peer).0.version == version) }
        _ = try await transport.send(.upload("clear", to: peer.at("/alt-svc"), .post))
        #expect(try await transport.hello(peer).0.version == "2")
        await transport.shutdown(.finishing)
    }

    @Test("T15 without a word from the configuration HTTP/3 is not used, nor explained")
    func defaults() async throws {
        let peer = try H3Peer()
        let transport = try peer.tcpTransport()
        for _ in 0..<3 {
            let (hello, metrics) = try await transport.hello(peer)
            #expect(hello.version == "2")
            #expect(metrics.http3Fallback == nil)
        }
        await transport.shutdown(.finishing)
    }

    @Test("T15 an expected HTTP/3 is used by the first request, and concurrent ones share its connection")
    func expected() async throws {
        let peer = try H3Peer()
        let transport = try peer.transport { [url = try peer.at("/")] in
            $0.alternativeServices.expectHTTP3(at: url)
        }
        #expect(try await transport.hello(peer).0.version == "3")
        // Fewer than a connection takes: above that, further connections race again.
        let ports = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<80 {
                group.addTask {
                    let (hello, metrics) = try await transport.hello(peer)
                    #expect(metrics.protocolVersion == .http3)
                    return hello.port
                }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(ports.count == 1)
        await transport.shutdown(.finishing)
    }

    @Test("T15 concurrent first requests all succeed, whichever connection wins")
    func together() async throws {
        let peer = try H3Peer()
        let transport = try peer.transport { [url = try peer.at("/")] in
            $0.alternativeServices.expectHTTP3(at: url)
        }
        try await withThrowingTaskGroup(of: HTTPVersion?.self) { group in
            for _ in 0..<50 { group.addTask { try await transport.hello(peer).1.protocolVersion } }
            let versions = try await group.reduce(into: []) { $0.append($1) }
            #expect(versions.contains(.http3))
        }
        #expect(try await transport.hello(peer).0.version == "3")
        await transport.shutdown(.finishing)
    }

    @Test("T15 announcements in a file are used by the next process's first request")
    func file() async throws {
        let peer = try H3Peer()
        let folder = TemporaryFolder()
        let url = folder.url.appending(path: "alt-svc")
        let services = AlternativeServices(file: url)
        let first = try peer.transport { $0.alternativeServices = services }
        #expect(try await first.hello(peer).0.version == "2")
        await first.shutdown(.finishing)
        await services.flush()
        let second = try peer.transport { $0.alternativeServices = AlternativeServices(file: url) }
        #expect(try await second.hello(peer).0.version == "3")
        await second.shutdown(.finishing)
    }

    @Test("A9 T15 processes that share a file keep each other's announcements, and removing removes all")
    func sharedFile() async throws {
        let folder = TemporaryFolder()
        let url = folder.url.appending(path: "alt-svc")
        let pages = try ["a", "b", "c"].map { try HTTPURL("https://\($0).example.com/") }
        let all = pages.map { _ in AlternativeServices(file: url) }
        for (services, page) in zip(all, pages) {
            services.expectHTTP3(at: page)
            await services.flush()
        }
        let next = AlternativeServices(file: url)
        for page in pages { #expect(next.decision(for: page.origin) == .available(port: 443)) }
        all[0].removeAll()
        await all[0].flush()
        all[1].expectHTTP3(at: try HTTPURL("https://d.example.com/"))
        await all[1].flush()
        #expect(try folder.read("alt-svc").split(separator: "\n").count == 2)
        #expect(try folder.names == ["alt-svc"])
    }

    @Test("T15 a proxy, a WebSocket and a warm-up do without HTTP/3, and metrics say why")
    func fallbacks() async throws {
        let peer = try H3Peer()
        let services = AlternativeServices()
        services.expectHTTP3(at: try peer.at("/"))
        let proxy = try Listener()
        proxy.serve { connection in
            guard connection.readHead() != nil, let port = try? peer.at("/").port,
                let server = Listener.Connection(to: port)
            else { return }
            connection.write("HTTP/1.1 200 Connection established\r\n\r\n")
            SystemThread { server.pass(to: connection) }?.detach()
            connection.pass(to: server)
        }
        let transport = try peer.transport {
            $0.alternativeServices = services
            $0.sockets.proxy = .url("http://127.0.0.1:\(proxy.url.port)")
        }
        let (hello, metrics) = try await transport.hello(peer)
        #expect(hello.version == "2")
        #expect(metrics.http3Fallback == "a proxy is used")
        await transport.shutdown(.finishing)

        let warm = try peer.transport { $0.alternativeServices = services }
        try await warm.warmUp(peer.at("/"), connections: 1)
        #expect(try await warm.hello(peer).0.version == "3")
        await warm.shutdown(.finishing)
    }
}
