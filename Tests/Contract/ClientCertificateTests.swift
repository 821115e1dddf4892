import Godwit
import PeerSupport
import Testing

@Suite("Contract: client certificates", .enabled(if: Nginx.hasCertificates, Nginx.hint), .timeLimit(.minutes(15)))
struct ClientCertificateTests {
    private func make(
        _ subject: Subject, _ certificate: ClientCertificate, _ versions: Setup.Versions = .automatic
    ) throws -> any HTTPTransport {
        try subject.makeTrusting {
            $0.versions = versions
            $0.tls.clientCertificates["localhost"] = certificate
        }
    }

    private static func pem(_ certificate: String, _ key: String, _ password: String? = nil) throws -> ClientCertificate
    {
        .pem(certificate: .file(try Nginx.file(certificate)), key: .file(try Nginx.file(key)), password: password)
    }

    private static func data(_ file: String) throws -> KeyMaterial {
        .data(try Data(contentsOf: Nginx.file(file)))
    }

    @Test("S4 a certificate is shown to its host, and to no other", arguments: Subject.allCases)
    func shown(_ subject: Subject) async throws {
        let usable: [ClientCertificate] = try [
            Self.pem("client.pem", "client.key"), Self.pem("client.pem", "client-locked.key", "feather"),
            .pem(certificate: Self.data("client.pem"), key: Self.data("client.key")),
            .pkcs12(.file(Nginx.file("client.p12")), password: "feather"),
            .pkcs12(Self.data("client.p12"), password: "feather"),
        ]
        for certificate in usable {
            for (versions, version) in [(Setup.Versions.automatic, HTTPVersion.http2), (.http1, .http1_1)] {
                let transport = try make(subject, certificate, versions)
                for _ in 0..<2 {
                    let response = try await transport.get(Nginx.clientCertificate.document(at: "localhost"))
                    #expect(response.head.status == .ok)
                    #expect(response.metrics.protocolVersion == version)
                    let refusal = try await transport.get(Nginx.clientCertificate.document(at: "127.0.0.1"))
                    #expect(refusal.head.status == .badRequest)
                }
            }
        }
    }

    @Test("S4 a server that does not ask is none the worse", arguments: Subject.allCases)
    func notAsked(_ subject: Subject) async throws {
        let transport = try make(subject, Self.pem("client.pem", "client.key"))
        #expect(try await transport.get(Nginx.h2.document(at: "localhost")).head.status == .ok)
    }

    @Test("S4 a certificate the server does not trust is its 400", arguments: Subject.allCases)
    func untrusted(_ subject: Subject) async throws {
        let transport = try make(subject, Self.pem("selfsigned.pem", "selfsigned.key"))
        let response = try await transport.get(Nginx.clientCertificate.document(at: "localhost"))
        #expect(response.head.status == .badRequest)
        #expect(try await text(of: response).contains("certificate error"))
    }

    @Test("S4 what cannot be used is .insecure(.clientCertificate), without its secrets", arguments: Subject.allCases)
    func unusable(_ subject: Subject) async throws {
        let certificates: [ClientCertificate] = try [
            Self.pem("client.pem", "localhost.key"), Self.pem("client.pem", "client-locked.key"),
            Self.pem("client.pem", "client-locked.key", "plumage"), Self.pem("client.pem", "client.pem"),
            Self.pem("client.key", "client.key"), .pkcs12(.file(Nginx.file("client.p12")), password: "plumage"),
            .pkcs12(Self.data("client.pem"), password: "feather"),
            .pem(certificate: .pem("nonsense"), key: Self.data("client.key")),
        ]
        for certificate in certificates {
            let transport = try make(subject, certificate)
            let error = await transport.failure(of: .get(try Nginx.clientCertificate.document(at: "localhost")))
            guard case .insecure(.clientCertificate(let reason)) = error?.kind else {
                Issue.record("\(certificate): \(String(describing: error))")
                continue
            }
            #expect(!reason.contains("plumage") && !reason.isEmpty)
            #expect(error?.isRetryable == false)
            let other = try await transport.get(Nginx.h2.document(at: "127.0.0.1"))
            #expect(other.head.status == .ok)
        }
    }

    @Test("S4 a file that is missing makes no transport", arguments: Subject.allCases)
    func missing(_ subject: Subject) throws {
        let error = #expect(throws: NetworkError.self) { try make(subject, Self.pem("client.pem", "no-such.key")) }
        #expect(error?.shortDescription == "insecure.configuration")
        #expect(error?.description.contains("no-such.key") == true)
    }
}
