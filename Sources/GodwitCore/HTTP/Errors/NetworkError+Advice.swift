extension NetworkError {
    /// Whether the same request may succeed later: connection failures, timeouts, 408, 425, 429, 500, 502, 503, 504,
    /// and other 4xx and 5xx with `Retry-After`.
    ///
    /// This doesn't mean that the request can safely be sent twice; see ``HTTPMethod/isIdempotent``. Also true without
    /// an allowed network: "try again" is good advice for people and for jobs that wait. ``Retry`` doesn't repeat such
    /// calls; use ``Connectivity`` to wait for a network. False for cancellation, shutdown, redirects, security
    /// failures and decoding.
    public var isRetryable: Bool {
        switch kind {
        case .offline, .timedOut, .rateLimited: true
        case .transport(let failure): failure.isRetryable
        case .socketClosed(let code, _): code.isWorthReconnecting
        case .client(408), .client(425): true
        case .server(let status) where [500, 502, 503, 504].contains(status): true
        // `Retry-After` announces a different response later (413: RFC 9110 section 15.5.14).
        case .client, .server: response?.retryAfter != nil
        default: false
        }
    }

    /// Whether the same request may succeed a moment later, without another change.
    var isWorthRepeating: Bool {
        switch kind {
        case .timedOut(.total), .offline: false
        // Without a response, our own limit has already waited as long as allowed.
        case .rateLimited where response == nil: false
        default: isRetryable
        }
    }

    /// How long the server asks to wait before the next attempt (`Retry-After`, RFC 9110 section 10.2.3); `nil` if it
    /// doesn't say.
    ///
    /// In seconds or as a date, from zero to a year. A date is compared with the response's `Date`, so a wrong local
    /// clock doesn't matter.
    public var suggestedRetryDelay: Duration? {
        if case .rateLimited(let delay) = kind { return delay }
        return response?.retryAfter
    }
}

extension NetworkError.TransportFailure {
    fileprivate var isRetryable: Bool {
        switch self {
        case .cannotResolveHost, .cannotResolveProxy, .cannotConnect, .proxy, .connectionLost, .tooManyOpenFiles: true
        case .protocolViolation, .cannotSendBody, .other: false
        }
    }
}

// Better compiler errors if a `catch` has lost the type of the error: after `async let`, in a closure without
// `throws(NetworkError)`, or with a call that throws another type. NetworkError's own members take precedence.
extension Error {
    /// Unavailable: only a ``NetworkError`` has a kind.
    @available(
        *, unavailable,
        message: "this error may be any error: write 'do throws(NetworkError)', or 'catch let error as NetworkError'"
    )
    public var kind: NetworkError.Kind { .cancelled }

    /// Unavailable: only a ``NetworkError`` has a message for people.
    @available(
        *, unavailable,
        message: "this error may be any error: write 'do throws(NetworkError)', or 'catch let error as NetworkError'"
    )
    public var userMessage: String? { nil }

    /// Unavailable: only a ``NetworkError`` tells whether another attempt may help.
    @available(
        *, unavailable,
        message: "this error may be any error: write 'do throws(NetworkError)', or 'catch let error as NetworkError'"
    )
    public var isRetryable: Bool { false }
}

extension HTTPFields {
    /// The server's time, from `Date`; the local time if it is missing.
    var serverTime: Date {
        let local = Date()
        return agreedValue(of: .date).flatMap { HTTPDate.parse($0, now: local) } ?? local
    }
}
