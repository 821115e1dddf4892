extension NetworkError {
    /// Whether the same request may well succeed later: connection trouble, timeouts, 408, 425, 429, 500, 502, 503
    /// and 504.
    ///
    /// Whether it may be sent twice is another question; see ``HTTPMethod/isIdempotent``.
    /// Cancellation, shutdown, redirects, security failures and decoding are not among them.
    public var isRetryable: Bool {
        switch kind {
        case .offline, .timedOut, .rateLimited: true
        case .transport(let failure): failure.isRetryable
        case .socketClosed(let code, _): code.isWorthReconnecting
        case .client(let status): status == 408 || status == 425
        case .server(let status): [500, 502, 503, 504].contains(status)
        default: false
        }
    }

    /// How long the server asks to wait before the next attempt (`Retry-After`, RFC 9110 section 10.2.3).
    ///
    /// Read as seconds or as a date, from zero to a year. A date is compared with the response's `Date`, so that a
    /// wrong clock here does no harm. Nil where the server does not say.
    public var suggestedRetryDelay: Duration? {
        if case .rateLimited(let delay) = kind { return delay }
        return response.flatMap(Self.retryDelay)
    }

    /// What a person may be shown; nil where there is nothing to tell, as when they cancelled it themselves.
    ///
    /// Where the server sent a message about what the person entered, this is it; else it is a plain English sentence.
    ///
    /// Not localised.
    public var userMessage: String? {
        switch kind {
        case .cancelled: nil
        case .validationFailed(let fields): Self.message(of: fields) ?? Self.plain(kind)
        default: Self.plain(kind)
        }
    }

    private static func message(of fields: [FieldError]) -> String? {
        let messages = fields.flatMap(\.messages)
        return messages.isEmpty ? nil : messages.joined(separator: "\n")
    }

    private static func plain(_ kind: Kind) -> String {
        switch kind {
        case .offline: "You appear to be offline. Check the connection and try again."
        case .timedOut: "The server took too long to answer. Try again."
        case .socketClosed: "The connection to the server ended. Try again."
        case .transport: "The server could not be reached. Check the connection and try again."
        case .insecure: "A secure connection to the server could not be made."
        case .unauthorized: "Please sign in again."
        case .forbidden: "You do not have access to this."
        case .notFound: "This could not be found."
        case .validationFailed: "Some of what was entered is not valid."
        case .rateLimited: "There were too many requests. Wait a moment and try again."
        case .server: "The server has a problem. Try again later."
        case .tooLarge: "The answer is too large."
        case .file: "A file could not be read or written."
        default: "Something went wrong. Try again later."
        }
    }
}

extension NetworkError.TransportFailure {
    fileprivate var isRetryable: Bool {
        switch self {
        case .cannotResolveHost, .cannotResolveProxy, .cannotConnect, .proxy, .connectionLost: true
        case .protocolViolation, .cannotSendBody, .other: false
        }
    }
}
