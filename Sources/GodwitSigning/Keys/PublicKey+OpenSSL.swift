#if canImport(COpenSSL) && !canImport(CryptoKit)
import COpenSSL
import GodwitCore

/// A public key: SubjectPublicKeyInfo in DER (RFC 5280 section 4.1).
struct PublicKey: Sendable, Hashable {
    let kind: KeyKind
    private let der: [UInt8]

    /// `nil` if the text isn't a key that an algorithm here uses.
    init?(pem: String) {
        defer { ERR_clear_error() }
        // Without a password, OpenSSL would ask for it at the terminal.
        var password: [CChar] = [0]
        guard let memory = OpenSSLMemory(pem.utf8), let key = PEM_read_bio_PUBKEY(memory.bio, nil, nil, &password)
        else { return nil }
        defer { EVP_PKEY_free(key) }
        self.init(key)
    }

    init?(_ key: OpaquePointer) {
        guard let kind = KeyKind(key), let memory = OpenSSLMemory(), i2d_PUBKEY_bio(memory.bio, key) == 1 else {
            return nil
        }
        self.kind = kind
        der = memory.bytes
    }

    var pem: String { PEMBlock(label: "PUBLIC KEY", der: der).text }

    /// The coordinates of a P-256 key, 64 bytes: the end of its only uncompressed form.
    var p256Point: [UInt8]? {
        guard kind == .p256, der.count == 91, der[26] == 4 else { return nil }
        return Array(der.suffix(64))
    }

    func isValid(_ signature: Data, of message: Data, _ algorithm: SignatureAlgorithm) -> Bool {
        defer { ERR_clear_error() }
        guard kind.algorithms.contains(algorithm), let memory = OpenSSLMemory(der),
            let key = d2i_PUBKEY_bio(memory.bio, nil)
        else { return false }
        defer { EVP_PKEY_free(key) }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        var parameters: OpaquePointer?
        guard let bytes = algorithm == .ecdsaP256SHA256 ? ECDSASignature.der(raw: signature) : Array(signature),
            EVP_DigestVerifyInit(context, &parameters, algorithm.digest, nil, key) == 1, algorithm.adjust(parameters)
        else { return false }
        let message = Array(message)
        return EVP_DigestVerify(context, bytes, bytes.count, message, message.count) == 1
    }
}
#endif
