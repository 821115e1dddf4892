#if canImport(Security)
import GodwitCore

/// Apple's URLSession.
extension Platform {
    static let name = "URLSession"
    static let description =
        "URLSession of \(ProcessInfo.processInfo.operatingSystemVersionString) (HTTP/3, HTTP/2, HTTP/1.1)"
    static let streamBuffer = 512 << 10
    /// The codings that URLSession always decodes.
    static let codings: Set<String> = ["identity", "gzip", "x-gzip", "deflate", "br"]

    static let hasWebSockets = true

    static func prepare(_ configuration: URLSessionConfiguration) {
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
    }

    /// Enforces TLS 1.2, the minimum on every platform, after the program's `adjust`.
    static func enforce(_ configuration: URLSessionConfiguration) {
        // The raw values are the versions as TLS writes them (RFC 5246, A.1).
        guard configuration.tlsMinimumSupportedProtocolVersion.rawValue < 0x0303 else { return }
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
    }

    /// Invalidates a session whose exchanges have all ended. Remaining tasks never ran and needn't finish.
    static func invalidateIdle(_ session: URLSession) {
        session.invalidateAndCancel()
    }

    static func apply(_ request: HTTPRequest, to converted: inout URLRequest) {
        let networks = request.options.allowedNetworks
        converted.allowsExpensiveNetworkAccess = networks.contains(.expensive)
        converted.allowsConstrainedNetworkAccess = networks.contains(.constrained)
        converted.allowsCellularAccess = networks.contains(.cellular)
        if let body = request.body, isStreamed(body), let length = body.length {
            // Otherwise a stream is sent with chunked encoding.
            converted.setValue("\(length)", forHTTPHeaderField: "Content-Length")
        }
    }

    /// Whether URLSession asks the delegate for the body.
    private static func isStreamed(_ body: HTTPBody) -> Bool {
        switch body.storage {
        case .bytes: false
        case .file(let region): region.offset != 0 || region.length != nil
        case .stream, .incoming: true
        }
    }

    /// Why the request can't be sent unchanged.
    static func fault(in request: HTTPRequest) -> NetworkError.Kind? {
        nil
    }

    /// Nothing to wait for.
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

    static func content(of body: HTTPBody) async throws(NetworkError) -> UploadContent {
        guard case .file(let region) = body.storage, !isStreamed(body) else { return .stream }
        _ = try region.resolvedLength()
        return .file(region.url, isTemporary: false)
    }
}
#endif
