/// What a tus server says about itself in its response to `OPTIONS` (tus 1.0.0).
package struct TusServer: Sendable, Hashable, Codable {
    /// An optional part of the protocol.
    package enum Extension: String, Sendable, Hashable, Codable, CaseIterable {
        case creation
        case creationWithUpload = "creation-with-upload"
        case checksum, expiration, termination, concatenation
    }

    /// The version that the client speaks.
    package static let version = "1.0.0"

    package private(set) var extensions: Set<Extension> = []

    /// The maximum size of an upload; `nil` if the server has none, or doesn't say.
    package private(set) var maximumSize: Int64?

    /// The digest that the server checks and the client can make; `nil` if there is none.
    package private(set) var checksum: TusChecksum?

    /// A server about which nothing is known.
    package static let unknown = TusServer(extensions: [])

    /// Whether an upload can be removed. A server that lists no extensions may still do it.
    package var terminates: Bool { extensions.isEmpty || extensions.contains(.termination) }

    private init(extensions: Set<Extension>) {
        self.extensions = extensions
    }

    /// - Returns: `nil` if the response isn't one of a tus server that supports version 1.0.0.
    package init?(_ fields: HTTPFields) {
        let versions = Self.list(fields[.tusVersion]) + Self.list(fields[.tusResumable])
        guard versions.contains(Self.version) else { return nil }
        self.init(extensions: Set(Self.list(fields[.tusExtension]).compactMap(Extension.init)))
        maximumSize = fields.agreedValue(of: .tusMaxSize).flatMap { StructuredField.decimal($0) }
        guard extensions.contains(.checksum) else { return }
        let algorithms = Self.list(fields[.tusChecksumAlgorithm])
        checksum = TusChecksum.allCases.first { algorithms.contains($0.rawValue) }
    }

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { $0.trimmingBlanks.lowercased() }
    }
}

/// A digest algorithm of tus, the stronger one first. Every server with the extension must support SHA-1.
package enum TusChecksum: String, Sendable, Hashable, Codable, CaseIterable {
    case sha256, sha1

    /// The value of `Upload-Checksum` for a digest: the algorithm and the digest in base64.
    package func value(of digest: [UInt8]) -> String {
        "\(rawValue) \(Data(digest).base64EncodedString())"
    }

    /// The algorithm and the digest of a field's value; `nil` if it is not valid.
    package static func parse(_ text: String) -> (TusChecksum, [UInt8])? {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let algorithm = TusChecksum(rawValue: String(parts[0])),
            let digest = Data(base64Encoded: String(parts[1]))
        else { return nil }
        return (algorithm, Array(digest))
    }
}

/// Names and values that describe an upload to a tus server (tus, Creation).
package enum TusMetadata {
    /// The value of `Upload-Metadata`; `nil` if there are none.
    ///
    /// Names must be ASCII without blanks and commas. Others are left out.
    package static func value(_ metadata: [String: String]) -> String? {
        let pairs = metadata.sorted { $0.key < $1.key }.compactMap { name, value -> String? in
            guard isValid(name) else { return nil }
            return value.isEmpty ? name : "\(name) \(Data(value.utf8).base64EncodedString())"
        }
        return pairs.isEmpty ? nil : pairs.joined(separator: ",")
    }

    /// The names and values of a field; values that are not base64 or UTF-8 are left out.
    package static func parse(_ text: String) -> [String: String] {
        var metadata: [String: String] = [:]
        for pair in text.split(separator: ",") {
            let parts = pair.split(separator: " ", maxSplits: 1)
            guard let name = parts.first else { continue }
            let value = parts.count > 1 ? Data(base64Encoded: parts[1].trimmingBlanks) : Data()
            guard let value, let text = String(bytes: value, encoding: .utf8) else { continue }
            metadata[String(name)] = text
        }
        return metadata
    }

    /// Whether a server can read this name.
    package static func isValid(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") }
    }
}
