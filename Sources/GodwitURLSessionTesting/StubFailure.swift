import GodwitCore
import GodwitURLSession

/// Converts transport errors to URLSession's errors.
enum StubFailure {
    static func code(of kind: NetworkError.Kind) -> URLError.Code {
        switch kind {
        case .cancelled: .cancelled
        case .timedOut: .timedOut
        case .offline(.cellularNotAllowed): .dataNotAllowed
        case .offline: .notConnectedToInternet
        case .invalidURL: .badURL
        case .invalidResponse: .badServerResponse
        case .tooLarge: .dataLengthExceedsMaximum
        case .transport(let failure): code(of: failure)
        case .insecure(let failure): code(of: failure)
        case .unsupported: .unsupportedURL
        default: .unknown
        }
    }

    private static func code(of failure: NetworkError.TransportFailure) -> URLError.Code {
        switch failure {
        case .cannotResolveHost, .cannotResolveProxy: .cannotFindHost
        case .cannotConnect, .proxy: .cannotConnectToHost
        case .connectionLost: .networkConnectionLost
        case .protocolViolation: .badServerResponse
        case .cannotSendBody: .requestBodyStreamExhausted
        case .tooManyOpenFiles, .other: .unknown
        }
    }

    private static func code(of failure: NetworkError.SecurityFailure) -> URLError.Code {
        switch failure {
        case .certificateExpired: .serverCertificateHasBadDate
        case .untrustedCertificate, .hostMismatch, .pinMismatch: .serverCertificateUntrusted
        case .clientCertificate: .clientCertificateRequired
        case .downgrade, .plaintext: .appTransportSecurityRequiresSecureConnection
        case .handshake, .configuration: .secureConnectionFailed
        }
    }
}
