/// A URL as logs and errors show it: values of query items that look like secrets are left out.
package struct RedactedURL: CustomStringConvertible {
    private let url: HTTPURL

    package init(_ url: HTTPURL) {
        self.url = url
    }

    package var description: String {
        guard let query = url.query else { return url.absoluteString }
        let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item -> Substring in
            guard let mark = item.firstIndex(of: "="), Self.isSecret(item[..<mark]) else { return item }
            return item[...mark] + "<redacted>"
        }
        return "\(url.origin)\(url.path)?\(items.joined(separator: "&"))"
    }

    private static func isSecret(_ name: Substring) -> Bool {
        let plain = (PercentEncoding.decode(name) ?? String(name)).asciiLowercased
        return secretParts.contains { plain.contains($0) } || plain == "key" || plain == "code" || plain == "sig"
    }

    private static let secretParts = [
        "token", "secret", "password", "passwd", "apikey", "api_key", "api-key", "signature", "credential", "session",
        "auth", "assertion", "jwt",
    ]
}
