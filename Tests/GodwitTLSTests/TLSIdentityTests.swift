#if os(Linux)
import COpenSSL
import GodwitCore
import GodwitTLS
import GodwitTesting
import Testing

/// The forms that a client certificate comes in.
@Suite("TLS identities", .timeLimit(.minutes(15)))
struct TLSIdentityTests {
    /// A certificate with its key, in OpenSSL's form, which is freed in the end.
    private final class Parsed {
        let certificate: OpaquePointer
        let key: OpaquePointer

        init(_ server: MockServer) throws {
            guard case .pem(let certificate, let key) = server.clientCertificate?.content else { throw Missing() }
            self.certificate = try #require(Self.parse(certificate) { PEM_read_bio_X509($0, nil, nil, nil) })
            self.key = try #require(Self.parse(key) { PEM_read_bio_PrivateKey($0, nil, nil, nil) })
        }

        deinit {
            X509_free(certificate)
            EVP_PKEY_free(key)
        }

        private static func parse(_ material: KeyMaterial, _ read: (OpaquePointer?) -> OpaquePointer?) throws
            -> OpaquePointer?
        {
            try material.read().withUnsafeBytes { bytes in
                let input = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
                defer { BIO_free(input) }
                return read(input)
            }
        }
    }

    private struct Missing: Error {}

    private static func written(_ write: (OpaquePointer?) -> Int32) -> Data {
        let memory = BIO_new(BIO_s_mem())
        defer { BIO_free(memory) }
        #expect(write(memory) == 1)
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
        let count = BIO_read(memory, &bytes, Int32(bytes.count))
        return Data(bytes.prefix(Int(max(0, count))))
    }

    private static func lockedKey(_ parsed: Parsed, _ password: String) -> Data {
        written {
            PEM_write_bio_PKCS8PrivateKey(
                $0, parsed.key, EVP_aes_256_cbc(), password, Int32(password.utf8.count), nil, nil)
        }
    }

    private static func container(_ parsed: Parsed, _ password: String) -> Data {
        let container = PKCS12_create(password, "bird", parsed.key, parsed.certificate, nil, 0, 0, 0, 0, 0)
        defer { PKCS12_free(container) }
        return written { i2d_PKCS12_bio($0, container) }
    }

    private func serve() async throws -> MockServer {
        try await MockServer(.tls { $0.clientAuthentication = .required }) { $0.get("/").reply(.text("content")) }
    }

    @Test("S4 an encrypted key and a container open with their password", arguments: ["feather", ""])
    func opens(_ password: String) async throws {
        let server = try await serve()
        let parsed = try Parsed(server)
        var forms: [ClientCertificate] = [.pkcs12(.data(Self.container(parsed, password)), password: password)]
        if !password.isEmpty, case .pem(let certificate, _) = server.clientCertificate?.content {
            let key = KeyMaterial.data(Self.lockedKey(parsed, password))
            forms.append(.pem(certificate: certificate, key: key, password: password))
        }
        for form in forms {
            let outcome = try await TLSClient(server) { $0.clientCertificates["127.0.0.1"] = form }.get().first
            #expect(outcome?.response.hasSuffix("content") == true)
        }
    }

    @Test("S4 they don't open with another password or none, and nothing asks for one")
    func locked() async throws {
        let server = try await serve()
        let parsed = try Parsed(server)
        guard case .pem(let certificate, _) = server.clientCertificate?.content else { throw Missing() }
        let key = KeyMaterial.data(Self.lockedKey(parsed, "feather"))
        for form in [
            .pkcs12(.data(Self.container(parsed, "feather")), password: "plumage"),
            .pkcs12(.data(Self.container(parsed, "feather")), password: ""),
            .pem(certificate: certificate, key: key, password: "plumage"), .pem(certificate: certificate, key: key),
        ] as [ClientCertificate] {
            let client = try TLSClient(server) { $0.clientCertificates["127.0.0.1"] = form }
            let error = #expect(throws: NetworkError.self) { try client.makeContext("127.0.0.1") }
            #expect(error?.shortDescription == "insecure.client_certificate")
            #expect(error?.description.contains("plumage") == false)
        }
    }
}
#endif
