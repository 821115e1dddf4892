/// `Repr-Digest` and `Content-Digest` (RFC 9530): dictionaries of algorithms and bytes.
package enum DigestField {
    /// The SHA-256 in a field, 32 bytes; `nil` if missing or invalid.
    package static func sha256(in name: HTTPField.Name, of fields: HTTPFields) -> [UInt8]? {
        guard let text = fields[name], case .item(let item)? = StructuredParser.dictionary(text)?["sha-256"],
            case .bytes(let digest) = item.value, digest.count == 32
        else { return nil }
        return digest
    }

    /// The value of a field with a SHA-256.
    package static func text(sha256 digest: [UInt8]) -> String {
        "sha-256=:\(Data(digest).base64EncodedString()):"
    }
}
