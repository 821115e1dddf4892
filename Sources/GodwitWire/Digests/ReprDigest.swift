/// Parses `Repr-Digest` (RFC 9530 section 3): a dictionary of algorithms and bytes (RFC 9651 section 3.2).
package enum ReprDigest {
    /// The SHA-256 of the whole representation, 32 bytes; `nil` if missing or invalid.
    package static func sha256(_ fields: HTTPFields) -> [UInt8]? {
        guard let text = fields[.reprDigest] else { return nil }
        var found: [UInt8]?
        for member in text.split(separator: ",") {
            let parts = member.split(separator: "=", maxSplits: 1)
            // The last of several counts (RFC 9651 section 3.2).
            guard parts.count == 2, parts[0].trimmingBlanks == "sha-256" else { continue }
            found = bytes(parts[1].trimmingBlanks)
        }
        return found
    }

    /// A byte sequence between colons (RFC 9651 section 3.3.5), without parameters.
    private static func bytes(_ text: String) -> [UInt8]? {
        let value = text.prefix { $0 != ";" }.trimmingBlanks
        guard value.hasPrefix(":"), value.hasSuffix(":"), value.utf8.count > 2,
            let data = Data(base64Encoded: String(value.dropFirst().dropLast())), data.count == 32
        else { return nil }
        return Array(data)
    }
}
