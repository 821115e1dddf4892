#if canImport(Darwin)
import GodwitCore

/// Apple's URLSession.
extension Platform {
    static let name = "URLSession"
    static let streamBuffer = 512 << 10
    /// The codings it undoes unasked.
    static let codings: Set<String> = ["identity", "gzip", "x-gzip", "deflate", "br"]

    static func prepare(_ configuration: URLSessionConfiguration) {
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        // Waiting for a network is a middleware's.
        configuration.waitsForConnectivity = false
    }

    static func apply(_ options: RequestOptions, to request: inout URLRequest) {
        request.allowsExpensiveNetworkAccess = options.allowedNetworks.contains(.expensive)
        request.allowsConstrainedNetworkAccess = options.allowedNetworks.contains(.constrained)
        request.allowsCellularAccess = options.allowedNetworks.contains(.cellular)
    }

    /// What would not be sent as it is.
    static func fault(in request: HTTPRequest) -> NetworkError.Kind? {
        nil
    }

    /// Nothing has to be waited for.
    static func settle(_ task: URLSessionTask) {}

    static func hold(_ task: URLSessionTask) -> Bool {
        task.suspend()
        return true
    }

    static func offlineReason(of error: URLError) -> NetworkError.OfflineReason? {
        switch error.networkUnavailableReason {
        case .cellular: .cellularNotAllowed
        case .expensive: .expensiveNotAllowed
        case .constrained: .constrainedNotAllowed
        default: nil
        }
    }

    /// The system evaluates servers, and knows its proxies. Names and passwords are a middleware's: without them the 401
    /// is handed up.
    static func answer(
        to challenge: URLAuthenticationChallenge, for exchange: Exchange?
    ) -> URLSession.AuthChallengeDisposition {
        let space = challenge.protectionSpace
        switch space.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate:
            return .performDefaultHandling
        default:
            return space.isProxy() ? .performDefaultHandling : .rejectProtectionSpace
        }
    }

    static func content(of body: HTTPBody, for exchange: Exchange) async throws(NetworkError) -> UploadContent {
        guard case .file(let region) = body.storage, region.offset == 0, region.length == nil else { return .stream }
        _ = try region.resolvedLength()
        return .file(region.url, isTemporary: false)
    }
}
#endif
