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
