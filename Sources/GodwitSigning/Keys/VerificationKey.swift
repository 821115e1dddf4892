public import GodwitCore
import GodwitSupport

/// A key that verifies signatures: a public key, or a secret that both sides know.
///
/// ```swift
/// let key = try VerificationKey(pem: pem, algorithm: .ed25519)
/// key.isValid(signature, of: message)
/// ```
public struct VerificationKey: Sendable, Hashable, Nonisolated {
    private enum Material: Sendable, Hashable {
        case secret([UInt8])
        case key(PublicKey)
    }

    private let material: Material

    /// The only algorithm that is accepted: a signature can't choose a weaker one.
    public let algorithm: SignatureAlgorithm

    /// Reads a public key in PEM.
    ///
    /// - Parameters:
    ///   - pem: The key in PEM (`BEGIN PUBLIC KEY`).
    ///   - algorithm: The algorithm. By default that of the key; for RSA, ``SignatureAlgorithm/rsaPSSSHA512``.
    /// - Throws: `.invalidRequest` if it isn't such a key, or not one for the algorithm.
    public init(pem: String, algorithm: SignatureAlgorithm? = nil) throws(NetworkError) {
        guard let key = PublicKey(pem: pem), let own = key.kind.algorithms.first,
            key.kind.algorithms.contains(algorithm ?? own)
        else {
            let reason = "it isn't a public key of Ed25519, P-256 or RSA (2048 bits) in PEM for this algorithm"
            throw NetworkError(.invalidRequest(reason: "the verification key: \(reason)"), phase: .building)
        }
        self.init(key, algorithm ?? own)
    }

    init(_ key: PublicKey, _ algorithm: SignatureAlgorithm) {
        material = .key(key)
        self.algorithm = algorithm
    }

    /// Uses a secret for HMAC with SHA-256.
    public init(sharedSecret secret: some Sequence<UInt8>) {
        material = .secret(Array(secret))
        algorithm = .hmacSHA256
    }

    /// Whether a signature was made for these bytes with this key.
    public func isValid(_ signature: Data, of message: Data) -> Bool {
        switch material {
        case .secret(let secret):
            let code = HMACSHA256.code(of: message, key: secret)
            return ConstantTime.areEqual(Hexadecimal.encode(code), Hexadecimal.encode(signature))
        case .key(let key): return key.isValid(signature, of: message, algorithm)
        }
    }

    /// The public key in PEM, for verifiers. `nil` for a shared secret.
    public var pem: String? {
        if case .key(let key) = material { key.pem } else { nil }
    }

    /// The coordinates of a P-256 key, 32 bytes each (RFC 7518 section 6.2.1).
    package var p256Coordinates: (x: [UInt8], y: [UInt8])? {
        guard case .key(let key) = material, let point = key.p256Point else { return nil }
        return (Array(point.prefix(32)), Array(point.suffix(32)))
    }
}

extension VerificationKey: CustomStringConvertible, CustomReflectable {
    /// The algorithm of the key, without the key.
    public var description: String { "VerificationKey(\(algorithm))" }

    /// Empty: it can be a shared secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
