/// An HTTP request method: one of the standard ones, or any other token.
///
/// Methods are case-sensitive (RFC 9110 section 9.1): `HTTPMethod("get")` is not ``get``.
///
/// ```swift
/// let method = HTTPMethod("PURGE")        // nil for text that is no token
/// ```
public struct HTTPMethod: Sendable, Hashable, RawRepresentable, Nonisolated {
    /// The method as it is sent.
    public let rawValue: String

    /// Makes a method from a token, or nil where the text is not one (RFC 9110 section 5.6.2).
    ///
    /// - Parameter rawValue: The method in its own case: methods are compared with case.
    public init?(rawValue: String) {
        guard Token.isValid(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Makes a method from a token, or nil where the text is not one.
    ///
    /// - Parameter token: The method in its own case. One that is not standard counts as neither safe nor idempotent.
    public init?(_ token: String) {
        self.init(rawValue: token)
    }

    private init(known: String) {
        rawValue = known
    }

    /// Reads a resource (RFC 9110 section 9.3.1).
    public static let get = HTTPMethod(known: "GET")
    /// As GET, but the response has no content (RFC 9110 section 9.3.2).
    public static let head = HTTPMethod(known: "HEAD")
    /// Has the resource process the content; not idempotent (RFC 9110 section 9.3.3).
    public static let post = HTTPMethod(known: "POST")
    /// Replaces the resource with the content (RFC 9110 section 9.3.4).
    public static let put = HTTPMethod(known: "PUT")
    /// Changes part of the resource; not idempotent (RFC 5789).
    public static let patch = HTTPMethod(known: "PATCH")
    /// Removes the resource (RFC 9110 section 9.3.5).
    public static let delete = HTTPMethod(known: "DELETE")
    /// Asks what the resource can do (RFC 9110 section 9.3.7).
    public static let options = HTTPMethod(known: "OPTIONS")
    /// Has the request echoed back (RFC 9110 section 9.3.8).
    public static let trace = HTTPMethod(known: "TRACE")
    /// Opens a tunnel through a proxy (RFC 9110 section 9.3.6). Transports open their own tunnels.
    public static let connect = HTTPMethod(known: "CONNECT")

    /// Whether the method only reads (RFC 9110 section 9.2.1). Unknown methods are taken as not safe.
    ///
    /// True for ``get``, ``head``, ``options`` and ``trace``.
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        default: false
        }
    }

    /// Whether sending the request twice has the effect of sending it once (RFC 9110 section 9.2.2).
    ///
    /// Unknown methods are taken as not idempotent.
    /// True for the safe methods, ``put`` and ``delete``.
    public var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }
}

extension HTTPMethod: CustomStringConvertible {
    /// The method as it is sent.
    public var description: String { rawValue }
}
