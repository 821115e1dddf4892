import GodwitSupport

/// The parts of a form: heads that name their values.
struct SecretParts: Sendable {
    /// The latest line that may separate parts.
    fileprivate var boundary = Array("--".utf8)
    /// Whether the part whose head is being read has a secret name.
    fileprivate var isSecret = false
    fileprivate static let disposition = Array("content-disposition:".utf8)
}

extension SecretText {
    /// Reads a line that ends. Hides the content of a part after the head that names it.
    mutating func readLineEnd(_ text: inout SecretInput) {
        let hasReturn = text[text.position - 1] == 0x0D
        let end = text.position - (hasReturn ? 1 : 0)
        let start = text.start(before: end) { $0 != 0x0A }
        let line = text.bytes[start..<end]
        switch line.first {
        case nil where parts.isSecret:
            parts.isSecret = false
            text.position += 1
            hide(.before((hasReturn ? [0x0D, 0x0A] : [0x0A]) + parts.boundary), in: &text)
        case nil: break
        case UInt8(ascii: "-") where line.starts(with: "--".utf8):
            // RFC 2046 section 5.1.1 allows 70 characters.
            parts = SecretParts(boundary: Array(line.prefix(72)))
        case let byte? where byte | 0x20 == UInt8(ascii: "c"):
            guard line.prefix(SecretParts.disposition.count).map({ $0 | 0x20 }) == SecretParts.disposition else {
                break
            }
            parts.isSecret = namesSecretPart(start..<end, in: text)
        default: break
        }
    }

    private mutating func namesSecretPart(_ line: Range<Int>, in text: SecretInput) -> Bool {
        for sign in line where text.bytes[sign] == UInt8(ascii: "=") {
            guard let label = SecretLabel(before: sign, in: text), label.names("name") else { continue }
            return meaning(of: SecretMarkup.quoted(after: sign, in: text)).isSecretItem
        }
        return false
    }
}
