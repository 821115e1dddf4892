public import GodwitCore
import GodwitSigning
import GodwitSupport

/// The private key that a program's tokens are bound to (RFC 9449): P-256. Its description leaves it out.
///
/// ```swift
/// let key = try await DPoPKey.stored(in: SecretServiceTokenStore(service: "com.example.reader", account: "dpop"))
/// ```
///
/// Keep it as long as the tokens: a refresh token is bound to the key that it was issued for.
public struct DPoPKey: Sendable, Hashable {
    private static let type = "DPoP-Key"

    private let key: SigningKey
    let jwk: JWK

    /// Generates a new random key.
    ///
    /// - Throws: `.invalidRequest` if the system can't make keys.
    public init() throws(NetworkError) {
        try self.init(SigningKey.generate(.ecdsaP256SHA256))
    }

    /// Reads a key in PEM.
    ///
    /// - Parameter pem: A private key of P-256 in PEM.
    /// - Throws: `.invalidRequest` if it isn't one.
    public init(pem: String) throws(NetworkError) {
        try self.init(SigningKey(pem: pem, algorithm: .ecdsaP256SHA256))
    }

    private init(_ key: SigningKey) throws(NetworkError) {
        guard let (x, y) = key.verificationKey.p256Coordinates else {
            throw NetworkError(.invalidRequest(reason: "the key for DPoP isn't one of P-256"), phase: .building)
        }
        self.key = key
        jwk = JWK(x: Base64URL.encode(x), y: Base64URL.encode(y))
    }

    /// The key in a store; if there is none, makes one and stores it.
    ///
    /// Call it once when the program starts.
    ///
    /// - Parameter store: A store of its own: a keyring, or a file that only its owner can read. Not that of the token.
    /// - Throws: `.file` if the store can't be read or written, `.invalidRequest` if it contains something else.
    public static func stored(in store: some TokenStore) async throws(NetworkError) -> DPoPKey {
        do {
            // Another process may be making its first key, too.
            let lock = try await store.lock()
            defer { withExtendedLifetime(lock) {} }
            if let stored = try await store.load() {
                guard stored.type == type else {
                    throw NetworkError(
                        .invalidRequest(reason: "the store for the key of DPoP contains a token"), phase: .building)
                }
                return try DPoPKey(pem: stored.access)
            }
            let key = try DPoPKey()
            guard let pem = key.pem else {
                throw NetworkError(.invalidRequest(reason: "the key of DPoP can't be written"), phase: .building)
            }
            try await store.save(AccessToken(access: pem, type: type))
            return key
        } catch let error as TokenStoreError {
            throw NetworkError(.file(reason: "the key of DPoP: \(error)"), phase: .middleware, underlying: error)
        } catch {
            throw NetworkError(thrown: error, phase: .middleware)
        }
    }

    /// The private key in PEM (PKCS #8). It is a secret.
    public var pem: String? { key.pem }

    /// The digest by which servers name the key (RFC 7638), as in `dpop_jkt`.
    public var thumbprint: String { jwk.thumbprint }

    /// Signs a text for a JSON Web Signature (ES256, RFC 7518 section 3.4).
    func signature(of text: String) throws(NetworkError) -> Data {
        try key.signature(of: Data(text.utf8))
    }
}

/// A public key of P-256 (RFC 7517).
package struct JWK: Sendable, Hashable, Encodable {
    let crv = "P-256"
    let kty = "EC"
    let x: String
    let y: String

    package init(x: String, y: String) {
        self.x = x
        self.y = y
    }

    /// The members in the order of RFC 7638 section 3.
    package var thumbprint: String {
        let text = #"{"crv":"\#(crv)","kty":"\#(kty)","x":"\#(x)","y":"\#(y)"}"#
        return Base64URL.encode(SHA256.digest(text.utf8))
    }
}

extension DPoPKey: CustomStringConvertible, CustomReflectable {
    /// The thumbprint, which is public.
    public var description: String { "DPoPKey(\(thumbprint), <redacted>)" }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
