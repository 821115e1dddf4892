import Godwit

/// The exit code of the program. The numbers are stable, so that scripts can test `$?`.
///
/// This is the only table of exit codes: ``init(_:)`` maps each ``NetworkError/Kind``, and `--help` prints ``meaning``.
public enum ExitCode: Int32, Sendable, CaseIterable {
    case success = 0
    case outdated = 1
    case usage = 2
    case unreachable = 3
    case timedOut = 4
    case insecure = 5
    case network = 6
    case file = 7
    case document = 8
    case contradiction = 9
    case checkFailed = 10
    case httpStatus = 22
    case hangup = 129
    case interrupted = 130
    case outputClosed = 141
    case terminated = 143

    /// The explanation that `--help` prints.
    public var meaning: String {
        switch self {
        case .success: "Received the whole response, with a status below 400"
        case .outdated: "generate --check: the generated files are not up to date; replay: a response differs"
        case .usage: "Invalid command line, request or request file; nothing was sent"
        case .unreachable: "Could not resolve the host or proxy, or could not connect"
        case .timedOut: "Timed out"
        case .insecure: "The TLS connection failed, or was refused as insecure"
        case .network: "The exchange failed in another way: connection lost, too many redirects, not HTTP"
        case .file: "Could not read or write a file"
        case .document: "The document to generate from is invalid or not supported; nothing was written"
        case .contradiction: "The samples to generate from contradict each other; nothing was written"
        case .checkFailed: "A check failed: --expect, --capture, or an assert of godwit run"
        case .httpStatus: "The server responded with a status of 400 or above, or with GraphQL errors"
        case .hangup: "The terminal was closed (SIGHUP)"
        case .interrupted: "Interrupted (SIGINT)"
        case .outputClosed: "The reader of the output went away (SIGPIPE)"
        case .terminated: "Terminated (SIGTERM)"
        }
    }

    /// The exit code for a network error.
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
                .unexpectedStatus, .operationFailed:
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
