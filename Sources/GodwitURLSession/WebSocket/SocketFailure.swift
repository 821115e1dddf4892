package import GodwitCore

/// The one table from the errors of a WebSocket's task to ``NetworkError/Kind``.
package enum SocketFailure {
    package static func kind(of error: any Error, host: String, messageLimit: Int) -> NetworkError.Kind {
        if let error = error as? POSIXError { return kind(of: error, messageLimit) }
        if let error = error as? URLError, error.code == .dataLengthExceedsMaximum {
            return .tooLarge(limit: Int64(messageLimit))
        }
        return SessionFailure.kind(of: error, host: host)
    }

    private static func kind(of error: POSIXError, _ messageLimit: Int) -> NetworkError.Kind {
        let detail = error.localizedDescription
        return switch error.code {
        // What `maximumMessageSize` ends in.
        case .EMSGSIZE: .tooLarge(limit: Int64(messageLimit))
        case .ECANCELED: .cancelled
        case .ETIMEDOUT: .timedOut(.inactivity)
        case .EPROTO, .EBADMSG, .EILSEQ: .transport(.protocolViolation(detail))
        default: .transport(.connectionLost(detail))
        }
    }
}
