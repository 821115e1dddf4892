/// A hash of HTTP's digest authentication (RFC 7616 section 6.1), weakest first.
package enum DigestAlgorithm: Sendable, Comparable {
    case md5, sha256

    /// Reads `algorithm`, which is MD5 where it is missing; nil for one that we do not have.
    static func parse(_ text: String?) -> (algorithm: DigestAlgorithm, isSession: Bool)? {
        switch text?.asciiLowercased {
        case nil, "md5": (.md5, false)
        case "md5-sess": (.md5, true)
        case "sha-256": (.sha256, false)
        case "sha-256-sess": (.sha256, true)
        default: nil
        }
    }

    /// The hash of texts with colons between them, in lower-case hexadecimal.
    func hash(_ parts: String...) -> String {
        let bytes = parts.joined(separator: ":").utf8
        let digest = self == .md5 ? MD5.hash(bytes) : SHA256.digest(bytes)
        return Hexadecimal.encode(digest)
    }
}
