#if canImport(Darwin)
// For code that only knows NSError: a domain, a code, and a line for a log.
extension NetworkError: CustomNSError {
    /// `Godwit.NetworkError`.
    public static var errorDomain: String { "Godwit.NetworkError" }

    /// The status of the response, or the code of `URLError` for the same failure: -1009 if offline, -999 if canceled.
    public var errorCode: Int {
        if let response, kind.isStatus { return response.status.code }
        return switch kind {
        case .cancelled: NSURLErrorCancelled
        case .offline: NSURLErrorNotConnectedToInternet
        case .timedOut: NSURLErrorTimedOut
        case .transport(.cannotResolveHost), .transport(.cannotResolveProxy): NSURLErrorCannotFindHost
        case .transport(.cannotConnect), .transport(.proxy): NSURLErrorCannotConnectToHost
        case .transport, .socketClosed: NSURLErrorNetworkConnectionLost
        case .insecure: NSURLErrorSecureConnectionFailed
        case .invalidURL: NSURLErrorBadURL
        case .redirect: NSURLErrorRedirectToNonExistentLocation
        case .invalidResponse, .unexpectedStatus, .unexpectedContentType: NSURLErrorBadServerResponse
        case .tooLarge: NSURLErrorDataLengthExceedsMaximum
        case .file: NSURLErrorCannotOpenFile
        case .notCached: NSURLErrorResourceUnavailable
        case .decoding: NSURLErrorCannotParseResponse
        case .unauthorized: NSURLErrorUserAuthenticationRequired
        default: NSURLErrorUnknown
        }
    }

    /// The description for a log. Texts for people come from `LocalizedError`.
    public var errorUserInfo: [String: Any] { [NSDebugDescriptionErrorKey: description] }
}
#endif
