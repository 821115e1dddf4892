/// A response's status code (RFC 9110 section 15).
///
/// ```swift
/// if response.head.status == .notFound { … }
/// switch response.head.status.kind { case .successful: … }
/// ```
public struct HTTPStatus: Sendable, Hashable {
    /// The code, from 100 to 999.
    public let code: Int

    /// Makes a status, or nil where the code is not three digits.
    public init?(_ code: Int) {
        guard (100...999).contains(code) else { return nil }
        self.code = code
    }

    private init(known code: Int) {
        self.code = code
    }

    /// The class of a status: its first digit.
    public enum Kind: Sendable, Hashable {
        case informational, successful, redirection, clientError, serverError
        /// A code from 600 on, which RFC 9110 asks to treat as a server error.
        case unknown
    }

    /// The class of this status.
    public var kind: Kind {
        switch code {
        case 100..<200: .informational
        case 200..<300: .successful
        case 300..<400: .redirection
        case 400..<500: .clientError
        case 500..<600: .serverError
        default: .unknown
        }
    }

    /// Whether the code is from 200 to 299.
    public var isSuccessful: Bool { kind == .successful }

    /// Whether a response with this status never has content (RFC 9110 section 6.4.1).
    public var forbidsContent: Bool { code == 204 || code == 304 || code < 200 }

    public static let ok = HTTPStatus(known: 200)
    public static let created = HTTPStatus(known: 201)
    public static let accepted = HTTPStatus(known: 202)
    public static let noContent = HTTPStatus(known: 204)
    public static let resetContent = HTTPStatus(known: 205)
    public static let partialContent = HTTPStatus(known: 206)
    public static let movedPermanently = HTTPStatus(known: 301)
    public static let found = HTTPStatus(known: 302)
    public static let seeOther = HTTPStatus(known: 303)
    public static let notModified = HTTPStatus(known: 304)
    public static let temporaryRedirect = HTTPStatus(known: 307)
    public static let permanentRedirect = HTTPStatus(known: 308)
    public static let badRequest = HTTPStatus(known: 400)
    public static let unauthorized = HTTPStatus(known: 401)
    public static let forbidden = HTTPStatus(known: 403)
    public static let notFound = HTTPStatus(known: 404)
    public static let methodNotAllowed = HTTPStatus(known: 405)
    public static let requestTimeout = HTTPStatus(known: 408)
    public static let conflict = HTTPStatus(known: 409)
    public static let gone = HTTPStatus(known: 410)
    public static let preconditionFailed = HTTPStatus(known: 412)
    public static let contentTooLarge = HTTPStatus(known: 413)
    public static let unsupportedMediaType = HTTPStatus(known: 415)
    public static let rangeNotSatisfiable = HTTPStatus(known: 416)
    public static let unprocessableContent = HTTPStatus(known: 422)
    public static let tooManyRequests = HTTPStatus(known: 429)
    public static let internalServerError = HTTPStatus(known: 500)
    public static let notImplemented = HTTPStatus(known: 501)
    public static let badGateway = HTTPStatus(known: 502)
    public static let serviceUnavailable = HTTPStatus(known: 503)
    public static let gatewayTimeout = HTTPStatus(known: 504)
}

extension HTTPStatus: CustomStringConvertible {
    public var description: String { String(code) }
}
