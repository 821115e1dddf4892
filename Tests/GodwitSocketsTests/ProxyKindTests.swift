import Godwit
import GodwitSockets
import GodwitTesting
import PeerSupport
import Synchronization
import TestSupport
import Testing

private let replies: [(String, [UInt8])] = [
    ("http", Array("HTTP/1.1 103 E\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n".utf8)),
    ("http", Array("HTTP/1.1 407 A\r\nProxy-Authenticate: Basic realm=\"r\"\r\nContent-Length: 2\r\n\r\nno".utf8)),
    ("socks5h", [5, 2, 1, 0, 5, 0, 0, 3, 1, 97, 0, 80]),
    ("socks5h", [5, 0, 5, 0, 0, 4] + Array(repeating: 0, count: 18)),
]

private let digestChallenge = "Digest realm=\"nest\", nonce=\"%n\", qop=\"auth\""

extension String {
    /// The values of a field in a head.
    fileprivate func components(of field: String) -> [String] {
        split(separator: "\r\n").filter { $0.hasPrefix(field) }.map { String($0.dropFirst(field.count)) }
    }
}

/// Each kind of proxy over real sockets: what it gets, what the server gets, and what its refusals become.
@Suite("T23 kinds of proxies, over real sockets", .timeLimit(.minutes(15)))
struct ProxyKindTests {
    enum Kind: String, CaseIterable, Sendable {
        case http, socks5, socks5h
    }

    private func origin(_ isSecure: Bool) async throws -> MockServer {
        try await MockServer(isSecure ? .tls : MockServer.Options()) { route in
            route.any("/echo").reply(.text("origin"))
            route.webSocket("/socket") { socket in try await socket.send(try await socket.receive()) }
        }
    }

    private func makeTransport(
        _ proxy: String, to server: MockServer? = nil, _ configure: (inout SocketConfiguration) -> Void = { _ in }
    ) throws -> SocketTransport {
        try SocketTransport { settings in
            settings.proxy = .url(proxy)
            if let server { settings.tls.trust(server) }
            configure(&settings)
        }
    }

    private func expectNoCredentials(at server: MockServer) {
        #expect(server.requests.allSatisfy { !$0.fields.contains(.proxyAuthorization) })
        #expect(server.requests.allSatisfy { !"\($0.fields.map(\.value))".contains("s3cret") })
    }

    private func failure(_ transport: SocketTransport, _ url: HTTPURL, within limit: Duration = .seconds(20)) async
        -> NetworkError?
    {
        await transport.failure(of: .get(url) { $0.options.timeouts.total = limit })
    }

    // MARK: Kinds

    @Test(
        "T23 http, socks5 and socks5h proxies, with a password or without, for http and https",
        arguments: Kind.allCases, [false, true])
    func kinds(_ kind: Kind, _ hasPassword: Bool) async throws {
        for isSecure in [false, true] {
            let server = try await origin(isSecure)
            let proxy = try ProxyPeer {
                if hasPassword { ($0.challenges, $0.socksMethod) = (["Basic realm=\"nest\""], 2) }
            }
            let url = hasPassword ? proxy.url(kind.rawValue) : "\(kind.rawValue)://127.0.0.1:\(proxy.port)"
            let transport = try makeTransport(url, to: server)
            let target = try HTTPURL("\(server.url.scheme.rawValue)://localhost:\(server.url.port)/echo")
            for _ in 0..<2 {
                let answer = try await text(of: transport.get(target))
                #expect(answer == (kind == .http && !isSecure ? "proxied \(target)" : "origin"))
            }
            expectNoCredentials(at: server)
            // The tunnel is kept, and so is a connection that answered 407.
            #expect(proxy.connections == 1)
            // Only socks5h names the host; socks5 sends the address that this machine finds.
            if kind != .http { #expect(proxy.socks.map { $0[3] == 3 } == [kind == .socks5h]) }
        }
    }

    @Test(
        "T23 an https proxy, with Basic and Digest, for http and https; the proxy's certificate is verified",
        arguments: ["Basic", "Digest"])
    func secureProxy(_ scheme: String) async throws {
        let folder = TemporaryFolder()
        let authority = folder.url.appending(path: "authority.pem")
        let pair = Data("reader:s3cret".utf8).base64EncodedString()
        let accepted = scheme == "Basic" ? "Basic \(pair)" : "Digest username=\"reader\", realm=\"nest\", "
        for isSecure in [false, true] {
            let server = try await origin(isSecure)
            let port = UInt16(clamping: server.url.port)
            let proxy = try await MockServer(.tls) { request in
                guard request.fields[.proxyAuthorization]?.hasPrefix(accepted) == true else {
                    return .status(HTTPStatus(407) ?? .badRequest)
                        .field(.proxyAuthenticate, "\(scheme) realm=\"nest\", nonce=\"n\", qop=\"auth\"")
                }
                return request.method == .connect
                    ? .tunnel(to: "127.0.0.1", port: port) : .text("proxied \(request.target)")
            }
            try Data((proxy.authority ?? "").utf8).write(to: authority)
            let url = "https://reader:s3cret@127.0.0.1:\(proxy.url.port)"
            let target = try server.at("/echo")
            let transport = try makeTransport(url, to: server) { $0.additionalAuthorities = authority }
            let answer = try await text(of: transport.get(target))
            #expect(answer == (isSecure ? "origin" : "proxied \(target)"))
            #expect(proxy.requests.map { $0.fields.contains(.proxyAuthorization) } == [false, true])
            #expect(proxy.requests.allSatisfy { $0.fields[.proxyAuthorization]?.contains("s3cret") != true })
            expectNoCredentials(at: server)
            let error = await failure(try makeTransport(url, to: server), target)
            #expect(error?.shortDescription == "insecure.untrusted_certificate", "\(error as Any)")
        }
    }

    @Test("T23 T2 a WebSocket through each kind of proxy, with the Host of `hostFields`", arguments: Kind.allCases)
    func webSocket(_ kind: Kind) async throws {
        for isSecure in [false, true] {
            let server = try await origin(isSecure)
            let proxy = try ProxyPeer { ($0.challenges, $0.socksMethod) = ([digestChallenge], 2) }
            let transport = try makeTransport(proxy.url(kind.rawValue), to: server) {
                $0.hostFields = ["127.0.0.1:\(server.url.port)": "birds.example"]
            }
            let socket = try await APIClient(baseURL: server.url, transport: transport).webSocket("socket")
            try await socket.send("hi")
            #expect(try await socket.receive() == .text("hi"))
            #expect(server.requests.map { $0.fields[.host] } == ["birds.example"])
            expectNoCredentials(at: server)
            await socket.close()
        }
    }

    // MARK: Digest

    @Test(
        "T23 Digest: for tunnels and in absolute form, by the strongest challenge; what was accepted is sent at once",
        arguments: [true, false], [true, false])
    func digest(_ isSecure: Bool, _ isKept: Bool) async throws {
        let server = try await origin(isSecure)
        let proxy = try ProxyPeer {
            $0.challenges = [
                "Basic realm=\"nest\"", "\(digestChallenge), algorithm=MD5", "\(digestChallenge), algorithm=SHA-256",
            ]
            $0.keepsRefused = isKept
        }
        let transport = try makeTransport(proxy.url("http"), to: server) { $0.maximumIdleConnections = 0 }
        let target = try server.at("/echo")
        for _ in 0..<3 {
            #expect(try await text(of: transport.get(target)) == (isSecure ? "origin" : "proxied \(target)"))
        }
        #expect(!proxy.heads[0].contains("Proxy-Authorization"))
        let answers = proxy.heads.dropFirst()
        #expect(answers.allSatisfy { $0.contains("Proxy-Authorization: Digest ") && $0.contains("algorithm=SHA-256") })
        #expect(answers.indices.allSatisfy { proxy.heads[$0].contains("nc=0000000\($0)") })
        #expect(!proxy.heads.contains { $0.contains("s3cret") })
        expectNoCredentials(at: server)
    }

    @Test("T23 a nonce that is too old is replaced once for a request", arguments: [true, false])
    func stale(_ isSecure: Bool) async throws {
        let server = try await origin(isSecure)
        let proxy = try ProxyPeer { ($0.challenges, $0.usesPerNonce) = ([digestChallenge], 1) }
        let transport = try makeTransport(proxy.url("http"), to: server) { $0.maximumIdleConnections = 0 }
        let target = try server.at("/echo")
        for count in [2, 4, 6] {
            _ = try await text(of: transport.get(target))
            #expect(proxy.heads.count <= count)
        }
        // No nonce is ever good.
        let never = try ProxyPeer { ($0.challenges, $0.usesPerNonce) = ([digestChallenge], 0) }
        let refused = try makeTransport(never.url("http"), to: server)
        if isSecure {
            #expect(await failure(refused, target)?.shortDescription == "transport.proxy")
        } else {
            #expect(try await refused.get(target).head.status.code == 407)
        }
        #expect(never.heads.count == 3)
    }

    @Test(
        "T23 a password that is refused ends the call, is sent once, and is in no text",
        arguments: [
            ["Basic realm=\"nest\""], [digestChallenge], ["Basic realm=\"nest\"", digestChallenge], ["Negotiate"],
        ])
    func refusal(_ challenges: [String]) async throws {
        for (isSecure, isKept) in [(true, true), (true, false), (false, true), (false, false)] {
            let proxy = try ProxyPeer { ($0.challenges, $0.keepsRefused) = (challenges, isKept) }
            let transport = try makeTransport(proxy.url("http", password: "wr0ng"))
            let url = try HTTPURL("\(isSecure ? "https" : "http")://service.invalid/")
            if isSecure {
                let error = await failure(transport, url)
                #expect(error?.kind == .transport(.proxy("the proxy answered CONNECT with 407")))
                #expect(error.map { !"\($0)".contains("wr0ng") } == true)
            } else {
                let response = try await transport.get(url)
                #expect(response.head.status.code == 407)
                #expect(try await text(of: response) == "no")
            }
            #expect(proxy.heads.count == (challenges == ["Negotiate"] ? 1 : 2))
        }
    }

    @Test(
        "T23 the body of a 407 is skipped, whatever its form; after a long one, there is another connection",
        arguments: [
            ("Content-Length: 0\r\n\r\n", 1),
            ("Content-Length: 65536\r\n\r\n\(String(repeating: "n", count: 65536))", 1),
            ("Transfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\nA: b\r\n\r\n", 1),
            ("Content-Length: 65537\r\n\r\n\(String(repeating: "n", count: 65537))", 2),
            ("Transfer-Encoding: chunked\r\n\r\n20000\r\n\(String(repeating: "n", count: 0x20000))\r\n0\r\n\r\n", 2),
            ("Transfer-Encoding: chunked\r\n\r\nx\r\n", 2),
        ])
    func refusalBody(_ body: String, _ connections: Int) async throws {
        for isSecure in [true, false] {
            let server = try await origin(isSecure)
            let proxy = try ProxyPeer { ($0.challenges, $0.refusal) = ([digestChallenge], body) }
            let transport = try makeTransport(proxy.url("http"), to: server)
            let target = try server.at("/echo")
            #expect(try await text(of: transport.get(target)) == (isSecure ? "origin" : "proxied \(target)"))
            #expect(proxy.connections == connections)
        }
    }

    @Test("T23 a 407 of the server behind a tunnel is its response, and isn't answered", arguments: Kind.allCases)
    func serversChallenge(_ kind: Kind) async throws {
        for isSecure in kind == .http ? [true] : [true, false] {
            let server = try await MockServer(isSecure ? .tls : MockServer.Options()) { _ in
                .status(HTTPStatus(407) ?? .badRequest).field(.proxyAuthenticate, "Basic realm=\"nest\"")
            }
            let proxy = try ProxyPeer { ($0.challenges, $0.socksMethod) = (["Basic realm=\"nest\""], 2) }
            let transport = try makeTransport(proxy.url(kind.rawValue), to: server)
            #expect(try await transport.get(server.url).head.status.code == 407)
            #expect(server.requestCount == 1)
            expectNoCredentials(at: server)
        }
    }

    @Test("T23 a request with its own Proxy-Authorization keeps it, and its 407 is returned")
    func ownField() async throws {
        let proxy = try ProxyPeer { $0.challenges = ["Basic realm=\"nest\""] }
        let transport = try makeTransport(proxy.url("http"))
        let response = try await transport.get(HTTPURL("http://service.invalid/")) {
            $0.fields[.proxyAuthorization] = "Bearer mine"
        }
        #expect(response.head.status.code == 407)
        #expect(proxy.heads.map { $0.components(of: "Proxy-Authorization: ") } == [["Bearer mine"]])
    }

    @Test("T23 many requests at once through a proxy that asks", arguments: [true, false])
    func many(_ isSecure: Bool) async throws {
        let server = try await origin(isSecure)
        let proxy = try ProxyPeer { ($0.challenges, $0.usesPerNonce) = ([digestChallenge], 5) }
        let transport = try makeTransport(proxy.url("http"), to: server) { $0.protocols = .http1 }
        let target = try server.at("/echo")
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<40 { group.addTask { try await text(of: transport.get(target)) } }
            for try await answer in group { #expect(answer == (isSecure ? "origin" : "proxied \(target)")) }
        }
        expectNoCredentials(at: server)
    }

    // MARK: Bodies

    private func once(_ text: String) -> HTTPBody {
        .stream(
            once: AsyncStream<Data> { chunks in
                chunks.yield(Data(text.utf8))
                chunks.finish()
            })
    }

    @Test("T23 a body is sent again after a 407; one that can be sent only once waits until the proxy has asked")
    func bodies() async throws {
        let target = try HTTPURL("http://service.invalid/upload")
        for isKept in [true, false] {
            let proxy = try ProxyPeer { ($0.challenges, $0.keepsRefused) = ([digestChallenge], isKept) }
            let transport = try makeTransport(proxy.url("http"))
            let response = try await transport.send(.upload(.bytes(Data("tide".utf8)), to: target, .post))
            #expect(response.head.status == .ok)
            #expect(proxy.bodies == ["tide", "tide"])
            let other = try ProxyPeer { ($0.challenges, $0.keepsRefused) = ([digestChallenge], isKept) }
            let streaming = try makeTransport(other.url("http"))
            for _ in 0..<2 {
                let response = try await streaming.send(.upload(once("tide"), to: target, .post))
                #expect(response.head.status == .ok)
            }
            #expect(other.bodies == ["4\r\ntide\r\n0\r\n\r\n", "4\r\ntide\r\n0\r\n\r\n"])
            #expect(other.heads.map { $0.contains("Expect: 100-continue") } == [true, false, false])
        }
    }

    @Test("T23 a body that was sent and can be sent only once is .cannotSendBody")
    func lostBody() async throws {
        let proxy = try ProxyPeer { ($0.challenges, $0.readsBodyFirst) = ([digestChallenge], true) }
        let transport = try makeTransport(proxy.url("http"))
        let request = HTTPRequest.upload(once("tide"), to: try HTTPURL("http://service.invalid/"), .post)
        let error = await transport.failure(of: request)
        #expect(error?.shortDescription == "transport.cannot_send_body", "\(error as Any)")
        #expect(proxy.heads.count == 1)
    }

    // MARK: Refusals and faults

    @Test(
        "T23 what a SOCKS proxy refuses is .proxy, in words",
        arguments: [
            (1, "SOCKS reply 1"), (2, "rules forbid"), (3, "can't reach the network"), (4, "can't reach the host"),
            (5, "refused the proxy's connection"), (6, "took too long"), (7, "SOCKS reply 7"),
            (8, "doesn't support this type"), (255, "SOCKS reply 255"),
        ] as [(UInt8, String)])
    func socksReplies(_ code: UInt8, _ words: String) async throws {
        let proxy = try ProxyPeer { $0.socksReply = code }
        let error = await failure(
            try makeTransport("socks5h://127.0.0.1:\(proxy.port)"), try HTTPURL("http://service.invalid/"))
        #expect(error?.shortDescription == "transport.proxy")
        #expect(error?.description.contains(words) == true, "\(error as Any)")
        #expect(error?.phase == .connecting)
    }

    @Test("T23 a SOCKS proxy that refuses the password, or asks for one that isn't there, is .proxy")
    func socksPassword() async throws {
        let proxy = try ProxyPeer { $0.socksMethod = 2 }
        let url = try HTTPURL("http://service.invalid/")
        let wrong = await failure(try makeTransport(proxy.url("socks5h", password: "wr0ng")), url)
        #expect(wrong?.kind == .transport(.proxy("the proxy refused user and password")))
        let none = await failure(try makeTransport("socks5h://127.0.0.1:\(proxy.port)"), url)
        #expect(none?.kind == .transport(.proxy("the proxy accepts none of the ways to authenticate")))
        #expect(proxy.socks.isEmpty)
    }

    /// A proxy that sends this on each connection, whatever it gets, and closes it or doesn't.
    private func saying(_ bytes: [UInt8], thenClosing: Bool = true) throws -> Listener {
        let listener = try Listener()
        listener.serve { connection in
            connection.write(bytes)
            if thenClosing { connection.end(sendingOnly: true) }
            connection.waitUntilPeerLeaves()
        }
        return listener
    }

    @Test("T23 an answer that is cut at any byte is .proxy, at once", arguments: replies.indices)
    func cut(_ index: Int) async throws {
        let (scheme, bytes) = replies[index]
        for end in bytes.indices {
            let proxy = try saying(Array(bytes[..<end]))
            let transport = try makeTransport("\(scheme)://a:b@127.0.0.1:\(proxy.url.port)")
            let error = await failure(transport, try HTTPURL("https://service.invalid/"))
            #expect(error?.shortDescription == "transport.proxy", "\(end) bytes: \(error as Any)")
            // Another one is made only after a whole head asked for credentials.
            #expect(proxy.connections <= 2)
        }
    }

    @Test(
        "T23 an answer that is none is .proxy",
        arguments: [
            ("http", Array("SSH-2.0-OpenSSH\r\n".utf8)), ("http", Array("HTTP/1.1 200OK\r\n\r\n".utf8)),
            ("http", Array("HTTP/1.1 101 Switching\r\n\r\n".utf8)), ("http", [5, 0]),
            ("http", [0x15, 3, 3, 0, 2, 2, 40]),
            ("http", Array("HTTP/1.1 200 OK\r\nA: ".utf8) + Array(repeating: 97, count: 300_000)),
            ("socks5h", [4, 0]), ("socks5h", Array("HTTP/1.1 400 Bad\r\n\r\n".utf8)), ("socks5h", [5, 1]),
            ("socks5h", [5, 0, 4, 0, 0, 1, 0, 0, 0, 0, 0, 0]), ("socks5h", [5, 0, 5, 0, 0, 2, 0, 0, 0, 0, 0, 0]),
        ] as [(String, [UInt8])])
    func malformed(_ scheme: String, _ bytes: [UInt8]) async throws {
        let proxy = try saying(bytes, thenClosing: false)
        let transport = try makeTransport("\(scheme)://a:b@127.0.0.1:\(proxy.url.port)")
        let error = await failure(transport, try HTTPURL("https://service.invalid/"))
        #expect(error?.shortDescription == "transport.proxy", "\(error as Any)")
        #expect(error.map { !"\($0)".contains("a:b") } == true)
    }

    @Test("T23 a proxy that says nothing is .timedOut(.connect)", arguments: ["http", "https", "socks5", "socks5h"])
    func silent(_ scheme: String) async throws {
        let proxy = try Listener()
        proxy.serve { $0.waitUntilPeerLeaves() }
        let transport = try makeTransport("\(scheme)://a:b@127.0.0.1:\(proxy.url.port)")
        let error = await transport.failure(
            of: .get(try HTTPURL("https://127.0.0.1/")) { $0.options.timeouts.connect = .milliseconds(200) })
        #expect(error?.kind == .timedOut(.connect))
    }

    @Test("T23 T2 what the proxy sends with its answer is the tunnel's")
    func early() async throws {
        let listener = try Listener()
        listener.serve { connection in
            guard connection.readHead() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\n")
            connection.waitUntilPeerLeaves()
        }
        let transport = try makeTransport("http://127.0.0.1:\(listener.url.port)")
        let api = APIClient(baseURL: "http://service.invalid", transport: transport) {
            $0.plaintextHosts = ["service.invalid"]
            $0.retry.maximumAttempts = 1
        }
        // It is the server's answer, without the proof of a WebSocket.
        await #expect {
            _ = try await api.webSocket("socket")
        } throws: { error in
            (error as? NetworkError)?.shortDescription.hasPrefix("invalid_response") == true
        }
    }
}
