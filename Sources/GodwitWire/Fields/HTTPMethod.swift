/// An HTTP request method: one of the standard ones, or any other token.
///
/// Methods are case-sensitive (RFC 9110 section 9.1): `HTTPMethod("get")` is not ``get``.
///
/// ```swift
/// let method = HTTPMethod("PURGE")        // nil if the text isn't a token
/// ```
public struct HTTPMethod: Sendable, Hashable, RawRepresentable, Nonisolated {
    /// The method as sent.
    public let rawValue: String

    /// Creates a method from a token; `nil` if the text isn't one (RFC 9110 section 5.6.2).
    ///
    /// - Parameter rawValue: The method, case-sensitive.
    public init?(rawValue: String) {
        guard Token.isValid(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Creates a method from a token; `nil` if the text isn't one.
    ///
    /// - Parameter token: The method, case-sensitive. A nonstandard method counts as neither safe nor idempotent.
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
    /// Asks the resource to process the content; not idempotent (RFC 9110 section 9.3.3).
    public static let post = HTTPMethod(known: "POST")
    /// Replaces the resource with the content (RFC 9110 section 9.3.4).
    public static let put = HTTPMethod(known: "PUT")
    /// Changes part of the resource; not idempotent (RFC 5789).
    public static let patch = HTTPMethod(known: "PATCH")
    /// Removes the resource (RFC 9110 section 9.3.5).
    public static let delete = HTTPMethod(known: "DELETE")
    /// Requests the communication options of the resource (RFC 9110 section 9.3.7).
    public static let options = HTTPMethod(known: "OPTIONS")
    /// Echoes the request back (RFC 9110 section 9.3.8).
    public static let trace = HTTPMethod(known: "TRACE")
    /// Opens a tunnel through a proxy (RFC 9110 section 9.3.6). Transports open their own tunnels.
    public static let connect = HTTPMethod(known: "CONNECT")

    /// Whether the method is read-only (RFC 9110 section 9.2.1).
    ///
    /// True for ``get``, ``head``, ``options`` and ``trace``; false for unknown methods.
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        default: false
        }
    }

    /// Whether sending the request twice has the same effect as sending it once (RFC 9110 section 9.2.2).
    ///
    /// True for the safe methods, ``put`` and ``delete``; false for unknown methods.
    public var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }

    /// Whether a request without content declares that, as the method expects some (RFC 9110 section 8.6).
    package var expectsContent: Bool { self == .post || self == .put || self == .patch }
}

extension HTTPMethod: CustomStringConvertible {
    /// The method as sent.
    public var description: String { rawValue }
}
