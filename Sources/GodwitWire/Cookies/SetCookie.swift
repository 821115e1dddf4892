/// A parsed `Set-Cookie` field (RFC 6265bis section 5.6), not validated.
package struct SetCookie: Sendable, Hashable {
    /// The name; empty if the field has no `=`.
    package let name: String

    /// The value.
    package let value: String

    /// `Max-Age` in seconds; zero or less expires the cookie.
    package private(set) var maxAge: Int?

    /// `Expires`.
    package private(set) var expires: Date?

    /// `Domain` in lowercase without a leading dot; empty or `nil` for the host only.
    package private(set) var domain: String?

    /// `Path`; empty if it was invalid, so that the default applies.
    package private(set) var path: String?

    /// `Secure`.
    package private(set) var isSecure = false

    /// `HttpOnly`.
    package private(set) var isHTTPOnly = false

    /// `SameSite`.
    package private(set) var sameSite = Cookie.SameSite.unspecified

    private static let longestAttribute = 1024

    /// Parses a field value. Attributes that are unknown, too long or invalid are ignored. If an attribute repeats, the
    /// last counts.
    package init(_ text: String) throws(CookieRefusal) {
        guard !CookieText.hasControls(text) else { throw .invalidCharacter }
        var parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        (name, value) = Self.pair(parts.popFirst() ?? text.utf8[...])
        guard name.utf8.count + value.utf8.count <= CookieText.limit else { throw .tooLarge }
        for part in parts { take(part) }
    }

    private static func pair(_ text: Substring.UTF8View) -> (name: String, value: String) {
        let (left, right) = split(text)
        return right.map { (left, $0) } ?? ("", left)
    }

    private static func split(_ text: Substring.UTF8View) -> (left: String, right: String?) {
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else {
            return (String(Substring(text)).trimmingBlanks, nil)
        }
        return (
            String(Substring(text[..<equals])).trimmingBlanks,
            String(Substring(text[text.index(after: equals)...])).trimmingBlanks
        )
    }

    private mutating func take(_ part: Substring.UTF8View) {
        let (name, right) = Self.split(part)
        let value = right ?? ""
        guard value.utf8.count <= Self.longestAttribute else { return }
        switch name.asciiLowercased {
        case "expires": expires = CookieDate.parse(value) ?? expires
        case "max-age": maxAge = Self.seconds(value) ?? maxAge
        case "domain": domain = Self.domain(value)
        case "path": path = value.utf8.first == UInt8(ascii: "/") ? value : ""
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = Self.sameSite(value)
        default: break
        }
    }

    private static func domain(_ text: String) -> String {
        (text.utf8.first == UInt8(ascii: ".") ? String(text.dropFirst()) : text).asciiLowercased
    }

    /// Digits with an optional minus. Numbers that overflow count as the largest.
    private static func seconds(_ text: String) -> Int? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = isNegative ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        let number = Int(Substring(digits)) ?? .max
        return isNegative ? -number : number
    }

    private static func sameSite(_ text: String) -> Cookie.SameSite {
        switch text.asciiLowercased {
        case "none": .none
        case "lax": .lax
        case "strict": .strict
        default: .unspecified
        }
    }
}

extension SetCookie: CustomStringConvertible, CustomReflectable {
    /// The name, without the value and attributes.
    package var description: String { "\(name)=<redacted>" }

    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

/// Limits on the text of cookies (RFC 6265bis sections 5.6 and 5.7).
enum CookieText {
    /// Maximum bytes of name and value together.
    static let limit = 4096

    /// Whether the text has control characters other than a tab.
    static func hasControls(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
    }

    /// Whether the text has a prefix, compared case-insensitively.
    static func begins(_ text: String, with prefix: String) -> Bool {
        text.utf8.count >= prefix.utf8.count
            && zip(text.utf8, prefix.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}
