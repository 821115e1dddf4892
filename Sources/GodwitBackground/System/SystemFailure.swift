package import GodwitCore

/// What the numbers of URLSession's errors mean (`NSURLErrorDomain`).
package enum SystemFailure {
    /// - Parameters:
    ///   - code: 0 for an error of another domain.
    ///   - detail: The system's own words.
    package static func kind(code: Int, detail: String, host: String) -> NetworkError.Kind {
        switch code {
        case -999, -1012: .cancelled
        case -1001: .timedOut(.inactivity)
        case -1000, -1002: .invalidURL(reason: detail)
        case -1003, -1006: .transport(.cannotResolveHost(host))
        case -1004: .transport(.cannotConnect(detail))
        // The connection was lost, or the process that transferred was ended.
        case -1005, -997: .transport(.connectionLost(detail))
        case -1009, -1019: .offline(.noPath)
        case -1018, -1020: .offline(.cellularNotAllowed)
        case -1007: .redirect(.tooMany(limit: 20))
        case -1010: .redirect(.invalidLocation(detail))
        case -1011, -1014, -1015, -1016, -1017: .invalidResponse(reason: detail)
        case -1021: .transport(.cannotSendBody(detail))
        case -1022: .insecure(.plaintext(host: host))
        case -1200: .insecure(.handshake(detail))
        case -1201, -1204: .insecure(.certificateExpired)
        case -1202, -1203: .insecure(.untrustedCertificate(detail))
        case -1205, -1206: .insecure(.clientCertificate(detail))
        // The file to send is gone, or the disk is full.
        case -1100, -1101, -1102, -1104, -3007 ... -3000: .file(reason: detail)
        // An app extension has to name a container that it shares with its app.
        case -995: .invalidRequest(reason: "sharedContainerIdentifier is required in an app extension")
        default: .transport(.other(detail))
        }
    }
}
