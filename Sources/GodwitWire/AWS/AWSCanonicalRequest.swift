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
        case .asInURL: return uniform(url.path.utf8[...], keeping: "/")
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
            return (uniform(name), uniform(item[name.endIndex...].dropFirst()))
        }
        let sorted = items.sorted { left, right in
            let (first, second) = left.0 == right.0 ? (left.1, right.1) : (left.0, right.0)
            return first.utf8.lexicographicallyPrecedes(second.utf8)
        }
        return sorted.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    /// An encoded text in which only unreserved bytes, and those of `extra`, aren't encoded. A plus is a space in a query.
    private static func uniform(_ text: Substring.UTF8View, keeping extra: String = "") -> String {
        let isQuery = extra.isEmpty
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let decoded = PercentEncoding.byte(rest.prefix(2)) {
                bytes.append(decoded)
                rest.removeFirst(2)
            } else {
                bytes.append(isQuery && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return PercentEncoding.encode(bytes, allowing: isQuery ? .unreserved : .unreservedAndSlash)
    }
}
