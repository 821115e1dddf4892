/// An HTTP request method: one of the standard ones, or any other token.
///
/// Methods are case-sensitive (RFC 9110 section 9.1): `HTTPMethod("get")` is not ``get``.
public struct HTTPMethod: Sendable, Hashable, RawRepresentable {
    /// The method as it is sent.
    public let rawValue: String

    /// Makes a method from a token, or nil where the text is not one (RFC 9110 section 5.6.2).
    public init?(rawValue: String) {
        guard Token.isValid(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Makes a method from a token, or nil where the text is not one.
    public init?(_ token: String) {
        self.init(rawValue: token)
    }

    private init(known: String) {
        rawValue = known
    }

    public static let get = HTTPMethod(known: "GET")
    public static let head = HTTPMethod(known: "HEAD")
    public static let post = HTTPMethod(known: "POST")
    public static let put = HTTPMethod(known: "PUT")
    public static let patch = HTTPMethod(known: "PATCH")
    public static let delete = HTTPMethod(known: "DELETE")
    public static let options = HTTPMethod(known: "OPTIONS")
    public static let trace = HTTPMethod(known: "TRACE")
    public static let connect = HTTPMethod(known: "CONNECT")

    /// Whether the method only reads (RFC 9110 section 9.2.1). Unknown methods are taken as not safe.
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        default: false
        }
    }

    /// Whether sending the request twice has the effect of sending it once (RFC 9110 section 9.2.2).
    ///
    /// Unknown methods are taken as not idempotent.
    public var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }
}

extension HTTPMethod: CustomStringConvertible {
    public var description: String { rawValue }
}
