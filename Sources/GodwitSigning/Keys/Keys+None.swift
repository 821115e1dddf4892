#if !canImport(CryptoKit) && !canImport(COpenSSL)
import GodwitCore

/// No private key can be used on a system without OpenSSL or CryptoKit; shared secrets can.
struct PrivateKey: Sendable, Hashable {
    let kind: KeyKind
    let publicKey: PublicKey
    let pem: String?

    init?(pem: String) { return nil }

    static func generate(_ kind: KeyKind) -> PrivateKey? { nil }

    func signature(of message: Data, _ algorithm: SignatureAlgorithm) -> Data? { nil }
}

/// No public key can be used on a system without OpenSSL or CryptoKit.
struct PublicKey: Sendable, Hashable {
    let kind: KeyKind
    let pem: String
    let p256Point: [UInt8]?

    init?(pem: String) { return nil }

    func isValid(_ signature: Data, of message: Data, _ algorithm: SignatureAlgorithm) -> Bool { false }
}
#endif
