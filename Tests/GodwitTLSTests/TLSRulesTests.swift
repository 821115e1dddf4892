#if os(Linux)
import GodwitCore
import GodwitTLS
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("TLS rules of hosts", .timeLimit(.minutes(15)))
struct TLSRulesTests {
    private static let other = Pin.sha256([UInt8](repeating: 7, count: 32))
    private static let another = Pin.sha256([UInt8](repeating: 8, count: 32))

    private func serve(_ configure: (inout MockServer.TLS) -> Void = { $0 = $0 }) async throws -> MockServer {
        try await MockServer(.tls(configure)) { $0.get("/").reply(.text("content")) }
    }

    // MARK: Pins

    @Test("S2 a pinned key is let in, the server's own or its authority's; also when the session is resumed")
    func pins() async throws {
        let server = try await serve()
        for pin in server.pins {
            let outcomes = try await TLSClient(server) { $0.pins["127.0.0.1"] = [Self.other, pin] }.get(times: 3)
            #expect(outcomes.map(\.handshake) == Array(repeating: .done(0), count: 3))
            #expect(outcomes.map(\.isResumed) == [false, true, true])
        }
    }

    @Test("S2 another key is .insecure(.pinMismatch), and nothing is sent", arguments: MockServer.TLS.Version.allCases)
    func mismatch(_ version: MockServer.TLS.Version) async throws {
        let server = try await serve {
            $0.maximumVersion = version
            $0.clientAuthentication = .required
        }
        let client = try TLSClient(server) { $0.pins["127.0.0.1"] = [Self.other, Self.another] }
        #expect(try await client.get().first?.handshake == .failed(.insecure(.pinMismatch)))
        #expect(try await client.get(from: "localhost").first?.response.hasSuffix("content") == true)
        #expect(server.requestCount == 1)
    }

    @Test("S2 a mismatch that is only reported lets in")
    func reportOnly() async throws {
        let reports = Mutex<[PinMismatch]>([])
        let server = try await serve()
        let pins: PinSet = [Self.other, Self.another]
        let outcomes = try await TLSClient(server) {
            $0.pins["127.0.0.1"] = pins.reportingOnly { report in reports.withLock { $0.append(report) } }
        }.get(times: 2)
        #expect(outcomes.allSatisfy { $0.response.hasSuffix("content") })
        // The server doesn't send its authority's certificate, which the chain ends with.
        let expected = PinMismatch(host: "127.0.0.1", keys: server.pins, pins: pins.pins, isRefused: false)
        #expect(reports.withLock { $0 } == [expected])
    }

    @Test("S2 a pin takes nothing away from validation")
    func validatedFirst() async throws {
        let server = try await serve { $0.certificate = .expired }
        let outcome = try await TLSClient(server) { $0.pins["127.0.0.1"] = PinSet(server.pins) }.get().first
        #expect(outcome?.handshake == .failed(.insecure(.certificateExpired)))
    }

    // MARK: Client certificates

    @Test("S4 a certificate is shown to a server that requires one", arguments: MockServer.TLS.Version.allCases)
    func clientCertificate(_ version: MockServer.TLS.Version) async throws {
        let server = try await serve {
            $0.maximumVersion = version
            $0.clientAuthentication = .required
        }
        let outcomes = try await TLSClient(server).get(times: 2)
        #expect(outcomes.allSatisfy { $0.response.hasSuffix("content") })
    }

    @Test("S4 a server that requires a certificate refuses a client without one, and with a stranger's")
    func refusedClient() async throws {
        let server = try await serve { $0.clientAuthentication = .required }
        let stranger = try await serve()
        let missing = try await TLSClient(server) { $0.clientCertificates = HostTable() }.get().first
        #expect(missing?.end == .failed(.insecure(.clientCertificate("tlsv13 alert certificate required"))))
        let unknown = try await TLSClient(server) { $0.clientCertificates["127.0.0.1"] = stranger.clientCertificate }
            .get().first
        #expect(unknown?.end == .failed(.insecure(.clientCertificate("tlsv1 alert unknown ca"))))
    }

    @Test("S4 a write tells that the server refused the certificate")
    func refusedWrite() async throws {
        let server = try await serve { $0.clientAuthentication = .required }
        let client = try TLSClient(server) { $0.clientCertificates = HostTable() }
        let session = try client.makeSession("127.0.0.1", over: SocketCarrier(port: server.url.port))
        #expect(TLSClient.settled { session.handshake() } == .done(0))
        try await server.waitUntilConnectionsClose()
        var step: TLSSession.Step?
        for _ in 0..<1000 where step == nil {
            step = TLSClient.send(String(repeating: " ", count: 10_000), over: session)
        }
        #expect(step == .failed(.insecure(.clientCertificate("tlsv13 alert certificate required"))))
    }

    @Test("S4 a certificate that can't be used fails what uses it, and says why without secrets")
    func unusable() async throws {
        let (server, other) = (try await serve { $0.clientAuthentication = .required }, try await serve())
        guard case .pem(let certificate, let key) = server.clientCertificate?.content,
            case .pem(_, let stranger) = other.clientCertificate?.content
        else { return }
        let examples: [(ClientCertificate, String)] = [
            (.pem(certificate: certificate, key: stranger), "the key isn't the certificate's"),
            (.pem(certificate: key, key: key), "the certificate can't be read"),
            (.pem(certificate: certificate, key: certificate), "the key can't be read"),
            (.pkcs12(.pem("nonsense"), password: "plumage"), "the container can't be read"),
        ]
        for (example, words) in examples {
            let client = try TLSClient(server) { $0.clientCertificates["127.0.0.1"] = example }
            let error = #expect(throws: NetworkError.self) { try client.makeContext("127.0.0.1") }
            guard case .insecure(.clientCertificate(let reason)) = error?.kind else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.hasPrefix(words + ": "))
            #expect(throws: Never.self) { try client.makeContext("localhost") }
        }
    }

    // MARK: Authorities

    @Test("S1 a missing file of authorities is .insecure(.configuration) where it counts")
    func missingFile() throws {
        let stores = TrustSource(additional: URL(filePath: "/tmp/no-such.pem"), rules: nil).load(replacing: nil)
        let error = #expect(throws: NetworkError.self) { try stores.store(for: nil) }
        #expect(error?.kind == .insecure(.configuration("cannot read /tmp/no-such.pem")))
    }

    @Test("S1 a changed file makes new stores, an unchanged or unreadable one keeps the old")
    func changedFile() async throws {
        let (server, other) = (try await serve(), try await serve())
        let folder = TemporaryFolder()
        let file = folder.url.appending(path: "authorities.pem")
        let source = TrustSource(additional: file, rules: nil)
        try Data((server.authority ?? "").utf8).write(to: file)
        let first = source.load(replacing: nil)
        #expect(source.load(replacing: first) === first)
        try Data((other.authority ?? "").utf8).write(to: file, options: .atomic)
        let second = source.load(replacing: first)
        #expect(second !== first)
        try FileManager.default.removeItem(at: file)
        #expect(source.load(replacing: second) === second)
    }

    @Test("S1 rules that can't hold, and files that can't be read, load nothing")
    func faults() {
        for (configure, label) in [
            ({ $0.pins["a.example"] = [Self.other] }, "invalid_request"),
            ({ $0.authorities["a.example"] = .adding(.pem("nonsense")) }, "insecure.configuration"),
            (
                { $0.authorities["a.example"] = .only(.file(URL(filePath: "/tmp/no-such.pem"))) },
                "insecure.configuration"
            ),
            (
                { $0.clientCertificates["a.example"] = .pem(certificate: .pem(""), key: .pem("")) },
                "insecure.configuration"
            ),
        ] as [((inout TLSConfiguration) -> Void, String)] {
            var tls = TLSConfiguration()
            configure(&tls)
            let error = #expect(throws: NetworkError.self) { try LoadedRules.load(tls, additional: nil) }
            #expect(error?.shortDescription == label)
        }
    }
}
#endif
