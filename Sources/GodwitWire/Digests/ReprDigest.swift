/// Reads `Repr-Digest` (RFC 9530 section 3): a dictionary of algorithms and bytes (RFC 9651 section 3.2).
package enum ReprDigest {
    /// The SHA-256 of the whole representation: 32 bytes; nil where there is none, or none that can be read.
    package static func sha256(_ fields: HTTPFields) -> [UInt8]? {
        guard let text = fields[.reprDigest] else { return nil }
        var found: [UInt8]?
        for member in text.split(separator: ",") {
            let parts = member.split(separator: "=", maxSplits: 1)
            // The last of several counts (RFC 9651 section 3.2).
            guard parts.count == 2, String(parts[0]).trimmingBlanks == "sha-256" else { continue }
            found = bytes(String(parts[1]).trimmingBlanks)
        }
        return found
    }

    /// A byte sequence between colons (RFC 9651 section 3.3.5); parameters behind it are left out.
    private static func bytes(_ text: String) -> [UInt8]? {
        let item = text.prefix { $0 != ";" }
        let value = String(item).trimmingBlanks
        guard value.hasPrefix(":"), value.hasSuffix(":"), value.utf8.count > 2,
            let data = Data(base64Encoded: String(value.dropFirst().dropLast())), data.count == 32
        else { return nil }
        return Array(data)
    }
}
