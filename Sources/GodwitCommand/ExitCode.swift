import Godwit

/// How the program ends: what a script can tell from `$?`. The numbers are stable.
///
/// The one table of exit codes: ``init(_:)`` maps every ``NetworkError/Kind``, and `--help` prints ``meaning``.
public enum ExitCode: Int32, Sendable, CaseIterable {
    case success = 0
    case usage = 2
    case unreachable = 3
    case timedOut = 4
    case insecure = 5
    case network = 6
    case file = 7
    case httpStatus = 22
    case interrupted = 130
    case outputClosed = 141
    case terminated = 143

    /// What `--help` says about it.
    public var meaning: String {
        switch self {
        case .success: "the whole answer came, with a status below 400"
        case .usage: "the command line or the request cannot be used; nothing was sent"
        case .unreachable: "the host or proxy could not be resolved or connected to"
        case .timedOut: "it took too long"
        case .insecure: "the secure connection failed or was refused"
        case .network: "the exchange failed otherwise: broken off, redirected too often, not HTTP"
        case .file: "a file could not be read or written"
        case .httpStatus: "the server answered with a status of 400 or more"
        case .interrupted: "interrupted (SIGINT)"
        case .outputClosed: "nobody reads the output any more (SIGPIPE)"
        case .terminated: "asked to end (SIGTERM)"
        }
    }

    /// The code for what went wrong on the network.
    init(_ kind: NetworkError.Kind) {
        self =
            switch kind {
            case .invalidURL, .invalidRequest, .encoding, .unsupported: .usage
            case .offline: .unreachable
            case .transport(let failure): Self.code(for: failure)
            case .timedOut: .timedOut
            case .insecure: .insecure
            case .file: .file
            case .cancelled: .interrupted
            case .shutdown, .redirect, .invalidResponse, .tooLarge, .notCached, .decoding, .unexpectedContentType,
                .socketClosed:
                .network
            case .unauthorized, .forbidden, .notFound, .validationFailed, .rateLimited, .client, .server,
                .unexpectedStatus:
                .httpStatus
            }
    }

    private static func code(for failure: NetworkError.TransportFailure) -> ExitCode {
        switch failure {
        case .cannotResolveHost, .cannotResolveProxy, .cannotConnect, .proxy: .unreachable
        case .connectionLost, .protocolViolation, .cannotSendBody, .tooManyOpenFiles, .other: .network
        }
    }
}
