import Godwit
import GodwitTesting
import PeerSupport
import Testing

@Suite("Contract: TLS", .enabled(if: Nginx.isRunning, Nginx.hint), .timeLimit(.minutes(15)))
struct TLSTests {
    @Test("T2 a certificate of a trusted authority is accepted, by name and by address", arguments: Subject.allCases)
    func trusted(_ subject: Subject) async throws {
        let transport = try subject.makeTrusting()
        for server in [Nginx.h2, .tls1] {
            let port = try server.at("/").port
            for host in ["127.0.0.1", "localhost", "[::1]"] {
                let response = try await transport.get(HTTPURL("https://\(host):\(port)/1k.json"))
                #expect(try await bytes(of: response).count == 1024)
            }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let server: Nginx
        let error: String
        let words: String

        var testDescription: String { server.rawValue }
    }

    @Test(
        "T1 a peer that cannot be trusted is .insecure, and says why", arguments: Subject.allCases,
        [
            Case(server: .unknownAuthority, error: "insecure.untrusted_certificate", words: "not trusted"),
            Case(server: .wrongHost, error: "insecure.host_mismatch", words: "not for 127.0.0.1"),
            Case(server: .expired, error: "insecure.certificate_expired", words: "expired"),
        ])
    func untrusted(_ subject: Subject, _ example: Case) async throws {
        let transport = try subject.makeTrusting()
        for _ in 0..<2 {
            let error = await transport.failure(
                of: .upload("secret", to: try example.server.at("/1k.json"), .post))
            #expect(error?.shortDescription == example.error)
            #expect(error?.description.contains(example.words) == true, "\(String(describing: error))")
            #expect(error?.phase == .connecting)
            #expect(error?.isRetryable == false)
        }
        #expect(try await transport.get(Nginx.h2.at("/1k.json")).head.status == .ok)
    }

    @Test("T1 the test authority is not trusted unless asked for", arguments: Subject.allCases)
    func notTrusted(_ subject: Subject) async throws {
        let error = await (try subject.make()).failure(of: .get(try Nginx.h2.at("/1k.json")))
        #expect(error?.shortDescription == "insecure.untrusted_certificate")
    }

    @Test("T1 an authorities file that is missing is .insecure(.configuration)", arguments: Subject.allCases)
    func missingAuthorities(_ subject: Subject) async throws {
        let transport = try subject.make { $0.authorities = URL(filePath: "/tmp/no-such-file.pem") }
        let error = await transport.failure(of: .get(try Nginx.h2.at("/1k.json")))
        #expect(error?.shortDescription == "insecure.configuration")
        #expect(error?.description.contains("no-such-file.pem") == true, "\(String(describing: error))")
    }

    @Test("T1 plain http to a TLS port is the server's 400", arguments: Subject.allCases)
    func plainToTLS(_ subject: Subject) async throws {
        let port = try Nginx.tls1.at("/").port
        let response = try await subject.makeTrusting().get(HTTPURL("http://127.0.0.1:\(port)/"))
        #expect(response.head.status == .badRequest)
        #expect(try await text(of: response).contains("plain HTTP request"))
    }

    @Test("T1 TLS to a plain port is .insecure(.handshake)", arguments: Subject.allCases)
    func tlsToPlain(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let port = server.url.port
        let error = await (try subject.makeTrusting()).failure(of: .get(try HTTPURL("https://127.0.0.1:\(port)/")))
        #expect(error?.shortDescription == "insecure.handshake")
        #expect(error?.phase == .connecting)
        #expect(server.requestCount == 0)
    }

    @Test("T1 a server that wants a client certificate and gets none answers 400", arguments: Subject.allCases)
    func clientCertificate(_ subject: Subject) async throws {
        let response = try await subject.makeTrusting().get(Nginx.clientCertificate.at("/1k.json"))
        #expect(response.head.status == .badRequest)
        #expect(try await text(of: response).contains("No required SSL certificate"))
    }
}
