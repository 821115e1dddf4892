#if os(Linux)
import COpenSSL
import GodwitCore
import GodwitTLS

/// A certificate with its private key, made in memory, for an authority, a server or a client.
final class IssuedCertificate: Sendable {
    /// The purpose of a certificate, which its extensions state (RFC 5280 section 4.2.1).
    enum Role {
        case authority
        /// Subject alternative names in OpenSSL's form, such as `DNS:localhost,IP:127.0.0.1`.
        case server(names: String)
        case client
    }

    /// The first and last day of a certificate, in days from now.
    struct Validity {
        var from: Int32
        var until: Int32

        static let now = Validity(from: -1, until: 365)
        static let over = Validity(from: -30, until: -1)
        static let future = Validity(from: 1, until: 30)
    }

    // Immutable after `init`; freed in `deinit`.
    nonisolated(unsafe) private let certificate: OpaquePointer
    nonisolated(unsafe) private let key: OpaquePointer

    /// Makes a key and a certificate for it.
    ///
    /// - Parameters:
    ///   - name: The common name.
    ///   - role: Its purpose.
    ///   - issuer: The authority that signs it; nil for self-signed.
    ///   - validity: Its dates.
    init(
        _ name: String, _ role: Role, by issuer: IssuedCertificate?, _ validity: Validity = .now
    ) throws(NetworkError) {
        let key = try Self.makeKey()
        guard let certificate = X509_new() else {
            EVP_PKEY_free(key)
            throw Self.failure("a certificate")
        }
        self.certificate = certificate
        self.key = key
        let signs = issuer ?? self
        guard X509_set_version(certificate, 2) == 1,
            ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), .random(in: 1...UInt64(Int64.max))) == 1,
            X509_time_adj_ex(X509_getm_notBefore(certificate), validity.from, 0, nil) != nil,
            X509_time_adj_ex(X509_getm_notAfter(certificate), validity.until, 0, nil) != nil,
            X509_set_pubkey(certificate, key) == 1,
            Self.add(name, to: X509_get_subject_name(certificate)),
            X509_set_issuer_name(certificate, X509_get_subject_name(signs.certificate)) == 1,
            addExtensions(role, issuer: signs),
            X509_sign(certificate, signs.key, EVP_sha256()) > 0
        else { throw Self.failure("a certificate") }
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
    }

    /// The certificate in PEM.
    func pem() throws(NetworkError) -> String {
        String(decoding: try Self.written { PEM_write_bio_X509($0, certificate) }, as: UTF8.self)
    }

    /// The certificate in DER.
    func der() throws(NetworkError) -> Data {
        try Self.written { i2d_X509_bio($0, certificate) }
    }

    /// The pin of its key.
    func pin() throws(NetworkError) -> Pin {
        guard let pin = Pin.key(ofCertificate: try der()) else { throw Self.failure("a pin") }
        return pin
    }

    /// A certificate with its key and those of its issuers that are sent with it.
    static func shown(_ chain: [IssuedCertificate]) throws(NetworkError) -> ClientCertificate {
        guard let own = chain.first else { throw failure("a chain") }
        let privateKey = try written { PEM_write_bio_PrivateKey($0, own.key, nil, nil, 0, nil, nil) }
        let certificates = try chain.map { certificate throws(NetworkError) in try certificate.pem() }
        return .pem(certificate: .pem(certificates.joined()), key: .data(privateKey))
    }

    // MARK: Parts

    private static func makeKey() throws(NetworkError) -> OpaquePointer {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) > 0,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) > 0,
            EVP_PKEY_keygen(context, &key) > 0, let key
        else { throw failure("a key") }
        return key
    }

    private static func add(_ name: String, to subject: OpaquePointer?) -> Bool {
        let bytes = Array(name.utf8)
        return X509_NAME_add_entry_by_NID(
            subject, NID_commonName, MBSTRING_FLAG, bytes, Int32(bytes.count), -1, 0) == 1
    }

    private func addExtensions(_ role: Role, issuer: IssuedCertificate) -> Bool {
        let extensions: [(Int32, String)] =
            switch role {
            case .authority:
                [
                    (NID_basic_constraints, "critical,CA:TRUE"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
                ]
            case .server(let names):
                [
                    (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
                    (NID_ext_key_usage, "serverAuth"), (NID_subject_alt_name, names),
                ]
            case .client:
                [
                    (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
                    (NID_ext_key_usage, "clientAuth"),
                ]
            }
        let identifiers = [(NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid")]
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer.certificate, certificate, nil, nil, 0)
        return (extensions + identifiers).allSatisfy { kind, value in
            // OpenSSL finds no identifier in a self-signed certificate that isn't signed yet.
            if kind == NID_authority_key_identifier, issuer === self { return true }
            guard let made = X509V3_EXT_conf_nid(nil, &context, kind, value) else { return false }
            defer { X509_EXTENSION_free(made) }
            return X509_add_ext(certificate, made, -1) == 1
        }
    }

    private static func written(_ write: (OpaquePointer?) -> Int32) throws(NetworkError) -> Data {
        let memory = BIO_new(BIO_s_mem())
        defer { BIO_free(memory) }
        guard write(memory) == 1 else { throw failure("PEM") }
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
        let count = BIO_read(memory, &bytes, Int32(bytes.count))
        return Data(bytes.prefix(Int(max(0, count))))
    }

    static func failure(_ what: String) -> NetworkError {
        NetworkError(
            .transport(.other("MockServer cannot make \(what): \(TLSReason.take().text)")), phase: .building)
    }
}
#endif
