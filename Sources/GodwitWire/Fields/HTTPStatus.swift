/// A response's status code (RFC 9110 section 15).
///
/// ```swift
/// if response.head.status == .notFound { … }
/// if response.head.status.kind == .successful { … }
/// ```
public struct HTTPStatus: Sendable, Hashable, Nonisolated {
    /// The code, from 100 to 999.
    public let code: Int

    /// Creates a status; `nil` if the code isn't three digits.
    ///
    /// ```swift
    /// HTTPStatus(418)?.kind       // .clientError
    /// HTTPStatus(42)              // nil
    /// ```
    public init?(_ code: Int) {
        guard (100...999).contains(code) else { return nil }
        self.code = code
    }

    private init(known code: Int) {
        self.code = code
    }

    /// The class of a status: its first digit.
    ///
    /// ```swift
    /// switch response.head.status.kind {
    /// case .successful: save(response)
    /// case .clientError, .serverError: report(response.head.status)
    /// default: break
    /// }
    /// ```
    public enum Kind: Sendable, Hashable {
        /// 1xx, 2xx, 3xx, 4xx and 5xx (RFC 9110 sections 15.2 to 15.6).
        case informational, successful, redirection, clientError, serverError
        /// A code of 600 or more, which RFC 9110 section 15 treats as a server error.
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
    ///
    /// True for 1xx, 204 and 304. Responses to HEAD have no content either, whatever their status.
    public var forbidsContent: Bool { code == 204 || code == 304 || code < 200 }

    /// 200: the request succeeded (RFC 9110 section 15.3.1).
    public static let ok = HTTPStatus(known: 200)
    /// 101: the connection switches to the requested protocol (RFC 9110 section 15.2.2).
    public static let switchingProtocols = HTTPStatus(known: 101)
    /// 104, Upload Resumption Supported (draft-ietf-httpbis-resumable-upload section 5).
    package static let uploadResumptionSupported = HTTPStatus(known: 104)
    /// 201: a resource was created, often named by `Location` (RFC 9110 section 15.3.2).
    public static let created = HTTPStatus(known: 201)
    /// 202: accepted, but not processed yet (RFC 9110 section 15.3.3).
    public static let accepted = HTTPStatus(known: 202)
    /// 204: succeeded, without content (RFC 9110 section 15.3.5).
    public static let noContent = HTTPStatus(known: 204)
    /// 205: succeeded; the form should be cleared (RFC 9110 section 15.3.6).
    public static let resetContent = HTTPStatus(known: 205)
    /// 206: the requested ranges (RFC 9110 section 15.3.7).
    public static let partialContent = HTTPStatus(known: 206)
    /// 301: moved permanently; a POST is followed as GET (RFC 9110 section 15.4.2).
    public static let movedPermanently = HTTPStatus(known: 301)
    /// 302: temporarily elsewhere; a POST is followed as GET (RFC 9110 section 15.4.3).
    public static let found = HTTPStatus(known: 302)
    /// 303: the response is at another URL, read with GET (RFC 9110 section 15.4.4).
    public static let seeOther = HTTPStatus(known: 303)
    /// 304: the cached copy is still valid (RFC 9110 section 15.4.5).
    public static let notModified = HTTPStatus(known: 304)
    /// 307: temporarily elsewhere; method and content are kept (RFC 9110 section 15.4.8).
    public static let temporaryRedirect = HTTPStatus(known: 307)
    /// 308: moved permanently; method and content are kept (RFC 9110 section 15.4.9).
    public static let permanentRedirect = HTTPStatus(known: 308)
    /// 400: the request is malformed (RFC 9110 section 15.5.1).
    public static let badRequest = HTTPStatus(known: 400)
    /// 401: valid credentials are missing (RFC 9110 section 15.5.2).
    public static let unauthorized = HTTPStatus(known: 401)
    /// 403: understood and refused (RFC 9110 section 15.5.4).
    public static let forbidden = HTTPStatus(known: 403)
    /// 404: not found, or the server doesn't disclose it (RFC 9110 section 15.5.5).
    public static let notFound = HTTPStatus(known: 404)
    /// 405: the resource doesn't support this method; `Allow` lists those it does (RFC 9110 section 15.5.6).
    public static let methodNotAllowed = HTTPStatus(known: 405)
    /// 408: the request did not arrive in time (RFC 9110 section 15.5.9).
    public static let requestTimeout = HTTPStatus(known: 408)
    /// 409: the request conflicts with the state of the resource (RFC 9110 section 15.5.10).
    public static let conflict = HTTPStatus(known: 409)
    /// 410: permanently removed (RFC 9110 section 15.5.11).
    public static let gone = HTTPStatus(known: 410)
    /// 412: a condition such as `If-Match` isn't met (RFC 9110 section 15.5.13).
    public static let preconditionFailed = HTTPStatus(known: 412)
    /// 413: the content is larger than the server accepts (RFC 9110 section 15.5.14).
    public static let contentTooLarge = HTTPStatus(known: 413)
    /// 415: the resource doesn't accept this type of content (RFC 9110 section 15.5.16).
    public static let unsupportedMediaType = HTTPStatus(known: 415)
    /// 416: the requested ranges don't exist (RFC 9110 section 15.5.17).
    public static let rangeNotSatisfiable = HTTPStatus(known: 416)
    /// 422: well formed, but can't be processed (RFC 9110 section 15.5.21).
    public static let unprocessableContent = HTTPStatus(known: 422)
    /// 425: the server won't process a request that may be a replay (RFC 8470 section 5.2).
    public static let tooEarly = HTTPStatus(known: 425)
    /// 429: too many requests in a period (RFC 6585 section 4).
    public static let tooManyRequests = HTTPStatus(known: 429)
    /// 500: the server failed unexpectedly (RFC 9110 section 15.6.1).
    public static let internalServerError = HTTPStatus(known: 500)
    /// 501: the server doesn't support the method (RFC 9110 section 15.6.2).
    public static let notImplemented = HTTPStatus(known: 501)
    /// 502: a gateway got an invalid response (RFC 9110 section 15.6.3).
    public static let badGateway = HTTPStatus(known: 502)
    /// 503: overloaded or in maintenance (RFC 9110 section 15.6.4).
    public static let serviceUnavailable = HTTPStatus(known: 503)
    /// 504: a gateway got no response in time (RFC 9110 section 15.6.5).
    public static let gatewayTimeout = HTTPStatus(known: 504)
}

extension HTTPStatus: CustomStringConvertible {
    /// The number in decimal.
    public var description: String { String(code) }
}
