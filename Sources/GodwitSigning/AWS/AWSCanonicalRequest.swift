import GodwitCore
import GodwitSupport

/// A request in the canonical form of AWS Signature Version 4.
package struct AWSCanonicalRequest: Sendable, Hashable {
    /// How a path enters the canonical form.
    package enum PathRule: Sendable, Hashable {
        /// Encoded once more than in the URL, without empty segments: all services but S3.
        case encodedAgain
        /// As encoded in the URL, but uniformly: S3, where `a//b` and `a/b` are two objects.
        case asInURL
    }

    /// The names of the signed fields: `host;x-amz-date`.
    package let signedNames: String

    /// The whole text, whose digest is signed.
    package let text: String

    /// - Parameters:
    ///   - fields: The fields to sign, `Host` among them.
    ///   - payload: The digest of the body in hexadecimal, or a word that stands for it.
    package init(_ method: HTTPMethod, _ url: HTTPURL, _ fields: HTTPFields, payload: String, path rule: PathRule) {
        var values: [String: [String]] = [:]
        for field in fields { values[field.name.canonicalName, default: []].append(Self.collapsed(field.value)) }
        let names = values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        signedNames = names.joined(separator: ";")
        let lines = names.map { "\($0):\((values[$0] ?? []).joined(separator: ","))\n" }.joined()
        text = [
            method.rawValue, Self.path(of: url, rule), Self.query(of: url), lines, signedNames, payload,
        ].joined(separator: "\n")
    }

    /// The URL in the spelling that is signed. A server that signs the text that it reads, and one that decodes it first, then
    /// find the same.
    package static func uniform(_ url: HTTPURL, path rule: PathRule) -> HTTPURL {
        let segments = url.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let path = rule == .asInURL ? objectKey(url.path) : segments.map { uniform($0) }.joined(separator: "/")
        let items = url.query.map { query in
            query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
                item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                    .map { uniform($0, plusIsSpace: true) }.joined(separator: "=")
            }
        }
        let query = items.map { "?" + $0.joined(separator: "&") } ?? ""
        return (try? HTTPURL("\(url.origin)\(path)\(query)")) ?? url
    }

    /// The SHA-256 of the text, in hexadecimal.
    package var digest: String { Hexadecimal.encode(SHA256.digest(text.utf8)) }

    /// Whether a field of a request is signed. Proxies and transports change the others.
    package static func signs(_ name: HTTPField.Name) -> Bool { !unsigned.contains(name) }

    private static let unsigned: Set<HTTPField.Name> = [
        .authorization, .userAgent, .expect, .transferEncoding, .acceptEncoding, .connection, .contentLength, .te,
        .cookie, "X-Amzn-Trace-Id", "traceparent", "tracestate", "baggage",
    ]

    /// A value with single spaces.
    private static func collapsed(_ value: String) -> String {
        value.utf8.split(separator: 0x20).map { String(Substring($0)) }.joined(separator: " ")
    }

    private static func path(of url: HTTPURL, _ rule: PathRule) -> String {
        switch rule {
        case .asInURL: return objectKey(url.path)
        case .encodedAgain:
            let segments = url.path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
            let encoded = segments.map { PercentEncoding.encode($0, allowing: .unreserved) }.joined(separator: "/")
            return segments.isEmpty ? "/" : "/\(encoded)\(url.path.hasSuffix("/") ? "/" : "")"
        }
    }

    /// The items in order of their encoded names and values.
    private static func query(of url: HTTPURL) -> String {
        let items = (url.query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { item in
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            let value = item[name.endIndex...].dropFirst()
            return (uniform(name, plusIsSpace: true), uniform(value, plusIsSpace: true))
        }
        let sorted = items.sorted { left, right in
            let (first, second) = left.0 == right.0 ? (left.1, right.1) : (left.0, right.0)
            return first.utf8.lexicographicallyPrecedes(second.utf8)
        }
        return sorted.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    /// A path of S3: an encoded slash is the same as another.
    private static func objectKey(_ path: String) -> String { uniform(path.utf8[...], allowing: .unreservedAndSlash) }

    /// An encoded text in which all but these bytes are encoded.
    private static func uniform(
        _ text: Substring.UTF8View, allowing allowed: PercentEncoding.Allowed = .unreserved, plusIsSpace: Bool = false
    ) -> String {
        PercentEncoding.encode(PercentEncoding.lenientBytes(text, plusIsSpace: plusIsSpace), allowing: allowed)
    }
}
