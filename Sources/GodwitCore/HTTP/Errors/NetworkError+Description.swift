extension NetworkError: CustomStringConvertible, CustomReflectable {
    /// One line for a developer: the failure, the request, and the server's explanation, without secrets.
    ///
    ///     HTTP 422 from POST https://api.example.com/v1/articles: title must not be empty (request 7f3a)
    ///     timed out while connecting [GET https://api.example.com/v1/articles] (attempt 3)
    ///
    /// The explanation is the problem's `detail` or `title` with its fields, otherwise its `code`, otherwise the title
    /// of an HTML page: at most 200 characters.
    public var description: String {
        var line = answerLine ?? failureLine
        if attempt > 1 { line += " (attempt \(attempt))" }
        if let requestID { line += " (request \(requestID))" }
        return TerminalText.escaped(line)
    }

    /// The parts of ``description``: the request and response without secrets, no body, and only the type of the
    /// underlying error.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "kind": shownKind, "phase": phase, "attempt": attempt, "request": request as Any,
                "response": response.map { $0.hiding(sentSecrets) } as Any,
                "underlying": underlying.map { "\(type(of: $0))" } as Any,
            ])
    }

    /// The kind without values, for a metric label.
    ///
    /// Stable and in snake case: `timed_out.connect`, `transport.connection_lost`, `not_found`.
    public var shortDescription: String {
        kind.label
    }
}

extension NetworkError {
    /// What went wrong, in words a developer can act on.
    package var summary: String { subject + kind.summary }

    /// What exceeds the limit of ``Kind/tooLarge(limit:)``. The body of a response has its head in the error.
    private var subject: String {
        guard case .tooLarge = kind else { return "" }
        switch phase {
        case .building: return "the body is "
        case .middleware: return ""
        case _ where request != nil && response == nil: return "the head of the response is "
        default: return "the response is "
        }
    }
}

extension NetworkError.Kind {
    /// What went wrong, without what it happened to.
    package var summary: String {
        switch self {
        case .invalidURL(let reason): "invalid URL: \(reason)"
        case .invalidRequest(let reason): "invalid request: \(reason)"
        case .encoding(let reason): "the request body could not be encoded: \(reason)"
        case .unsupported(let feature, let platform): "\(feature) is not supported on \(platform)"
        case .shutdown: "the client was shut down"
        case .offline(let reason): "no network path: \(reason.rawValue)"
        case .transport(let failure): failure.summary
        case .timedOut(let stage): stage.summary
        case .insecure(let failure): failure.summary
        case .redirect(let failure): failure.summary
        case .invalidResponse(let reason): "invalid response: \(reason)"
        case .tooLarge(let limit): "larger than the limit of \(limit) bytes"
        case .file(let reason): "file: \(reason)"
        case .notCached: "no stored response can be used, and the request must not use the network (.cacheOnly)"
        case .socketClosed(let code, let reason):
            "the socket was closed: \(code)" + (reason.isEmpty ? "" : " \(reason)")
        case .cancelled: "cancelled"
        default: answerSummary
        }
    }

    /// Whether the response's status is the failure.
    var isStatus: Bool {
        switch self {
        case .unauthorized, .forbidden, .notFound, .validationFailed, .rateLimited, .client, .server, .unexpectedStatus:
            true
        default: false
        }
    }

    /// The meaning of a status, without its number.
    var meaning: String {
        switch self {
        case .client: "the server refused the request"
        case .server: "the server failed"
        case .unexpectedStatus: "the status was not expected"
        default: answerSummary
        }
    }

    private var answerSummary: String {
        switch self {
        case .unauthorized: "unauthorized"
        case .forbidden: "forbidden"
        case .notFound: "not found"
        case .validationFailed(let fields):
            "validation failed: " + fields.map(\.line).joined(separator: "; ")
        case .rateLimited(let delay): delay.map { "rate limited; retry after \($0)" } ?? "rate limited"
        case .client(let status): "the server refused the request with status \(status)"
        case .server(let status): "the server failed with status \(status)"
        case .unexpectedStatus(let status): "unexpected status \(status)"
        case .operationFailed: "the operation failed"
        case .unexpectedContentType(let type): "unexpected content type: \(type ?? "none")"
        case .decoding(let failure): failure.summary
        default: label
        }
    }

    var label: String {
        switch self {
        case .invalidURL: "invalid_url"
        case .invalidRequest: "invalid_request"
        case .encoding: "encoding"
        case .unsupported: "unsupported"
        case .shutdown: "shutdown"
        case .offline: "offline"
        case .transport(let failure): "transport.\(failure.label)"
        case .timedOut(let stage): "timed_out.\(stage.rawValue)"
        case .insecure(let failure): "insecure.\(failure.label)"
        case .redirect: "redirect"
        case .invalidResponse: "invalid_response"
        case .tooLarge: "too_large"
        case .file: "file"
        case .notCached: "not_cached"
        case .socketClosed: "socket_closed"
        case .cancelled: "cancelled"
        case .unauthorized: "unauthorized"
        case .forbidden: "forbidden"
        case .notFound: "not_found"
        case .validationFailed: "validation_failed"
        case .rateLimited: "rate_limited"
        case .client: "client"
        case .server: "server"
        case .unexpectedStatus: "unexpected_status"
        case .operationFailed: "operation_failed"
        case .unexpectedContentType: "unexpected_content_type"
        case .decoding: "decoding"
        }
    }
}

extension NetworkError.DecodingFailure {
    var summary: String {
        let words = path.isEmpty ? "decoding: \(reason)" : "field `\(path)`: \(reason)"
        // A document of one line is found by the path.
        guard let line, let column, line > 1 || path.isEmpty else { return words }
        return "\(words) (line \(line), column \(column))"
    }
}

extension NetworkError.Stage {
    var summary: String {
        switch self {
        case .connect: "timed out while connecting"
        case .inactivity: "timed out: no data was transferred for too long"
        case .total: "timed out: the whole exchange took too long"
        }
    }
}

extension NetworkError.TransportFailure {
    var summary: String {
        switch self {
        case .cannotResolveHost(let host): "the host name \"\(host)\" could not be resolved"
        case .cannotResolveProxy: "the proxy's host name could not be resolved"
        case .cannotConnect(let detail): "could not connect: \(detail)"
        case .proxy(let detail): "the proxy failed: \(detail)"
        case .connectionLost(let detail): "the connection was lost: \(detail)"
        case .protocolViolation(let detail): "the protocol was violated: \(detail)"
        case .cannotSendBody(let detail): "the request body could not be sent: \(detail)"
        case .tooManyOpenFiles:
            "too many open files: no descriptor is left for a connection (raise `ulimit -n`, or run fewer requests in parallel)"
        case .other(let detail): "transport failure: \(detail)"
        }
    }

    var label: String {
        switch self {
        case .cannotResolveHost: "cannot_resolve_host"
        case .cannotResolveProxy: "cannot_resolve_proxy"
        case .cannotConnect: "cannot_connect"
        case .proxy: "proxy"
        case .connectionLost: "connection_lost"
        case .protocolViolation: "protocol_violation"
        case .cannotSendBody: "cannot_send_body"
        case .tooManyOpenFiles: "too_many_open_files"
        case .other: "other"
        }
    }
}

extension NetworkError.SecurityFailure {
    var summary: String {
        switch self {
        case .untrustedCertificate(let detail): "the server's certificate is not trusted: \(detail)"
        case .hostMismatch(let host): "the server's certificate is not for \(host)"
        case .certificateExpired: "the server's certificate has expired or is not valid yet"
        case .pinMismatch: "no pinned key is in the server's certificate chain"
        case .clientCertificate(let detail): "client certificate: \(detail)"
        case .handshake(let detail): "the TLS handshake failed: \(detail)"
        case .downgrade(let url): "a redirect from https to \(url) was refused"
        case .plaintext(let host): "plain http to \(host) is not allowed; use https or allow the host by name"
        case .configuration(let detail): "TLS configuration: \(detail)"
        }
    }

    var label: String {
        switch self {
        case .untrustedCertificate: "untrusted_certificate"
        case .hostMismatch: "host_mismatch"
        case .certificateExpired: "certificate_expired"
        case .pinMismatch: "pin_mismatch"
        case .clientCertificate: "client_certificate"
        case .handshake: "handshake"
        case .downgrade: "downgrade"
        case .plaintext: "plaintext"
        case .configuration: "configuration"
        }
    }
}

extension NetworkError.RedirectFailure {
    var summary: String {
        switch self {
        case .tooMany(let limit): "more than \(limit) redirects"
        case .invalidLocation(let location): "the redirect's Location is not usable: \(location)"
        case .bodyNotReplayable: "the redirect needs the request body again, but it can be sent only once"
        }
    }
}
