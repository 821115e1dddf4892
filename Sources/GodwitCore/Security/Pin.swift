/// A public key a server may have: the SHA-256 of its SubjectPublicKeyInfo (RFC 7469 section 2.4).
///
/// ```shell
/// openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
/// ```
///
/// A key outlives its certificates: renewing one with the same key keeps its pin.
public struct Pin: Sendable, Hashable {
    private enum Content: Sendable, Hashable {
        case digest([UInt8])
        case unreadable(String)
    }

    private let content: Content

    /// The digest in Base64, with or without `sha256/` or `sha256//` before it.
    ///
    /// A text that is not 32 bytes of Base64 makes the transport's initialiser throw `.invalidRequest`.
    ///
    /// - Parameter text: 44 characters of Base64, as `openssl dgst -sha256 -binary | base64` writes them.
    public static func sha256(_ text: String) -> Pin {
        var encoded = text[...]
        if encoded.hasPrefix("sha256/") { encoded = encoded.dropFirst(7) }
        if encoded.hasPrefix("/") && encoded.utf8.count == 45 { encoded = encoded.dropFirst() }
        guard let digest = Data(base64Encoded: String(encoded)), digest.count == 32 else {
            return Pin(content: .unreadable(text))
        }
        return Pin(content: .digest(Array(digest)))
    }

    /// The 32 bytes of the digest.
    ///
    /// Another number of them makes the transport's initialiser throw `.invalidRequest`.
    ///
    /// - Parameter digest: The bytes.
    public static func sha256(_ digest: some Sequence<UInt8>) -> Pin {
        let bytes = Array(digest)
        return Pin(content: bytes.count == 32 ? .digest(bytes) : .unreadable("\(bytes.count) bytes"))
    }

    /// The pin of a certificate's key, whatever its kind; nil where the data is no certificate in DER.
    ///
    /// The certificate is not validated.
    ///
    /// - Parameter der: The certificate in DER.
    public static func key(ofCertificate der: Data) -> Pin? {
        CertificateKey.subjectPublicKeyInfo(of: der).map { .sha256(SHA256.digest($0)) }
    }

    /// Whether it is a digest of 32 bytes, and so can match a key.
    public var isValid: Bool { fault == nil }

    /// Why it can never match, or nil.
    package var fault: String? {
        guard case .unreadable(let text) = content else { return nil }
        return "the pin \"\(text)\" is not the Base64 of a SHA-256 digest (32 bytes)"
    }
}

extension Pin: CustomStringConvertible {
    /// The pin as configurations write it: `sha256/` and Base64.
    public var description: String {
        switch content {
        case .digest(let bytes): "sha256/" + Data(bytes).base64EncodedString()
        case .unreadable(let text): text
        }
    }
}
