import GodwitCore

/// Errors that URLSession passes on as it got them, in other domains than its own: of sockets and of CFNetwork.
enum PassedOnFailure {
    static func kind(of error: any Error, host: String) -> NetworkError.Kind {
        let error = error as NSError
        switch error.domain {
        case NSPOSIXErrorDomain:
            // Linux's Foundation traps on the words for a number that is not an errno.
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
        // Connecting to a proxy, its credentials, its configuration file, its answer to CONNECT.
        case 306...311: .transport(.proxy(detail))
        default: .transport(.other(detail))
        }
    }
}
