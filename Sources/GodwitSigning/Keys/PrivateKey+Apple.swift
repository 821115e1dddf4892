#if canImport(CryptoKit)
import CryptoKit
import GodwitCore
import Security

/// A private key: raw for Ed25519, in DER for P-256, and PKCS #1 for RSA, which the system reads for each signature.
struct PrivateKey: Sendable, Hashable {
    private static let ed25519Prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]

    let kind: KeyKind
    private let bytes: Data
    let publicKey: PublicKey
    let pem: String?

    /// `nil` if the text isn't a key that an algorithm here uses.
    init?(pem: String) {
        guard let block = PEMBlock(pem) else { return nil }
        switch block.label {
        case "EC PRIVATE KEY": self.init(p256: block)
        case "RSA PRIVATE KEY": self.init(rsa: Data(block.der), isForPSS: false, block)
        case "PRIVATE KEY": self.init(pkcs8: block)
        default: return nil
        }
    }

    private init?(pkcs8 block: PEMBlock) {
        if block.der.count == 48, block.der.starts(with: Self.ed25519Prefix) {
            self.init(ed25519: Data(block.der.suffix(32)))
        } else if let rsa = RSAKeyInfo(privateKey: block.der) {
            self.init(rsa: rsa.pkcs1, isForPSS: rsa.isForPSS, block)
        } else {
            self.init(p256: block)
        }
    }

    private init?(p256 block: PEMBlock) {
        guard let key = try? P256.Signing.PrivateKey(derRepresentation: Data(block.der)) else { return nil }
        self.init(key)
    }

    private init(_ key: P256.Signing.PrivateKey) {
        kind = .p256
        bytes = key.derRepresentation
        publicKey = PublicKey(key.publicKey)
        pem = PEMBlock(label: "PRIVATE KEY", der: Array(bytes)).text
    }

    private init?(ed25519 raw: Data) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: raw) else { return nil }
        kind = .ed25519
        bytes = raw
        publicKey = PublicKey(key.publicKey)
        pem = PEMBlock(label: "PRIVATE KEY", der: Self.ed25519Prefix + Array(raw)).text
    }

    private init?(rsa pkcs1: Data, isForPSS: Bool, _ block: PEMBlock) {
        guard let key = RSAKeyInfo.key(pkcs1, isPrivate: true), let half = SecKeyCopyPublicKey(key),
            let publicKey = PublicKey(half, isForPSS: isForPSS)
        else { return nil }
        kind = publicKey.kind
        bytes = pkcs1
        self.publicKey = publicKey
        pem = block.text
    }

    /// Makes a new key.
    static func generate(_ kind: KeyKind) -> PrivateKey? {
        kind == .p256
            ? PrivateKey(P256.Signing.PrivateKey())
            : PrivateKey(ed25519: Curve25519.Signing.PrivateKey().rawRepresentation)
    }

    /// The signature in the form of RFC 9421 section 3.3; `nil` if the system refuses.
    func signature(of message: Data, _ algorithm: SignatureAlgorithm) -> Data? {
        switch algorithm {
        case .ed25519: try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes).signature(for: message)
        case .ecdsaP256SHA256:
            try? P256.Signing.PrivateKey(derRepresentation: bytes).signature(for: message).rawRepresentation
        default:
            RSAKeyInfo.key(bytes, isPrivate: true).flatMap { key in
                SecKeyCreateSignature(key, algorithm.ofSecurity, message as CFData, nil).map { $0 as Data }
            }
        }
    }
}

extension SignatureAlgorithm {
    /// The system's name of an algorithm of RSA. Its PSS has a salt as long as the digest.
    var ofSecurity: SecKeyAlgorithm {
        self == .rsaPSSSHA512 ? .rsaSignatureMessagePSSSHA512 : .rsaSignatureMessagePKCS1v15SHA256
    }
}

extension PEMBlock {
    /// The first block of a text; `nil` if it has none, or one with a password.
    init?(_ text: String) {
        guard let start = text.firstRange(of: "-----BEGIN ") else { return nil }
        let rest = text[start.upperBound...]
        guard let mark = rest.firstRange(of: "-----") else { return nil }
        let label = String(rest[..<mark.lowerBound])
        guard let end = rest[mark.upperBound...].firstRange(of: "-----END \(label)-----"),
            let data = Data(wrappedBase64: String(rest[mark.upperBound..<end.lowerBound])), !data.isEmpty
        else { return nil }
        self.init(label: label, der: Array(data))
    }
}
#endif
