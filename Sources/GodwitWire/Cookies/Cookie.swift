/// A cookie as a jar keeps it (RFC 6265bis section 5.7).
///
/// ```swift
/// var cookie = Cookie(name: "session", value: secret, domain: "api.example.com")
/// cookie.isSecure = true
/// ```
///
/// Its descriptions never show the value.
public struct Cookie: Sendable, Hashable, Nonisolated {
    /// When a cookie may go along with requests that another site caused (RFC 6265bis section 5.6.7).
    ///
    /// It is kept and not acted upon: what a program requests itself counts as same-site (section 5.2).
    public enum SameSite: String, Sendable, Hashable {
        /// The server did not say, or said something unknown.
        case unspecified
        /// With all requests.
        case none
        /// With same-site requests and with safe navigations.
        case lax
        /// With same-site requests only.
        case strict
    }

    /// The name; may be empty where the value is not.
    public let name: String

    /// The value, as the server wrote it: quotes are part of it.
    public var value: String

    /// The host or domain it belongs to, in lower case.
    public let domain: String

    /// Whether it goes to exactly the host ``domain``, and not to names under it.
    public var isHostOnly = true

    /// The path it belongs to; starts with `/`.
    public var path = "/"

    /// When it ends; nil for a session cookie, which is never written to a file.
    public var expires: Date?

    /// Whether it goes only to https, or to this machine.
    public var isSecure = false

    /// Whether the server wants it kept from scripts.
    public var isHTTPOnly = false

    /// When it may go along with requests that another site caused.
    public var sameSite = SameSite.unspecified

    /// When a jar first stored a cookie of this name, domain and path.
    public package(set) var created = Date.distantPast

    /// When it was last stored or sent.
    public package(set) var lastUsed = Date.distantPast

    /// Makes a session cookie for one host and all its paths.
    ///
    /// - Parameters:
    ///   - name: The name, compared with case.
    ///   - value: The value, sent as it is.
    ///   - domain: The host that it is for. Set ``isHostOnly`` to false for the names under it too.
    public init(name: String, value: String, domain: String) {
        self.name = name
        self.value = value
        self.domain = domain.asciiLowercased
    }

    /// Whether it outlives the session.
    public var isPersistent: Bool { expires != nil }

    /// Whether it has ended at a time.
    ///
    /// - Parameter time: When it is asked for. A session cookie never has expired.
    public func isExpired(at time: Date) -> Bool {
        expires.map { $0 <= time } ?? false
    }

    /// Whether storing one replaces the other (section 5.7 step 23).
    package func replaces(_ other: Cookie) -> Bool {
        name == other.name && path == other.path && isHostOnly == other.isHostOnly && domain == other.domain
    }
}

extension Cookie: CustomStringConvertible, CustomReflectable {
    /// Name, domain and path, without the value.
    public var description: String {
        "\(name)=<redacted>; Domain=\(domain); Path=\(path)"
    }

    /// Shows what the description shows, so that a dump does not show more.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "domain": domain, "path": path])
    }
}

extension Cookie {
    /// Throws where a cookie cannot be kept, wherever it came from.
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

    /// What would be read as something else when it is sent: a nameless value with `=` has a name.
    private func checkCharacters() throws(CookieRefusal) {
        let texts = [name, value, path]
        guard !texts.contains(where: { CookieText.hasControls($0) || $0.utf8.contains(UInt8(ascii: ";")) }),
            !(name.isEmpty ? value : name).utf8.contains(UInt8(ascii: "="))
        else { throw .invalidCharacter }
    }

    /// Section 5.7 steps 20 to 22. A value without a name is sent bare, and must not pass for a prefixed name.
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
    /// A control character, or one that ends the name or the value.
    case invalidCharacter = "its name, value or path holds a character that cannot be sent"
    /// Neither name nor value.
    case empty = "it has neither name nor value"
    /// Name and value are too long together.
    case tooLarge = "its name and value have more than 4096 bytes"
    /// The domain or path is none.
    case invalidScope = "its domain is no host name in lower case, or its path does not start with /"
    /// The domain is one under which anybody may have names.
    case publicSuffix = "its domain is a public suffix"
    /// The domain is not one of the host's.
    case foreignDomain = "its domain is another than the host's"
    /// A secure cookie from an origin that is not.
    case insecureOrigin = "it is secure, and came over plain http"
    /// A cookie from an insecure origin that would stand before a secure one.
    case overlaysSecure = "it came over plain http and would hide a secure cookie"
    /// `SameSite=None` without `Secure`.
    case insecureSameSite = "SameSite=None needs Secure"
    /// What the name's prefix promises is not so.
    case brokenPrefix = "it lacks what the prefix of its name promises"
}
