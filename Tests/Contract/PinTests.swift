import Godwit
import GodwitTesting
import PeerSupport
import Synchronization
import Testing

@Suite("Contract: pinned keys", .enabled(if: Nginx.hasCertificates, Nginx.hint), .timeLimit(.minutes(15)))
struct PinTests {
    private static let other = Pin.sha256([UInt8](repeating: 7, count: 32))

    /// HTTP/2 and HTTP/1.1.
    static let servers: [Nginx] = [.h2, .tls1]

    private func make(
        _ subject: Subject, _ versions: Setup.Versions = .automatic, _ pin: (inout HostTable<PinSet>) -> Void
    ) throws -> any HTTPTransport {
        let names = ["pinned.example", "api.pinned.example"]
        let port = try Nginx.chained.at("/").port
        return try subject.makeTrusting {
            $0.versions = versions
            $0.addressOverrides = Dictionary(
                uniqueKeysWithValues: names.map { ("\($0):\(port)", ["127.0.0.1"]) })
            pin(&$0.tls.pins)
        }
    }

    @Test(
        "S2 the current key is let in, and so are the backup's and the authority's", arguments: Subject.allCases,
        servers)
    func right(_ subject: Subject, _ server: Nginx) async throws {
        let leaf = try Nginx.pin("localhost")
        let authority = try Nginx.pin("ca")
        for pins: PinSet in [[leaf, Self.other], [Self.other, leaf], [authority, Self.other], .withoutBackup(leaf)] {
            let transport = try make(subject) { $0["127.0.0.1"] = pins }
            #expect(try await transport.get(server.at("/1k.json")).head.status == .ok)
        }
    }

    @Test("S2 a key in the middle of the chain is let in", arguments: Subject.allCases)
    func intermediate(_ subject: Subject) async throws {
        let between = try Nginx.pin("intermediate")
        let transport = try make(subject) { $0["127.0.0.1"] = [between, Self.other] }
        #expect(try await transport.get(Nginx.chained.at("/1k.json")).head.status == .ok)
        let error = await transport.failure(of: .get(try Nginx.h2.at("/1k.json")))
        #expect(error?.kind == .insecure(.pinMismatch))
    }

    @Test(
        "S2 another key is .insecure(.pinMismatch), and nothing is sent", arguments: Subject.allCases,
        servers)
    func wrong(_ subject: Subject, _ server: Nginx) async throws {
        let stranger = try Nginx.pin("stranger")
        let transport = try make(subject) { $0["127.0.0.1"] = [Self.other, stranger] }
        for _ in 0..<3 {
            let error = await transport.failure(of: .upload("secret", to: try server.at("/upload"), .post))
            #expect(error?.kind == .insecure(.pinMismatch))
            #expect(error?.phase == .connecting)
            #expect(error?.isRetryable == false)
        }
    }

    @Test("S2 a pin takes nothing away from validation", arguments: Subject.allCases)
    func validatedFirst(_ subject: Subject) async throws {
        let expected: [(Nginx, String, String)] = [
            (.unknownAuthority, "stranger", "insecure.untrusted_certificate"),
            (.wrongHost, "wrong.example", "insecure.host_mismatch"),
            (.expired, "expired", "insecure.certificate_expired"),
        ]
        for (server, name, label) in expected {
            let pin = try Nginx.pin(name)
            let transport = try make(subject) { $0["127.0.0.1"] = [pin, Self.other] }
            #expect(await transport.failure(of: .get(try server.at("/1k.json")))?.shortDescription == label)
        }
    }

    @Test(
        "S2 pins hold for their host alone; connections and handles of others are as before",
        arguments: Subject.allCases)
    func hostAlone(_ subject: Subject) async throws {
        for versions in [Setup.Versions.automatic, .http1] {
            let transport = try make(subject, versions) {
                $0["localhost"] = [Self.other, .sha256([UInt8](repeating: 8, count: 32))]
            }
            // Each time another server, so that the handle of the refused exchange makes a connection of its own.
            for server in [Nginx.h2, .tls1, .chained] {
                for host in ["127.0.0.1", "[::1]"] {
                    #expect(try await transport.get(server.document(at: host)).head.status == .ok)
                }
                let error = await transport.failure(of: .get(try Nginx.h2.document(at: "localhost")))
                #expect(error?.kind == .insecure(.pinMismatch))
            }
        }
    }

    @Test("S2 many exchanges at once, pinned and not, each keep to their rule", arguments: Subject.allCases)
    func interleaved(_ subject: Subject) async throws {
        let leaf = try Nginx.pin("localhost")
        let transport = try make(subject) {
            $0["localhost"] = [Self.other, .sha256([UInt8](repeating: 8, count: 32))]
            $0["::1"] = [leaf, Self.other]
        }
        let urls = try ["127.0.0.1", "localhost", "[::1]"].map { try Nginx.h2.document(at: $0) }
        let kinds = await (0..<120).concurrentMap(limit: 24) { index in
            await transport.failure(of: .get(urls[index % 3]))?.kind
        }
        for (index, kind) in kinds.enumerated() {
            #expect(kind == (index % 3 == 1 ? .insecure(.pinMismatch) : nil))
        }
    }

    @Test("S2 a domain's pins hold for the names under it, unless one has its own", arguments: Subject.allCases)
    func subdomains(_ subject: Subject) async throws {
        let leaf = try Nginx.pin("chained")
        let wrong: PinSet = [Self.other, .sha256([UInt8](repeating: 8, count: 32))]
        let top = try Nginx.chained.document(at: "pinned.example")
        let under = try Nginx.chained.document(at: "API.pinned.example")
        let domain = try make(subject) { $0[domain: "Pinned.Example"] = wrong }
        #expect(await domain.failure(of: .get(top))?.kind == .insecure(.pinMismatch))
        #expect(await domain.failure(of: .get(under))?.kind == .insecure(.pinMismatch))
        let host = try make(subject) { $0["pinned.example"] = wrong }
        #expect(await host.failure(of: .get(top))?.kind == .insecure(.pinMismatch))
        #expect(await host.failure(of: .get(under)) == nil)
        let both = try make(subject) {
            $0[domain: "pinned.example"] = wrong
            $0["api.pinned.example"] = [leaf, Self.other]
        }
        #expect(await both.failure(of: .get(top))?.kind == .insecure(.pinMismatch))
        #expect(await both.failure(of: .get(under)) == nil)
    }

    @Test("S2 report-only tells of the mismatch, with the chain's keys, and lets in", arguments: Subject.allCases)
    func reportOnly(_ subject: Subject) async throws {
        let reports = Mutex<[PinMismatch]>([])
        let pins: PinSet = [Self.other, .sha256([UInt8](repeating: 8, count: 32))]
        let transport = try make(subject) {
            $0["127.0.0.1"] = pins.reportingOnly { report in reports.withLock { $0.append(report) } }
        }
        #expect(try await transport.get(Nginx.chained.at("/1k.json")).head.status == .ok)
        let keys = try ["chained", "intermediate", "ca"].map(Nginx.pin)
        let expected = PinMismatch(host: "127.0.0.1", keys: keys, pins: pins.pins, isRefused: false)
        #expect(reports.withLock { $0 } == [expected])
    }

    @Test("S2 a refused mismatch is reported where that is asked for, a match never", arguments: Subject.allCases)
    func report(_ subject: Subject) async throws {
        let reports = Mutex<[PinMismatch]>([])
        let leaf = try Nginx.pin("chained")
        let pins: PinSet = [leaf, Self.other]
        let transport = try make(subject) {
            $0["127.0.0.1"] = pins.reporting { report in reports.withLock { $0.append(report) } }
        }
        #expect(await transport.failure(of: .get(try Nginx.chained.at("/1k.json"))) == nil)
        #expect(reports.withLock(\.count) == 0)
        #expect(await transport.failure(of: .get(try Nginx.h2.at("/1k.json")))?.kind == .insecure(.pinMismatch))
        let (host, first, isRefused) = reports.withLock { ($0.first?.host, $0.first?.keys.first, $0.first?.isRefused) }
        #expect(host == "127.0.0.1")
        #expect(try first == Nginx.pin("localhost"))
        #expect(isRefused == true)
    }

    @Test(
        "S2 pins that could lock everyone out, or are none, make no transport", arguments: Subject.allCases,
        [
            ([Self.other], "at least two"), ([Self.other, Self.other], "at least two"), ([], "no pins"),
            ([Self.other, .sha256("nonsense")], "\"nonsense\""), ([Self.other, .sha256([1, 2])], "32 bytes"),
        ] as [([Pin], String)])
    func faults(_ subject: Subject, _ example: (pins: [Pin], words: String)) throws {
        let error = #expect(throws: NetworkError.self) {
            try make(subject) { $0["a.example"] = PinSet(example.pins) }
        }
        guard case .invalidRequest(let reason) = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains(example.words))
    }

    @Test("S2 an entry for an invalid host fails the creation of the transport", arguments: Subject.allCases)
    func noHost(_ subject: Subject) throws {
        let error = #expect(throws: NetworkError.self) {
            try make(subject) { $0["https://a.example/"] = .withoutBackup(Self.other) }
        }
        #expect(error?.description.contains("https://a.example/") == true)
    }
}
