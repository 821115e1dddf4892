import GodwitCore
import GodwitSupport

/// Proves that a code is exchanged by the program that requested it (RFC 7636, with S256 only).
///
/// The authorization request contains the challenge, the exchange of the code the verifier: a stolen code alone is
/// useless. The description leaves out the verifier.
package struct PKCE: Sendable, Hashable {
    /// The secret: 43 to 128 unreserved characters.
    package let verifier: String

    /// The verifier's SHA-256 digest, in Base64URL.
    package let challenge: String

    /// Creates a verifier of 256 random bits.
    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// Creates a verifier of 256 bits from a generator.
    ///
    /// - Parameter generator: Must be cryptographically secure, except in tests.
    package init(using generator: inout some RandomNumberGenerator) {
        self.init(unchecked: RandomText.make(using: &generator))
    }

    /// Uses an existing verifier; `nil` if it isn't 43 to 128 characters of `A-Z a-z 0-9 - . _ ~`.
    ///
    /// - Parameter verifier: The verifier (RFC 7636 section 4.1).
    package init?(verifier: String) {
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

extension PKCE: CustomStringConvertible, CustomReflectable {
    /// Without the verifier.
    package var description: String { "PKCE(<redacted>)" }

    /// Empty, so that printing by reflection shows no secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Generates unguessable texts.
enum RandomText {
    /// 256 bits as 43 characters that are valid in a URL.
    static func make(using generator: inout some RandomNumberGenerator) -> String {
        Base64URL.encode(RandomBytes.make(32, using: &generator))
    }
}
