import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Contract: connections", .timeLimit(.minutes(15)))
struct ConnectionTests {
    @Test("T2 one connection serves one request after the other", arguments: Subject.allCases)
    func reuse(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let transport = try subject.make()
        var reused: [Bool] = []
        for _ in 0..<5 { reused.append(try await transport.get(server.url).metrics.reusedConnection) }
        #expect(reused == [false, true, true, true, true])
        #expect(server.connectionCount == 1)
    }

    @Test("T2 a connection that the server closes after its answer is not used again", arguments: Subject.allCases)
    func closing(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok").closing()) }
        let transport = try subject.make()
        for _ in 0..<3 { #expect(try await !transport.get(server.url).metrics.reusedConnection) }
        #expect(server.connectionCount == 3)
    }

    @Test("T2 a kept connection that breaks: what can be repeated is sent again", arguments: Subject.allCases)
    func staleRepeatable(_ subject: Subject) async throws {
        let requests: [HTTPRequest] = try [
            .get(HTTPURL("http://x/")), .upload("content", to: HTTPURL("http://x/"), .put),
            .upload(nil, to: HTTPURL("http://x/"), .delete),
            .upload("content", to: HTTPURL("http://x/"), .post) { $0.fields[.idempotencyKey] = "1" },
        ]
        for template in requests {
            for fault in [MockResponse.close, .reset] {
                let server = try await MockServer { $0.any("*").replies([.text("first"), fault, .text("again")]) }
                let transport = try subject.make()
                _ = try await transport.get(server.url)
                var request = template
                request.url = server.url
                #expect(try await text(of: transport.send(request)) == "again")
                #expect(server.requests.map(\.connection) == [1, 1, 2])
                #expect(server.requests[1].text == server.requests[2].text)
            }
        }
    }

    @Test("T2 a kept connection that breaks: a POST is not sent twice, and says why", arguments: Subject.allCases)
    func stalePost(_ subject: Subject) async throws {
        for method in [HTTPMethod.post, .patch] {
            let server = try await MockServer { $0.any("*").replies([.text("first"), .close, .text("ok")]) }
            let transport = try subject.make()
            _ = try await transport.get(server.url)
            let error = await transport.failure(of: .upload("content", to: server.url, method))
            #expect(error?.shortDescription == "transport.connection_lost")
            #expect(error?.description.contains("could repeat its effect") == true)
            #expect(error?.isRetryable == true)
            #expect(server.requestCount == 2)
            #expect(try await transport.stillWorks(with: server))
        }
    }

    @Test("T2 a stream that was read partly is not sent again", arguments: Subject.allCases)
    func staleStream(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").replies([.text("first"), .close, .text("ok")]) }
        let transport = try subject.make()
        _ = try await transport.get(server.url)
        let source = Source(Data(count: 1000), times: 3)
        let error = await transport.failure(of: .upload(.stream(once: source), to: server.url))
        #expect(error?.shortDescription == "transport.cannot_send_body")
        #expect(try await transport.stillWorks(with: server))
    }

    @Test(
        "T2 a connection that was closed while idle is noticed before it is used, also for a POST",
        arguments: Subject.allCases)
    func closedWhileIdle(_ subject: Subject) async throws {
        let (listener, ended) = (try Listener(), Watched(0))
        listener.serve { connection in
            // Says that it keeps the connection, and closes it.
            guard connection.readHead() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            connection.end()
            ended.update { $0 += 1 }
        }
        let transport = try subject.make()
        for number in 1...5 {
            let response = try await transport.send(.upload(nil, to: listener.url, .post))
            #expect(try await text(of: response) == "ok")
            #expect(listener.connections == number)
            try await ended.wait { $0 == number }
        }
    }

    @Test("T2 a new connection that breaks is an error at once", arguments: Subject.allCases)
    func fresh(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.close) }
        let error = await (try subject.make()).failure(of: .get(server.url))
        #expect(error?.shortDescription == "transport.connection_lost")
        #expect(server.requestCount == 1)
    }

    @Test("T2 a slow answer does not hold other requests to the same host up", arguments: Subject.allCases)
    func independent(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/slow").reply(.hang)
            $0.get("/ok").reply(.text("ok"))
        }
        let transport = try subject.make()
        let slow = try server.at("/slow")
        let task = Task { await transport.failure(of: .get(slow)) }
        try await server.waitForRequests()
        for _ in 0..<3 { #expect(try await transport.stillWorks(with: server)) }
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
    }

    @Test("T2 no more connections per host than allowed; the others wait their turn", arguments: Subject.allCases)
    func limit(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok").delayed(by: .milliseconds(5))) }
        let transport = try subject.make { $0.connectionsPerHost = 3 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask { [url = server.url] in _ = try await transport.get(url) }
            }
            try await group.waitForAll()
        }
        #expect(server.connectionCount == 3)
        #expect(server.requestCount == 40)
    }

    @Test("T2 many requests at once over many connections", arguments: Subject.allCases, [1, 2])
    func many(_ subject: Subject, _ eventLoops: Int) async throws {
        let server = try await MockServer { request in .text(request.query ?? "") }
        let transport = try subject.make { $0.eventLoops = eventLoops }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                let url = try server.at("/?\(number)")
                group.addTask {
                    let answer = try await text(of: transport.get(url))
                    #expect(answer == "\(number)")
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requestCount == 300)
    }

    @Test("T2 over IPv6", arguments: Subject.allCases)
    func ipv6(_ subject: Subject) async throws {
        var options = MockServer.Options()
        options.address = .ipv6()
        let server = try await MockServer(options) { $0.any("*").reply(.text("six")) }
        let response = try await subject.make().get(server.url)
        #expect(try await text(of: response) == "six")
        #expect(response.metrics.remoteAddress == "[::1]:\(server.url.port)")
    }

    @Test("T2 over a unix-domain socket", arguments: Subject.allCases)
    func unixSocket(_ subject: Subject) async throws {
        let folder = TemporaryFolder()
        var options = MockServer.Options()
        options.address = .unixSocket(path: folder.path("socket").path)
        let server = try await MockServer(options) { $0.any("*").reply(.text("local")) }
        let transport = try subject.make { $0.unixSocketPath = folder.path("socket").path }
        for _ in 0..<2 {
            let response = try await transport.get(HTTPURL("http://service.example/a"))
            #expect(try await text(of: response) == "local")
            #expect(response.metrics.remoteAddress == nil)
        }
        #expect(server.requests.map { $0.fields[.host] } == ["service.example", "service.example"])
        #expect(server.connectionCount == 1)
        await server.stop()
        let error = await transport.failure(of: .get(try HTTPURL("http://service.example/a")))
        #expect(error?.shortDescription == "transport.cannot_connect")
    }

    @Test("T2 names are looked up in the overrides first", arguments: Subject.allCases)
    func overrides(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("here")) }
        var options = MockServer.Options()
        options.address = .ipv6()
        let six = try await MockServer(options) { $0.any("*").reply(.text("six")) }
        let transport = try subject.make {
            $0.addressOverrides = [
                "api.invalid:\(server.url.port)": ["127.0.0.1"], "six.invalid:\(six.url.port)": ["::1"],
                "both.invalid:\(server.url.port)": ["::1", "127.0.0.1"],
            ]
        }
        for _ in 0..<2 {
            #expect(try await text(of: transport.get(HTTPURL("http://api.invalid:\(server.url.port)/"))) == "here")
            #expect(try await text(of: transport.get(HTTPURL("http://six.invalid:\(six.url.port)/"))) == "six")
            #expect(try await text(of: transport.get(HTTPURL("http://both.invalid:\(server.url.port)/"))) == "here")
        }
        #expect(server.requests.first?.fields[.host] == "api.invalid:\(server.url.port)")
        let error = await transport.failure(of: .get(try HTTPURL("http://api.invalid:1/")))
        #expect(error?.shortDescription == "transport.cannot_resolve_host")
    }

    @Test(
        "T2 an override that means nothing is refused when the transport is made", arguments: Subject.allCases,
        ["no-port", "host:port", "host:0", ":80", "host:80:90", "host:80/a", "host:80 "])
    func badOverrides(_ subject: Subject, _ name: String) throws {
        for overrides in [[name: ["127.0.0.1"]], ["good.example:80": ["not an address"]], ["good.example:80": []]] {
            let error = #expect(throws: NetworkError.self) { try subject.make { $0.addressOverrides = overrides } }
            #expect(error?.shortDescription == "invalid_request")
            #expect(error?.description.contains("override") == true)
        }
    }

    @Test("T1 a closed port is .cannotConnect", arguments: Subject.allCases, ["http", "https"])
    func refused(_ subject: Subject, _ scheme: String) async throws {
        let port = try Listener.closedPort().port
        let ended = Watched<TransferMetrics?>(nil)
        let error = await (try subject.make()).failure(
            of: .get(try HTTPURL("\(scheme)://127.0.0.1:\(port)/")) {
                $0.options.onEvent = { event in
                    if case .finished(let metrics) = event { ended.update { $0 = metrics } }
                }
            })
        #expect(error?.shortDescription == "transport.cannot_connect")
        #expect(error?.phase == .connecting)
        #expect(error?.isRetryable == true)
        // libcurl 8 writes a colon.
        let isNamed = ["127.0.0.1 port \(port)", "127.0.0.1:\(port)"].contains {
            error?.description.contains($0) == true
        }
        #expect(isNamed, "\(String(describing: error))")
        #expect(ended.value?.reusedConnection == false)
    }

    @Test("T1 a name without address is .cannotResolveHost", arguments: Subject.allCases)
    func unresolvable(_ subject: Subject) async throws {
        let error = await (try subject.make()).failure(of: .get(try HTTPURL("http://no-such-host.invalid/")))
        #expect(error?.kind == .transport(.cannotResolveHost("no-such-host.invalid")))
        #expect(error?.phase == .connecting)
        #expect(error?.description.contains("\"no-such-host.invalid\" could not be resolved") == true)
    }

    @Test(
        "T2 over HTTP/2 twenty requests share one connection", .enabled(if: Nginx.isRunning, Nginx.hint),
        arguments: Subject.allCases)
    func multiplexed(_ subject: Subject) async throws {
        let transport = try subject.makeTrusting()
        let url = try Nginx.h2.at("/1k.json")
        let metrics = try await withThrowingTaskGroup(of: TransferMetrics.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let response = try await transport.get(url)
                    #expect(try await bytes(of: response).count == 1024)
                    return response.metrics
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(metrics.allSatisfy { $0.protocolVersion == .http2 })
        #expect(metrics.filter { !$0.reusedConnection }.count == 1)
    }

    @Test(
        "T2 versions are as asked for and as the server has them", .enabled(if: Nginx.isRunning, Nginx.hint),
        arguments: Subject.allCases)
    func versions(_ subject: Subject) async throws {
        let automatic = try subject.makeTrusting()
        let old = try subject.makeTrusting { $0.versions = .http1 }
        #expect(try await automatic.get(Nginx.h2.at("/1k.json")).metrics.protocolVersion == .http2)
        #expect(try await automatic.get(Nginx.tls1.at("/1k.json")).metrics.protocolVersion == .http1_1)
        #expect(try await automatic.get(Nginx.http.at("/1k.json")).metrics.protocolVersion == .http1_1)
        #expect(try await old.get(Nginx.h2.at("/1k.json")).metrics.protocolVersion == .http1_1)
    }
}
