#if os(Linux)
import Glibc
import GodwitCore
import GodwitTLS
import GodwitTesting
import Testing

@Suite("TLS sessions", .timeLimit(.minutes(15)))
struct TLSSessionTests {
    private static let body = String(repeating: "tide ", count: 40_000)

    private func serve(
        _ response: MockResponse = .text(Self.body), _ configure: (inout MockServer.TLS) -> Void = { $0 = $0 }
    ) async throws -> MockServer {
        try await MockServer(.tls(configure)) { $0.get("/").reply(response) }
    }

    @Test(
        "T2 a request and its response", arguments: MockServer.TLS.Version.allCases,
        ["localhost", "127.0.0.1", "[::1]"])
    func exchange(_ version: MockServer.TLS.Version, _ host: String) async throws {
        let server = try await serve { $0.maximumVersion = version }
        let outcome = try #require(try await TLSClient(server).get(from: host).first)
        #expect(outcome.handshake == .done(0))
        #expect(outcome.response.hasSuffix("\r\n\r\n" + Self.body))
        #expect(outcome.end == .ended(notified: true))
        #expect(outcome.versionName == version.rawValue)
        #expect(outcome.negotiatedProtocol == nil && !outcome.isResumed)
    }

    @Test(
        "T2 the spelling of a host doesn't matter for its certificate",
        arguments: ["LOCALHOST", "localhost.", "[::1%25lo]", "::1"])
    func spelling(_ host: String) async throws {
        let server = try await serve()
        let store = TrustStore([try #require(CertificateList(pem: Data((server.authority ?? "").utf8)))], folder: nil)
        let context = try TLSContext(store: #require(store), identity: nil, protocols: [])
        let carrier = SocketCarrier(port: server.url.port)
        let session = try TLSSession(context, host: host, over: carrier, pins: nil, tickets: nil, ticketKey: "")
        #expect(TLSClient.settled { session.handshake() } == .done(0))
    }

    @Test("T2 the server chooses among the protocols that are offered")
    func protocols() async throws {
        var options = MockServer.Options.tls
        options.protocols = .http2AndHTTP1
        let client = try TLSClient(try await MockServer(options) { $0.get("/").reply(.text("content")) })
        for (names, choice) in [(["x", "http/1.1"], "http/1.1"), (["http/1.1", "h2"], "h2"), (["x"], nil), ([], nil)] {
            #expect(try await client.get(offering: names).first?.negotiatedProtocol == choice)
        }
    }

    @Test(
        "T1 a server that can't be trusted is refused before anything is sent to it",
        arguments: [
            (.expired, .certificateExpired), (.notYetValid, .certificateExpired),
            (.wrongHost, .hostMismatch("127.0.0.1")),
            (.unknownAuthority, .untrustedCertificate("self-signed certificate in certificate chain")),
            (.missingIntermediate, .untrustedCertificate("unable to get local issuer certificate")),
            (.selfSigned, .untrustedCertificate("self-signed certificate")),
        ] as [(MockServer.TLS.Certificate, NetworkError.SecurityFailure)])
    func refused(_ certificate: MockServer.TLS.Certificate, _ failure: NetworkError.SecurityFailure) async throws {
        let server = try await serve { $0.certificate = certificate }
        let outcomes = try await TLSClient(server).get(times: 2)
        #expect(outcomes.map(\.handshake) == Array(repeating: .failed(.insecure(failure)), count: 2))
        #expect(server.requestCount == 0)
    }

    @Test("T1 without rules, the system's authorities don't include the server's")
    func system() async throws {
        let outcome = try await TLSClient(serve()) { $0 = TLSConfiguration() }.get().first
        guard case .failed(.insecure(.untrustedCertificate)) = outcome?.handshake else {
            Issue.record("\(String(describing: outcome))")
            return
        }
    }

    @Test(
        "T1 a handshake that the server breaks is .insecure(.handshake)",
        arguments: [
            (.closes, "the server closed the connection"), (.resets, "Connection reset by peer"),
            (.answersPlainly, "wrong version number"),
        ] as [(MockServer.TLS.Handshake, String)])
    func broken(_ handshake: MockServer.TLS.Handshake, _ words: String) async throws {
        let outcome = try await TLSClient(serve { $0.handshake = handshake }).get().first
        #expect(outcome?.handshake == .failed(.insecure(.handshake(words))))
    }

    // MARK: Carriers

    @Test(
        "T21 a carrier that moves a byte at a time, or has nothing every other time", arguments: [1, 7, .max],
        [true, false])
    func pieces(_ count: Int, _ stutters: Bool) async throws {
        let response = MockResponse.text("content")
        for version in MockServer.TLS.Version.allCases {
            let outcome = try await TLSClient(serve(response) { $0.maximumVersion = version }).get {
                $0.mostBytes = count
                $0.stutters = stutters
            }.first
            #expect(outcome?.response.hasSuffix("content") == true)
            #expect(outcome?.end == .ended(notified: true))
        }
    }

    @Test("T21 a carrier that fails after the handshake is a lost connection, in both directions")
    func lost() async throws {
        let server = try await serve()
        let carrier = SocketCarrier(port: server.url.port)
        let session = try TLSClient(server).makeSession("127.0.0.1", over: carrier)
        #expect(TLSClient.settled { session.handshake() } == .done(0))
        carrier.failure = ECONNRESET
        let expected = TLSSession.Step.failed(.transport(.connectionLost("Connection reset by peer")))
        #expect(TLSClient.send("GET", over: session) == expected)
        #expect(TLSClient.read(session).end == expected)
    }

    @Test("T21 TLS within TLS, through a proxy", arguments: [1, 1000, .max])
    func nested(_ count: Int) async throws {
        let server = try await serve()
        let port = UInt16(clamping: server.url.port)
        let proxy = try await MockServer(.tls) { $0.when(.connect, "*").reply(.tunnel(to: "127.0.0.1", port: port)) }
        let carrier = SocketCarrier(port: proxy.url.port)
        carrier.mostBytes = count
        let outer = try TLSClient(proxy).makeSession("localhost", over: carrier)
        #expect(TLSClient.settled { outer.handshake() } == .done(0))
        let connect = "CONNECT 127.0.0.1:\(port) HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(TLSClient.send(connect, over: outer) == nil)
        var head = [UInt8](repeating: 0, count: 4096)
        guard case .done(let length) = TLSClient.settled({ head.withUnsafeMutableBytes { outer.read(into: $0) } })
        else {
            Issue.record("no response from the proxy")
            return
        }
        #expect(String(decoding: head[..<length], as: UTF8.self).hasPrefix("HTTP/1.1 200"))
        let outcome = TLSClient.exchange(try TLSClient(server).makeSession("127.0.0.1", over: outer), carrier)
        #expect(outcome.response.hasSuffix(Self.body))
        #expect(outcome.end == .ended(notified: true))
    }

    @Test("T21 bytes that cause no event of the carrier are told, and an incomplete record isn't")
    func buffered() async throws {
        let server = try await serve(.text("content"))
        let carrier = SocketCarrier(port: server.url.port)
        let session = try TLSClient(server).makeSession("127.0.0.1", over: carrier)
        #expect(TLSClient.settled { session.handshake() } == .done(0))
        #expect(TLSClient.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n", over: session) == nil)
        var byte = [UInt8](repeating: 0, count: 1)
        #expect(TLSClient.settled { byte.withUnsafeMutableBytes { session.read(into: $0) } } == .done(1))
        #expect(session.hasBufferedInput)
        carrier.failure = EAGAIN
        var reads = 0
        while session.hasBufferedInput, reads < 10_000 {
            if byte.withUnsafeMutableBytes({ session.read(into: $0) }) == .done(1) { reads += 1 }
        }
        #expect((1..<10_000).contains(reads))
    }

    @Test("T1 a server is told why it was refused")
    func told() async throws {
        let server = try await serve { $0.certificate = .unknownAuthority }
        _ = try await TLSClient(server).get()
        try await server.waitUntilConnectionsClose()
        #expect(server.handshakeFailures == ["tlsv1 alert unknown ca"])
    }

    // MARK: The end

    @Test("T14 an end without close_notify is told from one with it")
    func ends() async throws {
        let body = MockResponse.text("content").framed(.untilClose)
        #expect(try await TLSClient(serve(body)).get().first?.end == .ended(notified: true))
        let cut = try await TLSClient(serve(body.truncated(after: .bytes(3)))).get().first
        #expect(cut?.end == .ended(notified: false))
        #expect(cut?.response.hasSuffix("con") == true)
    }

    // MARK: Resumption

    @Test("T13 a second connection resumes the session", arguments: MockServer.TLS.Version.allCases)
    func resumption(_ version: MockServer.TLS.Version) async throws {
        let server = try await serve(.text("content")) { $0.maximumVersion = version }
        let outcomes = try await TLSClient(server).get(times: 6)
        #expect(outcomes.map(\.isResumed) == [false, true, true, true, true, true])
        #expect(outcomes.allSatisfy { $0.response.hasSuffix("content") })
    }

    @Test("T13 a session isn't resumed after its tickets are removed, or by another key")
    func separate() async throws {
        let client = try TLSClient(try await serve(.text("content")))
        let tickets = TLSTickets()
        func isResumed(_ host: String) throws -> Bool {
            let carrier = SocketCarrier(port: client.server.url.port)
            return TLSClient.exchange(try client.makeSession(host, over: carrier, [], tickets), carrier).isResumed
        }
        #expect(try !isResumed("127.0.0.1"))
        #expect(try isResumed("127.0.0.1"))
        #expect(try !isResumed("localhost"))
        tickets.removeAll()
        #expect(try !isResumed("127.0.0.1"))
    }
}
#endif
