package import GodwitCore

/// The table from URLSession errors to ``NetworkError/Kind``.
package enum SessionFailure {
    package static func kind(of error: any Error, host: String) -> NetworkError.Kind {
        guard let error = error as? URLError else { return PassedOnFailure.kind(of: error, host: host) }
        let detail = error.localizedDescription
        if let reason = Platform.offlineReason(of: error) { return .offline(reason) }
        switch error.code {
        case .cancelled, .userCancelledAuthentication: return .cancelled
        case .timedOut: return .timedOut(.inactivity)
        case .badURL, .unsupportedURL: return .invalidURL(reason: detail)
        case .cannotFindHost, .dnsLookupFailed: return .transport(.cannotResolveHost(host))
        case .cannotConnectToHost: return .transport(.cannotConnect(detail))
        case .networkConnectionLost: return .transport(.connectionLost(detail))
        case .notConnectedToInternet, .callIsActive: return .offline(.noPath)
        case .dataNotAllowed, .internationalRoamingOff: return .offline(.cellularNotAllowed)
        case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
            .zeroByteResource:
            return told(by: detail, host) ?? .invalidResponse(reason: detail)
        case .requestBodyStreamExhausted: return .transport(.cannotSendBody(detail))
        case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile: return .file(reason: detail)
        default: return security(error.code, host, detail) ?? told(by: detail, host) ?? .transport(.other(detail))
        }
    }

    private static func security(_ code: URLError.Code, _ host: String, _ detail: String) -> NetworkError.Kind? {
        switch code {
        case .serverCertificateHasBadDate, .serverCertificateNotYetValid: .insecure(.certificateExpired)
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: .insecure(.untrustedCertificate(detail))
        case .clientCertificateRejected, .clientCertificateRequired: .insecure(.clientCertificate(detail))
        case .secureConnectionFailed: .insecure(.handshake(detail))
        case .appTransportSecurityRequiresSecureConnection: .insecure(.plaintext(host: host))
        default: nil
        }
    }

    /// On Linux most failures have the code of an unknown error; libcurl's text then decides. The first match counts.
    private static func told(by detail: String, _ host: String) -> NetworkError.Kind? {
        let table: [(words: String, kind: NetworkError.Kind)] = [
            ("certificate has expired", .insecure(.certificateExpired)),
            ("certificate is not yet valid", .insecure(.certificateExpired)),
            ("subject name matches target", .insecure(.hostMismatch(host))),
            ("does not match target host name", .insecure(.hostMismatch(host))),
            ("certificate required", .insecure(.clientCertificate(detail))),
            ("SSL certificate", .insecure(.untrustedCertificate(detail))),
            ("self-signed certificate", .insecure(.untrustedCertificate(detail))),
            ("SSL", .insecure(.handshake(detail))),
            ("TLS", .insecure(.handshake(detail))),
            ("Recv failure", .transport(.connectionLost(detail))),
            ("Send failure", .transport(.connectionLost(detail))),
            ("Empty reply", .transport(.connectionLost(detail))),
            ("transfer closed", .transport(.connectionLost(detail))),
            ("end of response", .transport(.connectionLost(detail))),
            ("chunked-encod", .invalidResponse(reason: detail)),
            ("HTTP/2", .transport(.protocolViolation(detail))),
            ("Failed writing header", .invalidResponse(reason: detail)),
            ("Invalid", .invalidResponse(reason: detail)),
            ("content encoding", .invalidResponse(reason: detail)),
            ("decoding", .invalidResponse(reason: detail)),
            ("header", .invalidResponse(reason: detail)),
        ]
        return table.first { detail.contains($0.words) }?.kind
    }

    /// The phase in which an error of this kind occurred.
    static func phase(of kind: NetworkError.Kind, isAnswered: Bool) -> NetworkError.Phase {
        if isAnswered { return .receiving }
        return switch kind {
        case .insecure, .offline, .timedOut(.connect), .transport(.cannotConnect), .transport(.cannotResolveHost):
            .connecting
        case .invalidResponse: .receiving
        default: .sending
        }
    }
}

/// Errors in other domains that URLSession passes through: of sockets and of CFNetwork.
enum PassedOnFailure {
    static func kind(of error: any Error, host: String) -> NetworkError.Kind {
        let error = error as NSError
        switch error.domain {
        case NSPOSIXErrorDomain:
            // Foundation on Linux traps when it describes a number that isn't an errno.
            guard let code = Int32(exactly: error.code).flatMap(POSIXErrorCode.init) else {
                return .transport(.other("\(error.domain) \(error.code)"))
            }
            return kind(of: code, error.localizedDescription)
        case "kCFErrorDomainCFNetwork": return kind(ofCFNetwork: error.code, error.localizedDescription, host)
        default: return .transport(.other("\(error)"))
        }
    }

    private static func kind(of code: POSIXErrorCode, _ detail: String) -> NetworkError.Kind {
        switch code {
        case .ECANCELED: .cancelled
        case .ETIMEDOUT: .timedOut(.inactivity)
        case .ENETDOWN: .offline(.noPath)
        case .ECONNREFUSED, .EHOSTUNREACH, .ENETUNREACH, .EHOSTDOWN, .EADDRNOTAVAIL:
            .transport(.cannotConnect(detail))
        // A reset HTTP/2 stream is EPROTO.
        case .EPROTO, .EBADMSG, .EILSEQ, .EMSGSIZE: .transport(.protocolViolation(detail))
        case .ECONNRESET, .ECONNABORTED, .EPIPE, .ENOTCONN, .ESHUTDOWN: .transport(.connectionLost(detail))
        case .ENOENT, .EACCES, .EPERM, .EISDIR, .EIO: .file(reason: detail)
        default: .transport(.other(detail))
        }
    }

    /// `CFNetworkErrors`, by number.
    private static func kind(ofCFNetwork code: Int, _ detail: String, _ host: String) -> NetworkError.Kind {
        switch code {
        case 1, 2: .transport(.cannotResolveHost(host))
        case 302: .transport(.connectionLost(detail))
        case 303: .invalidResponse(reason: detail)
        // Connecting to a proxy, its credentials, its configuration file, its response to CONNECT.
        case 306...311: .transport(.proxy(detail))
        default: .transport(.other(detail))
        }
    }
}
