/// A stored cookie (RFC 6265bis section 5.7).
///
/// ```swift
/// var cookie = Cookie(name: "session", value: secret, domain: "api.example.com")
/// cookie.isSecure = true
/// ```
///
/// Descriptions never show the value.
public struct Cookie: Sendable, Hashable, Nonisolated {
    /// When a cookie may accompany cross-site requests (RFC 6265bis section 5.6.7).
    ///
    /// Stored, but not enforced: requests of a program count as same-site (section 5.2).
    public enum SameSite: String, Sendable, Hashable {
        /// Missing, or an unknown value.
        case unspecified
        /// May accompany all requests.
        case none
        /// May accompany same-site requests and safe top-level navigations.
        case lax
        /// May accompany same-site requests only.
        case strict
    }

    /// The name; may be empty if the value isn't.
    public let name: String

    /// The value as the server sent it, quotes included.
    public var value: String

    /// The host or domain, in lowercase.
    public let domain: String

    /// Whether the cookie is sent only to the host ``domain``, not to its subdomains.
    public var isHostOnly = true

    /// The path; starts with `/`.
    public var path = "/"

    /// When the cookie expires; `nil` for a session cookie, which is never written to a file.
    public var expires: Date?

    /// Whether the cookie is sent only over https, or to this machine.
    public var isSecure = false

    /// Whether the cookie is hidden from scripts.
    public var isHTTPOnly = false

    /// When the cookie may accompany cross-site requests.
    public var sameSite = SameSite.unspecified

    /// When a jar first stored a cookie of this name, domain and path.
    public package(set) var created = Date.distantPast

    /// When it was last stored or sent.
    public package(set) var lastUsed = Date.distantPast

    /// Creates a session cookie for all paths of one host.
    ///
    /// - Parameters:
    ///   - name: The name, case-sensitive.
    ///   - value: The value, sent as it is.
    ///   - domain: The host. To include subdomains, set ``isHostOnly`` to false.
    public init(name: String, value: String, domain: String) {
        self.name = name
        self.value = value
        self.domain = domain.asciiLowercased
    }

    /// Whether the cookie outlives the session.
    public var isPersistent: Bool { expires != nil }

    /// Whether the cookie has expired. A session cookie never expires.
    package func isExpired(at time: Date) -> Bool {
        expires.map { $0 <= time } ?? false
    }

    /// What distinguishes cookies (section 5.7 step 23).
    package struct Key: Sendable, Hashable {
        let name: String
        let domain: String
        let path: String
        let isHostOnly: Bool
    }

    package var key: Key { Key(name: name, domain: domain, path: path, isHostOnly: isHostOnly) }

    /// Whether storing this cookie replaces the other.
    package func replaces(_ other: Cookie) -> Bool { key == other.key }
}

extension Cookie: CustomStringConvertible, CustomReflectable {
    /// Name, domain and path, without the value.
    public var description: String {
        "\(name)=<redacted>; Domain=\(domain); Path=\(path)"
    }

    /// Shows the description only, so that a dump doesn't show more.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "domain": domain, "path": path])
    }
}

extension Cookie {
    /// Throws if the cookie is invalid, whatever its source.
    package func check() throws(CookieRefusal) {
        guard !name.isEmpty || !value.isEmpty else { throw .empty }
        guard name.utf8.count + value.utf8.count <= CookieText.limit else { throw .tooLarge }
        try checkCharacters()
        guard path.utf8.first == UInt8(ascii: "/"), (try? HTTPURL("http://\(domain)/"))?.host == domain else {
            throw .invalidScope
        }
        if sameSite == .none, !isSecure { throw .insecureSameSite }
        try checkPrefix()
    }

    /// Rejects text that would be parsed differently when sent: a nameless value with `=` has a name.
    private func checkCharacters() throws(CookieRefusal) {
        let texts = [name, value, path]
        guard !texts.contains(where: { CookieText.hasControls($0) || $0.utf8.contains(UInt8(ascii: ";")) }),
            !(name.isEmpty ? value : name).utf8.contains(UInt8(ascii: "="))
        else { throw .invalidCharacter }
    }

    /// Section 5.7 steps 20 to 22. A value without a name is sent bare and must not look like a prefixed name.
    private func checkPrefix() throws(CookieRefusal) {
        let isHost = CookieText.begins(name, with: "__Host-")
        let isProtected = isHost || CookieText.begins(name, with: "__Secure-")
        let pretends = CookieText.begins(value, with: "__Host-") || CookieText.begins(value, with: "__Secure-")
        guard !isProtected || isSecure, !isHost || isHostOnly && path == "/", !name.isEmpty || !pretends else {
            throw .brokenPrefix
        }
    }
}

/// Why a cookie is not stored.
package enum CookieRefusal: String, Error {
    /// A control character, or one that ends the name or value.
    case invalidCharacter = "its name, value or path contains a character that cannot be sent"
    /// No name and no value.
    case empty = "it has neither name nor value"
    /// The name and value are too long together.
    case tooLarge = "its name and value have more than 4096 bytes"
    /// An invalid domain or path.
    case invalidScope = "its domain is not a lowercase host name, or its path does not start with /"
    /// The domain is a registry under which anyone can register names.
    case publicSuffix = "its domain is a public suffix"
    /// The host isn't in the domain.
    case foreignDomain = "its domain does not include the host"
    /// A secure cookie from an insecure origin.
    case insecureOrigin = "it is secure, but came over plain http"
    /// A cookie from an insecure origin that would hide or replace a secure one.
    case overlaysSecure = "it came over plain http and would hide a secure cookie"
    /// `SameSite=None` without `Secure`.
    case insecureSameSite = "SameSite=None needs Secure"
    /// A requirement of the name's prefix isn't met.
    case brokenPrefix = "it does not meet the requirements of its name's prefix"
}
