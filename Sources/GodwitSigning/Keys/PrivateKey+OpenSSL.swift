#if canImport(COpenSSL) && !canImport(CryptoKit)
import COpenSSL
import GodwitCore

/// A private key: PKCS #8 in DER, which OpenSSL reads for each signature. It is a value without a pointer to share.
struct PrivateKey: Sendable, Hashable {
    let kind: KeyKind
    private let der: [UInt8]
    let publicKey: PublicKey

    /// `nil` if the text isn't a key that an algorithm here uses.
    init?(pem: String) {
        defer { ERR_clear_error() }
        // Without a password, OpenSSL would ask for it at the terminal.
        var password: [CChar] = [0]
        guard let memory = OpenSSLMemory(pem.utf8),
            let key = PEM_read_bio_PrivateKey(memory.bio, nil, nil, &password)
        else { return nil }
        self.init(owning: key)
    }

    /// Makes a new key.
    static func generate(_ kind: KeyKind) -> PrivateKey? {
        defer { ERR_clear_error() }
        guard let context = EVP_PKEY_CTX_new_id(kind == .p256 ? EVP_PKEY_EC : EVP_PKEY_ED25519, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_keygen_init(context) > 0,
            kind != .p256 || EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) > 0
        else { return nil }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen(context, &key) > 0, let key else { return nil }
        return PrivateKey(owning: key)
    }

    private init?(owning key: OpaquePointer) {
        defer { EVP_PKEY_free(key) }
        guard let kind = KeyKind(key), let publicKey = PublicKey(key), let info = EVP_PKEY2PKCS8(key) else {
            return nil
        }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        guard let memory = OpenSSLMemory(), i2d_PKCS8_PRIV_KEY_INFO_bio(memory.bio, info) == 1 else { return nil }
        self.kind = kind
        self.publicKey = publicKey
        der = memory.bytes
    }

    /// The key in PEM (PKCS #8).
    var pem: String? { PEMBlock(label: "PRIVATE KEY", der: der).text }

    /// The signature in the form of RFC 9421 section 3.3; `nil` if OpenSSL refuses.
    func signature(of message: Data, _ algorithm: SignatureAlgorithm) -> Data? {
        defer { ERR_clear_error() }
        guard let memory = OpenSSLMemory(der), let key = d2i_PrivateKey_bio(memory.bio, nil) else { return nil }
        defer { EVP_PKEY_free(key) }
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        var parameters: OpaquePointer?
        guard EVP_DigestSignInit(context, &parameters, algorithm.digest, nil, key) == 1,
            algorithm.adjust(parameters)
        else { return nil }
        let bytes = Array(message)
        var length = 0
        guard EVP_DigestSign(context, nil, &length, bytes, bytes.count) == 1 else { return nil }
        var signature = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSign(context, &signature, &length, bytes, bytes.count) == 1 else { return nil }
        let result = Array(signature.prefix(length))
        return algorithm == .ecdsaP256SHA256 ? ECDSASignature.raw(der: result) : Data(result)
    }
}

extension SignatureAlgorithm {
    /// `nil` for Ed25519, which has its own.
    var digest: OpaquePointer? {
        switch self {
        case .ed25519: nil
        case .rsaPSSSHA512: EVP_sha512()
        default: EVP_sha256()
        }
    }

    /// Sets the padding of RSA. `false` if the key doesn't permit it.
    func adjust(_ parameters: OpaquePointer?) -> Bool {
        switch self {
        case .rsaPSSSHA512:
            EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, 64) == 1
        case .rsaPKCS1SHA256: EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PADDING) == 1
        default: true
        }
    }
}

/// ECDSA signatures of P-256: in ASN.1, as OpenSSL has them, and as r and s.
enum ECDSASignature {
    private static let size: Int32 = 32

    static func raw(der: [UInt8]) -> Data? {
        guard
            let signature = der.withUnsafeBufferPointer({ bytes in
                var start = bytes.baseAddress
                return d2i_ECDSA_SIG(nil, &start, bytes.count)
            })
        else { return nil }
        defer { ECDSA_SIG_free(signature) }
        var halves = [UInt8](repeating: 0, count: 2 * Int(size))
        let isWritten = halves.withUnsafeMutableBufferPointer { bytes in
            BN_bn2binpad(ECDSA_SIG_get0_r(signature), bytes.baseAddress, size) == size
                && BN_bn2binpad(ECDSA_SIG_get0_s(signature), bytes.baseAddress.map { $0 + Int(size) }, size) == size
        }
        return isWritten ? Data(halves) : nil
    }

    static func der(raw: Data) -> [UInt8]? {
        let bytes = Array(raw)
        guard bytes.count == 2 * Int(size), let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        let r = BN_bin2bn(Array(bytes.prefix(Int(size))), size, nil)
        let s = BN_bin2bn(Array(bytes.suffix(Int(size))), size, nil)
        guard ECDSA_SIG_set0(signature, r, s) == 1 else {
            BN_free(r)
            BN_free(s)
            return nil
        }
        var written: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(signature, &written)
        guard count > 0, let written else { return nil }
        defer { CRYPTO_free(written, #file, #line) }
        return Array(UnsafeBufferPointer(start: written, count: Int(count)))
    }
}
#endif
