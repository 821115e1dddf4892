/// The stored form of a cookie, without the times of its storage and use. Times are in seconds since 1970.
package struct CookieRecord: Sendable, Hashable, Codable {
    private let name: String
    private let value: String
    private let domain: String
    private let hostOnly: Bool
    private let path: String
    /// `nil` for a session cookie.
    private let expires: Double?
    private let secure: Bool
    private let httpOnly: Bool
    private let sameSite: String

    package init(_ cookie: Cookie) {
        name = cookie.name
        value = cookie.value
        domain = cookie.domain
        hostOnly = cookie.isHostOnly
        path = cookie.path
        expires = cookie.expires?.timeIntervalSince1970
        secure = cookie.isSecure
        httpOnly = cookie.isHTTPOnly
        sameSite = cookie.sameSite.rawValue
    }

    /// What distinguishes cookies (RFC 6265bis section 5.7).
    package var id: String { "\(hostOnly ? "" : ".")\(domain) \(path) \(name)" }

    package func isExpired(at now: Date) -> Bool { expires.map { $0 <= now.timeIntervalSince1970 } ?? false }

    /// The cookie; `nil` if it can't be sent or violates its name prefix.
    package var cookie: Cookie? {
        var cookie = Cookie(name: name, value: value, domain: domain)
        cookie.isHostOnly = hostOnly
        cookie.path = path
        cookie.expires = expires.map { Date(timeIntervalSince1970: $0) }
        cookie.isSecure = secure
        cookie.isHTTPOnly = httpOnly
        cookie.sameSite = Cookie.SameSite(rawValue: sameSite) ?? .unspecified
        return (try? cookie.check()) == nil ? nil : cookie
    }
}

extension CookieRecord: CustomStringConvertible, CustomReflectable {
    /// Name, domain and path, without the value.
    package var description: String { "\(name)=<redacted>; Domain=\(domain); Path=\(path)" }

    /// Empty, so that printing by reflection shows no secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
