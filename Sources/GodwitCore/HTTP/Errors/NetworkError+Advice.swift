extension NetworkError {
    /// Whether the same request may well succeed later: connection trouble, timeouts, 408, 425, 429, 500, 502, 503
    /// and 504, and other 4xx and 5xx with `Retry-After`.
    ///
    /// Whether it may be sent twice is another question; see ``HTTPMethod/isIdempotent``.
    /// Without a network that the request may use it is true as well: it may succeed once there is one, so that "try
    /// again" is good advice for a person, and for a job that waits. ``Retry`` itself does not repeat that, as a network
    /// seldom comes within a second; ``Connectivity`` is what waits for one.
    /// Cancellation, shutdown, redirects, security failures and decoding are not among them.
    public var isRetryable: Bool {
        switch kind {
        case .offline, .timedOut, .rateLimited: true
        case .transport(let failure): failure.isRetryable
        case .socketClosed(let code, _): code.isWorthReconnecting
        case .client(408), .client(425): true
        case .server(let status) where [500, 502, 503, 504].contains(status): true
        // A server that says when to come back expects another answer then (413: RFC 9110 section 15.5.14).
        case .client, .server: response?.retryAfter != nil
        default: false
        }
    }

    /// Whether the same request may well succeed a moment later, with nothing else changed.
    var isWorthRepeating: Bool {
        switch kind {
        case .timedOut(.total), .offline: false
        // Said by our own limit, which has waited as long as it may.
        case .rateLimited where response == nil: false
        default: isRetryable
        }
    }

    /// How long the server asks to wait before the next attempt (`Retry-After`, RFC 9110 section 10.2.3).
    ///
    /// Read as seconds or as a date, from zero to a year. A date is compared with the response's `Date`, so that a
    /// wrong clock here does no harm. Nil where the server does not say.
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

// What the compiler says where a `catch` has lost the type of the error: after `async let`, in a closure without
// `throws(NetworkError)`, or beside a call that throws something else. NetworkError's own members win.
extension Error {
    /// Not available: only a ``NetworkError`` has a kind.
    @available(
        *, unavailable,
        message: "this error may be any error: write 'do throws(NetworkError)', or 'catch let error as NetworkError'"
    )
    public var kind: NetworkError.Kind { .cancelled }

    /// Not available: only a ``NetworkError`` has a text for people.
    @available(
        *, unavailable,
        message: "this error may be any error: write 'do throws(NetworkError)', or 'catch let error as NetworkError'"
    )
    public var userMessage: String? { nil }

    /// Not available: only a ``NetworkError`` says whether another attempt may help.
    @available(
        *, unavailable,
        message: "this error may be any error: write 'do throws(NetworkError)', or 'catch let error as NetworkError'"
    )
    public var isRetryable: Bool { false }
}

extension HTTPFields {
    /// The server's own clock, from `Date`; ours where it does not tell.
    var serverTime: Date {
        let local = Date()
        return agreedValue(of: .date).flatMap { HTTPDate.parse($0, now: local) } ?? local
    }
}
