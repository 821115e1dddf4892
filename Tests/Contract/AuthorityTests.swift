import Godwit
import PeerSupport
import Testing

@Suite("Contract: authorities of one host", .enabled(if: Nginx.hasCertificates, Nginx.hint), .timeLimit(.minutes(15)))
struct AuthorityTests {
    private func make(
        _ subject: Subject, trusting authorities: URL? = nil,
        _ configure: (inout HostTable<TrustedAuthorities>) throws -> Void
    ) throws -> any HTTPTransport {
        var table = HostTable<TrustedAuthorities>()
        try configure(&table)
        return try subject.make {
            $0.authorities = authorities
            $0.tls.authorities = table
        }
    }

    @Test("S1 an authority is trusted for its host alone", arguments: Subject.allCases, [Nginx.h2, .tls1])
    func hostAlone(_ subject: Subject, _ server: Nginx) async throws {
        let transport = try make(subject) { $0["localhost"] = .adding(.file(try Nginx.file("ca.pem"))) }
        for _ in 0..<3 {
            #expect(try await transport.get(server.document(at: "localhost")).head.status == .ok)
            for host in ["127.0.0.1", "[::1]"] {
                let error = await transport.failure(of: .get(try server.document(at: host)))
                #expect(error?.shortDescription == "insecure.untrusted_certificate")
            }
        }
    }

    @Test("S1 an added authority is trusted in addition to the transport's authorities", arguments: Subject.allCases)
    func adding(_ subject: Subject) async throws {
        let pem = try Data(contentsOf: Nginx.file("unknown-ca.pem"))
        let transport = try make(subject, trusting: Nginx.authorities) { $0["localhost"] = .adding(.data(pem)) }
        #expect(try await transport.get(Nginx.unknownAuthority.document(at: "localhost")).head.status == .ok)
        #expect(try await transport.get(Nginx.h2.document(at: "localhost")).head.status == .ok)
        #expect(try await transport.get(Nginx.h2.document(at: "127.0.0.1")).head.status == .ok)
        let error = await transport.failure(of: .get(try Nginx.unknownAuthority.document(at: "127.0.0.1")))
        #expect(error?.shortDescription == "insecure.untrusted_certificate")
    }

    @Test("S1 an only authority stands alone, and the next host has all others again", arguments: Subject.allCases)
    func only(_ subject: Subject) async throws {
        let transport = try make(subject, trusting: Nginx.authorities) {
            $0["localhost"] = .only(.file(try Nginx.file("unknown-ca.pem")))
        }
        for _ in 0..<3 {
            #expect(try await transport.get(Nginx.unknownAuthority.document(at: "localhost")).head.status == .ok)
            let error = await transport.failure(of: .get(try Nginx.h2.document(at: "localhost")))
            #expect(error?.shortDescription == "insecure.untrusted_certificate")
            #expect(try await transport.get(Nginx.h2.document(at: "127.0.0.1")).head.status == .ok)
        }
    }

    @Test(
        "S1 a self-signed certificate, and one without its authority, are trusted where they are named",
        arguments: Subject.allCases, [(Nginx.selfSigned, "selfsigned.pem"), (.unknownAuthority, "stranger.pem")])
    func selfSigned(_ subject: Subject, _ example: (server: Nginx, file: String)) async throws {
        let transport = try make(subject) { $0["localhost"] = .adding(.file(try Nginx.file(example.file))) }
        #expect(try await transport.get(example.server.document(at: "localhost")).head.status == .ok)
        let elsewhere = await transport.failure(of: .get(try example.server.document(at: "127.0.0.1")))
        #expect(elsewhere?.shortDescription == "insecure.untrusted_certificate")
    }

    @Test("S1 host and dates are checked whatever authority is trusted", arguments: Subject.allCases)
    func validated(_ subject: Subject) async throws {
        for (server, file, label) in [
            (Nginx.wrongHost, "ca", "host_mismatch"), (.wrongHost, "wrong.example", "host_mismatch"),
            (.expired, "ca", "certificate_expired"), (.expired, "expired", "certificate_expired"),
            (.unknownAuthority, "ca", "untrusted_certificate"), (.selfSigned, "ca", "untrusted_certificate"),
        ] {
            let transport = try make(subject) { $0["localhost"] = .adding(.file(try Nginx.file("\(file).pem"))) }
            let error = await transport.failure(of: .get(try server.document(at: "localhost")))
            #expect(error?.shortDescription == "insecure.\(label)", "\(server), \(file)")
        }
    }

    @Test("S1 a file that is missing or holds no certificate makes no transport", arguments: Subject.allCases)
    func unreadable(_ subject: Subject) throws {
        for (material, words) in [
            (KeyMaterial.file(URL(filePath: "/tmp/no-such-ca.pem")), "/tmp/no-such-ca.pem"),
            (.file(try Nginx.file("client.key")), "no certificate"), (.pem("nonsense"), "no certificate"),
        ] {
            let error = #expect(throws: NetworkError.self) { try make(subject) { $0["localhost"] = .adding(material) } }
            #expect(error?.shortDescription == "insecure.configuration")
            #expect(error?.description.contains(words) == true)
        }
    }

    @Test("S1 rules do nothing for plain http", arguments: Subject.allCases)
    func plain(_ subject: Subject) async throws {
        let transport = try make(subject) { $0["127.0.0.1"] = .only(.file(try Nginx.file("unknown-ca.pem"))) }
        #expect(try await transport.get(Nginx.http.at("/1k.json")).head.status == .ok)
    }
}
