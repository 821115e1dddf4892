public import GodwitCore
import GodwitSupport

/// A key in memory that signs messages: a private key, or a secret that both sides know. Its description leaves it out.
///
/// ```swift
/// let key = try SigningKey(pem: pem, id: "reader-2026")
/// let shared = SigningKey(sharedSecret: secret.utf8, id: "reader-2026")
/// let fresh = try SigningKey.generate(.ed25519)
/// ```
public struct SigningKey: MessageSigner, Hashable, Nonisolated {
    private enum Material: Sendable, Hashable {
        case secret([UInt8])
        case pair(PrivateKey)
    }

    private let material: Material

    /// The name by which a verifier finds the key.
    public let keyID: String?

    /// The algorithm of the signatures.
    public let algorithm: SignatureAlgorithm

    /// Reads a private key in PEM.
    ///
    /// - Parameters:
    ///   - pem: The key in PEM, without a password: PKCS #8, PKCS #1 or SEC 1. RSA keys need at least 2048 bits.
    ///   - algorithm: The algorithm. By default that of the key; for RSA, ``SignatureAlgorithm/rsaPSSSHA512``.
    ///   - id: The name by which a verifier finds the key.
    /// - Throws: `.invalidRequest` if it isn't such a key, or not one for the algorithm.
    public init(
        pem: String, algorithm: SignatureAlgorithm? = nil, id: String? = nil
    ) throws(NetworkError) {
        guard let key = PrivateKey(pem: pem) else {
            throw Self.unusable("it isn't a private key of Ed25519, P-256 or RSA in PEM without a password")
        }
        try self.init(key, algorithm, id)
    }

    private init(_ key: PrivateKey, _ algorithm: SignatureAlgorithm?, _ id: String?) throws(NetworkError) {
        guard key.kind != .shortRSA else { throw Self.unusable("RSA keys need at least 2048 bits") }
        let algorithm = algorithm ?? key.kind.algorithms.first ?? .ed25519
        guard key.kind.algorithms.contains(algorithm) else { throw Self.unusable("it isn't for \(algorithm)") }
        material = .pair(key)
        keyID = id
        self.algorithm = algorithm
    }

    /// Uses a secret for HMAC with SHA-256.
    ///
    /// - Parameters:
    ///   - secret: The secret, 32 random bytes or more.
    ///   - id: The name by which a verifier finds the secret.
    public init(sharedSecret secret: some Sequence<UInt8>, id: String? = nil) {
        material = .secret(Array(secret))
        keyID = id
        algorithm = .hmacSHA256
    }

    /// Generates a new random key of Ed25519 or P-256.
    ///
    /// - Throws: `.invalidRequest` for another algorithm, or if the system can't make keys.
    public static func generate(
        _ algorithm: SignatureAlgorithm = .ed25519, id: String? = nil
    ) throws(NetworkError) -> SigningKey {
        let kind: KeyKind? =
            switch algorithm {
            case .ed25519: .ed25519
            case .ecdsaP256SHA256: .p256
            default: nil
            }
        guard let kind, let key = PrivateKey.generate(kind) else {
            throw unusable("a key for \(algorithm) can't be made here")
        }
        return try SigningKey(key, algorithm, id)
    }

    /// Signs a message, and returns the signature.
    ///
    /// - Throws: `.invalidRequest` if the system's cryptography refuses the key.
    public func signature(of message: Data) throws(NetworkError) -> Data {
        switch material {
        case .secret(let secret): return Data(HMACSHA256.code(of: message, key: secret))
        case .pair(let key):
            guard let signature = key.signature(of: message, algorithm) else {
                throw Self.unusable("the system's cryptography refuses it")
            }
            return signature
        }
    }

    /// The key that verifies the signatures: the public half, or the same secret.
    public var verificationKey: VerificationKey {
        switch material {
        case .secret(let secret): VerificationKey(sharedSecret: secret)
        case .pair(let key): VerificationKey(key.publicKey, algorithm)
        }
    }

    /// The private key in PEM (PKCS #8), to store it. `nil` for a shared secret.
    ///
    /// It is a secret: store it in a keyring, or in a file that only its owner can read.
    public var pem: String? {
        if case .pair(let key) = material { key.pem } else { nil }
    }

    private static func unusable(_ reason: String) -> NetworkError {
        NetworkError(.invalidRequest(reason: "the signing key can't be used: \(reason)"), phase: .building)
    }
}

extension SigningKey: CustomStringConvertible, CustomReflectable {
    /// The algorithm and the key's name.
    public var description: String { "SigningKey(\(algorithm), \(keyID ?? "no name"), <redacted>)" }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
