extension NetworkError {
    /// Maximum bytes kept of an error response's body.
    package static let bodyLimit = 64 << 10

    /// Creates the error for a response's status, with the explanation in its body.
    ///
    /// For responses of ``APIClient/send(_:)-(HTTPRequest)``, which may have any status. Calls of endpoints do this
    /// themselves.
    ///
    /// ```swift
    /// let response = try await api.send(HTTPRequest(url: url))
    /// if !response.head.status.isSuccessful {
    ///     throw NetworkError(response, body: try await response.body.collect(upTo: 64 << 10))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - body: The start of its body; at most 64 KiB are kept.
    ///   - readers: How the body is parsed, tried before ``ErrorBody/problemDetails``.
    public init(
        _ response: HTTPResponse, body: Data, readers: [ErrorBody] = [], coding: JSONCoding = JSONCoding()
    ) {
        let head = response.head
        let finding = (readers + [.problemDetails]).lazy.compactMap { $0.read(body, head, coding) }.first
        self.init(
            Self.kind(of: head, problem: finding?.problem), phase: .validating, request: response.request,
            response: head, underlying: finding?.underlying)
        attempt = response.metrics.attempt
        self.body = body.count > Self.bodyLimit ? Data(body.prefix(Self.bodyLimit)) : body
        problem = finding?.problem
        hideSecretsInWords()
    }

    private static func kind(of head: HTTPResponseHead, problem: ProblemDetails?) -> Kind {
        switch head.status.code {
        case 400, 422:
            if let fields = problem?.fields, !fields.isEmpty { return .validationFailed(fields) }
            return .client(status: head.status.code)
        case 401: return .unauthorized
        case 403: return .forbidden
        case 404, 410: return .notFound
        case 429: return .rateLimited(retryAfter: head.retryAfter)
        case 400..<500: return .client(status: head.status.code)
        case 500...: return .server(status: head.status.code)
        default: return .unexpectedStatus(head.status.code)
        }
    }
}

extension HTTPResponseHead {
    /// How long the server asks to wait before the next request (`Retry-After`, RFC 9110 section 10.2.3), for any
    /// status; `nil` if it doesn't say.
    ///
    /// In seconds or as a date, from zero to a year. A date is compared with the response's `Date`, so a wrong local
    /// clock doesn't matter. If there are several fields, the longest delay counts.
    ///
    /// ```swift
    /// let job = try await api.response(for: .export)                  // 202 Accepted, Retry-After: 5
    /// try await Task.sleep(for: job.head.retryAfter ?? .seconds(1))
    /// ```
    public var retryAfter: Duration? {
        guard fields.contains(.retryAfter) else { return nil }
        let now = fields.serverTime
        return fields.values(of: .retryAfter).compactMap { RetryAfter.delay($0, now: now) }.max()
    }
}

extension NetworkError {
    /// The error of a closure of the program as a ``NetworkError``: `.cancelled` for `CancellationError`, and
    /// `.transport(.other)` with it as `underlying` for other types.
    ///
    /// The text contains only the type: errors of others may contain secrets.
    package init(thrown error: any Error, phase: Phase) {
        switch error {
        case let error as NetworkError: self = error
        case is CancellationError: self.init(.cancelled, phase: phase, underlying: error)
        default: self.init(.transport(.other("\(type(of: error)) was thrown")), phase: phase, underlying: error)
        }
    }

    /// The error of a decoding closure: `.decoding` unless it is a ``NetworkError``.
    init(thrown error: any Error, reading data: Data, as coding: JSONCoding) {
        if let error = error as? NetworkError {
            self = error
        } else {
            let failure = DecodingDiagnosis(of: error, in: data, keys: coding.keys).failure
            self.init(.decoding(failure), phase: .decoding, underlying: error)
        }
    }
}
