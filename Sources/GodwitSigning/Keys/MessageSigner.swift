public import GodwitCore

/// Signs messages with a key that it doesn't reveal: a ``SigningKey``, or one in a keyring, a hardware module or a cloud.
///
/// ```swift
/// struct VaultSigner: MessageSigner {
///     let keyID: String? = "reader-2026"
///     let algorithm = SignatureAlgorithm.ecdsaP256SHA256
///
///     func signature(of message: Data) async throws -> Data {
///         try await vault.sign(message)
///     }
/// }
/// ```
public protocol MessageSigner: Sendable {
    /// The name by which a verifier finds the key. `nil` if it knows the key otherwise.
    var keyID: String? { get }

    /// The algorithm of the signatures.
    var algorithm: SignatureAlgorithm { get }

    /// Signs a message. Can run for any number of messages at the same time.
    ///
    /// - Returns: The signature in the form that ``algorithm`` requires.
    func signature(of message: Data) async throws -> Data
}

/// An algorithm for signatures, by its name in the registry of RFC 9421 (section 6.2.2).
public struct SignatureAlgorithm: RawRepresentable, Sendable, Hashable, Nonisolated {
    /// The name in the registry, such as `ed25519`.
    public let rawValue: String

    /// Creates an algorithm from its name in the registry.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// HMAC with SHA-256 and a secret that both sides know (RFC 9421 section 3.3.3).
    public static let hmacSHA256 = Self(rawValue: "hmac-sha256")
    /// EdDSA with curve 25519 (RFC 9421 section 3.3.6). 64 bytes.
    public static let ed25519 = Self(rawValue: "ed25519")
    /// ECDSA with curve P-256 and SHA-256 (RFC 9421 section 3.3.4): r and s, 32 bytes each.
    public static let ecdsaP256SHA256 = Self(rawValue: "ecdsa-p256-sha256")
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 9421 section 3.3.2). For servers that support nothing else.
    public static let rsaPKCS1SHA256 = Self(rawValue: "rsa-v1_5-sha256")
    /// RSASSA-PSS with SHA-512 and a salt of 64 bytes (RFC 9421 section 3.3.1).
    public static let rsaPSSSHA512 = Self(rawValue: "rsa-pss-sha512")
}

extension SignatureAlgorithm: CustomStringConvertible {
    /// The name in the registry.
    public var description: String { rawValue }
}
