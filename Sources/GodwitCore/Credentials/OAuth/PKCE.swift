/// The proof that who exchanges a code is who asked for it (RFC 7636, with S256 alone).
///
/// The challenge goes out with the authorization request, the verifier with the exchange of the code: a code that was
/// stolen on the way is worth nothing. It describes itself without the verifier.
public struct PKCE: Sendable, Hashable {
    /// The secret: 43 to 128 unreserved characters.
    public let verifier: String

    /// The verifier's SHA-256, in the Base64 of URLs.
    public let challenge: String

    /// Makes a verifier of 256 random bits.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// Makes a verifier of 256 bits from a generator, which has to be cryptographically secure.
    ///
    /// - Parameter generator: The generator; a test's own makes the verifier repeatable.
    public init(using generator: inout some RandomNumberGenerator) {
        self.init(unchecked: RandomText.make(using: &generator))
    }

    /// Takes a verifier that was made elsewhere; nil where it is not 43 to 128 of `A-Z a-z 0-9 - . _ ~`.
    ///
    /// - Parameter verifier: The verifier (RFC 7636 section 4.1).
    public init?(verifier: String) {
        let isLegal = verifier.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "-._~".utf8.contains(byte)
            }
        }
        guard isLegal, (43...128).contains(verifier.utf8.count) else { return nil }
        self.init(unchecked: verifier)
    }

    private init(unchecked verifier: String) {
        self.verifier = verifier
        challenge = Base64URL.encode(SHA256.digest(verifier.utf8))
    }
}

extension PKCE: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type alone, without the verifier.
    public var description: String { "PKCE(<redacted>)" }
    public var debugDescription: String { description }

    /// Nothing: what prints values by reflection sees no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Values that nobody can guess.
enum RandomText {
    /// 256 bits as 43 characters that may stand in a URL.
    static func make(using generator: inout some RandomNumberGenerator) -> String {
        var bytes: [UInt8] = []
        for _ in 0..<32 { bytes.append(.random(in: .min ... .max, using: &generator)) }
        return Base64URL.encode(bytes)
    }
}
