#if os(Linux)
import Godwit
import GodwitTesting
import Testing

extension Result where Failure == NetworkError {
    /// What kind of failure it is; nil for a success.
    var failureKind: NetworkError.Kind? {
        if case .failure(let error) = self { error.kind } else { nil }
    }
}

@Suite("X3 MockServer: TLS", .timeLimit(.minutes(15)))
struct MockServerTLSTests {
    /// A client that trusts the server.
    private static func trusting(
        _ server: MockServer, _ change: (inout ClientConfiguration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: server.url) {
            $0.retry.maximumAttempts = 1
            $0.tls.trust(server)
            change(&$0)
        }
    }

    private static func failure(of client: APIClient) async -> NetworkError.Kind? {
        await client.result(of: Endpoint<Data>.get("greeting")).failureKind
    }

    private static func greeting(_ options: MockServer.Options) async throws -> MockServer {
        try await MockServer(options) { $0.get("/greeting").reply(.text("hello")) }
    }

    // MARK: Trust

    @Test("X3 a client with trust gets its response over https")
    func trusted() async throws {
        let server = try await Self.greeting(.tls)
        #expect(server.url.scheme == .https)
        let response = try await Self.trusting(server).response(for: Endpoint<String>.get("greeting"))
        #expect(response.value == "hello")
        #expect(try #require(response.metrics.tls) >= #require(response.metrics.connect))
        let request = try #require(server.requests.first)
        #expect(request.tls?.version == .v1_3)
        #expect(request.tls?.clientCertificate == nil)
        #expect(request.url?.absoluteString == "\(server.url)greeting")
        #expect(server.handshakeFailures.isEmpty)
        await server.stop()
    }

    @Test(
        "X3 the certificate is valid for localhost and the given names",
        arguments: ["localhost", "::1"])
    func names(host: String) async throws {
        var options = MockServer.Options.tls {
            $0.names = ["api.example.com", "*.example.org", "localhost", "10.0.0.1"]
        }
        if host == "::1" { options.address = .ipv6() }
        let server = try await Self.greeting(options)
        let base = host == "::1" ? server.url.absoluteString : "https://localhost:\(server.url.port)"
        let api = APIClient(baseURL: base) {
            $0.tls.trust(server)
            #expect($0.tls.authorities["api.example.com"] != nil)
            #expect($0.tls.authorities.value(for: "x.example.org") != nil)
            #expect($0.tls.authorities["10.0.0.1"] != nil)
            #expect($0.tls.authorities.value(for: "example.net") == nil)
        }
        #expect(try await api.send(Endpoint<String>.get("greeting")) == "hello")
        await server.stop()
    }

    @Test(
        "X3 a name that can't be in a certificate throws .invalidRequest",
        arguments: [
            "", "a b", "a,DNS:evil.example", "https://example.com", "münchen.example", "*.", "DNS:x", "127.1", "a/b",
        ])
    func badName(name: String) async {
        let error = await #expect(throws: NetworkError.self) { try await Self.greeting(.tls { $0.names = [name] }) }
        guard case .invalidRequest(let reason) = error?.kind else {
            Issue.record("not the error expected: \(String(describing: error))")
            return
        }
        #expect(reason.contains("\"\(name)\""))
    }

    @Test("X3 a client without trust refuses the server, and the server records why")
    func untrusted() async throws {
        let server = try await Self.greeting(.tls)
        let other = try await Self.greeting(.tls)
        for trusted in [nil, other] {
            let client = Self.trusting(server) {
                $0.tls = TLSConfiguration()
                if let trusted { $0.tls.trust(trusted) }
            }
            guard case .insecure(.untrustedCertificate) = await Self.failure(of: client) else {
                Issue.record("not refused")
                return
            }
        }
        #expect(server.requestCount == 0)
        try await server.waitUntilConnectionsClose()
        #expect(server.handshakeFailures == ["tlsv1 alert unknown ca", "tlsv1 alert unknown ca"])
        #expect(server.authority != other.authority)
        #expect(Set(server.pins).isDisjoint(with: other.pins))
        await server.stop()
        await other.stop()
    }

    @Test("X3 one client trusts several servers under one name")
    func several() async throws {
        let first = try await Self.greeting(.tls)
        let second = try await Self.greeting(.tls)
        let transport = try SocketTransport {
            $0.tls.trust(first)
            $0.tls.trust(second)
        }
        for server in [first, second] {
            let api = APIClient(baseURL: server.url, transport: transport)
            #expect(try await api.send(Endpoint<String>.get("greeting")) == "hello")
        }
        await first.stop()
        await second.stop()
    }

    @Test("X3 trusting a server without TLS has no effect")
    func plain() async throws {
        let server = try await Self.greeting(MockServer.Options())
        var tls = TLSConfiguration()
        tls.trust(server)
        #expect(tls.isEmpty)
        #expect(server.authority == nil && server.clientCertificate == nil && server.pins.isEmpty)
        #expect(await Self.failure(of: Self.trusting(server)) == nil)
        #expect(server.requests.first?.tls == nil)
        await server.stop()
    }

    // MARK: Bad certificates

    @Test(
        "X3 each bad certificate is refused for its own reason",
        arguments: zip(
            [
                MockServer.TLS.Certificate.expired, .notYetValid, .wrongHost, .unknownAuthority, .missingIntermediate,
                .selfSigned,
            ],
            ["expired", "expired", "host", "untrusted", "untrusted", "untrusted"]))
    func badCertificate(certificate: MockServer.TLS.Certificate, reason: String) async throws {
        let server = try await Self.greeting(.tls { $0.certificate = certificate })
        let found =
            switch await Self.failure(of: Self.trusting(server)) {
            case .insecure(.certificateExpired): "expired"
            case .insecure(.hostMismatch("127.0.0.1")): "host"
            case .insecure(.untrustedCertificate): "untrusted"
            case let other: String(describing: other)
            }
        #expect(found == reason)
        #expect(server.requestCount == 0)
        await server.stop()
    }

    @Test("X3 the pins of the server match it, and no other")
    func pins() async throws {
        let server = try await Self.greeting(.tls)
        let other = try await Self.greeting(.tls)
        #expect(server.pins.count == 2)
        let matching = Self.trusting(server) { $0.pins["127.0.0.1"] = PinSet(server.pins) }
        #expect(await Self.failure(of: matching) == nil)
        let backup = try #require(other.pins.first)
        for pin in server.pins {
            let one = Self.trusting(server) { $0.pins["127.0.0.1"] = [pin, backup] }
            #expect(await Self.failure(of: one) == nil)
        }
        let mismatching = Self.trusting(server) { $0.pins["127.0.0.1"] = PinSet(other.pins) }
        #expect(await Self.failure(of: mismatching) == .insecure(.pinMismatch))
        await server.stop()
        await other.stop()
    }

    // MARK: Client certificates

    @Test("X3 mutual TLS accepts only clients with a certificate of the server's authority")
    func mutual() async throws {
        let server = try await Self.greeting(.tls { $0.clientAuthentication = .required })
        let other = try await Self.greeting(.tls)
        #expect(await Self.failure(of: Self.trusting(server)) == nil)
        #expect(try #require(server.requests.first?.tls?.clientCertificate).count > 100)
        for stranger in [nil, other.clientCertificate] {
            let client = Self.trusting(server) { $0.tls.clientCertificates["127.0.0.1"] = stranger }
            guard case .insecure(.clientCertificate) = await Self.failure(of: client) else {
                Issue.record("not refused: \(String(describing: stranger))")
                return
            }
        }
        #expect(server.requestCount == 1)
        try await server.waitUntilConnectionsClose()
        #expect(server.handshakeFailures.first == "peer did not return a certificate")
        #expect(server.handshakeFailures.count == 2)
        await server.stop()
        await other.stop()
    }

    @Test("X3 a certificate can be optional", arguments: MockServer.TLS.Version.allCases)
    func optional(version: MockServer.TLS.Version) async throws {
        let server = try await Self.greeting(
            .tls {
                $0.clientAuthentication = .optional
                $0.maximumVersion = version
            })
        let client = Self.trusting(server) { $0.tls.clientCertificates["127.0.0.1"] = nil }
        #expect(await Self.failure(of: client) == nil)
        #expect(await Self.failure(of: Self.trusting(server)) == nil)
        #expect(server.requests.map { $0.tls?.clientCertificate != nil } == [false, true])
        #expect(server.requests.allSatisfy { $0.tls?.version == version })
        await server.stop()
    }

    @Test("X3 descriptions contain no private key")
    func secrets() async throws {
        let server = try await Self.greeting(.tls)
        var text = ""
        dump(server, to: &text)
        dump(try #require(server.clientCertificate), to: &text)
        text += "\(server) \(String(reflecting: server.clientCertificate))"
        #expect(!text.contains("PRIVATE KEY"))
        #expect(try #require(server.authority).hasPrefix("-----BEGIN CERTIFICATE-----"))
        await server.stop()
    }
}
#endif
