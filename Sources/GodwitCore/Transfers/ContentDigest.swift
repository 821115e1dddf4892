import GodwitSupport

/// A SHA-256 digest of some content.
///
/// ```swift
/// ContentDigest("sha-256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
/// ```
public struct ContentDigest: Sendable, Hashable, Codable {
    package let bytes: [UInt8]

    package init?(sha256 bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Parses 64 hexadecimal digits, optionally after `sha-256:` or `sha256:`; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let isNamed = parts.count == 2 && ["sha-256", "sha256"].contains(parts[0].lowercased())
        guard parts.count == 1 || isNamed, let bytes = Hexadecimal.decode((parts.last ?? "").utf8) else { return nil }
        self.init(sha256: bytes)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let digest = ContentDigest(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a sha-256")
        }
        self = digest
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension ContentDigest: CustomStringConvertible {
    /// `sha-256:` and the digits in lower case.
    public var description: String {
        "sha-256:" + Hexadecimal.encode(bytes)
    }
}
