/// The only error that the library throws.
///
/// ```text
/// NetworkError.kind
/// ├── before anything is sent   invalidURL · invalidRequest · encoding · unsupported · shutdown
/// ├── in transit                offline · transport(TransportFailure) · timedOut(Stage) · insecure(SecurityFailure)
/// │                             redirect(RedirectFailure) · invalidResponse · tooLarge · file · notCached
/// │                             socketClosed(code, reason) · cancelled
/// ├── the server's response     unauthorized · forbidden · notFound · validationFailed · rateLimited
/// │                             client(status) · server(status) · unexpectedStatus(status)
/// │                             unexpectedContentType · operationFailed
/// └── reading the response      decoding(DecodingFailure)
/// ```
///
/// It contains what went wrong (``kind``), where (``phase``), the request that was actually sent, and the response.
/// Descriptions never show credentials.
///
/// ```swift
/// do {
///     try await api.send(.publish(id: 42))
/// } catch {
///     guard error.isRetryable else { throw error }
///     try await Task.sleep(for: error.suggestedRetryDelay ?? .seconds(1))
/// }
/// ```
public struct NetworkError: Error, Sendable, Nonisolated {
    /// Typed throws return errors by value, so the contents are behind one reference.
    private var box: Box<Context>

    /// Creates an error of a kind, in a phase of a call.
    ///
    /// For transports, middlewares and tests. The library sets ``attempt``, ``body`` and ``problem``.
    ///
    /// ```swift
    /// throw NetworkError(.invalidResponse(reason: "no rows"), phase: .decoding, request: request)
    /// ```
    public init(
        _ kind: Kind, phase: Phase, request: HTTPRequest? = nil, response: HTTPResponseHead? = nil,
        underlying: (any Error)? = nil
    ) {
        box = Box(
            Context(kind: kind, phase: phase, request: request, response: response, underlying: underlying))
    }

    /// What went wrong, such as `.notFound` or `.timedOut(.connect)`.
    public var kind: Kind {
        get { box.value.kind }
        _modify { yield &box.value.kind }
    }

    /// The step of the call that failed.
    public var phase: Phase {
        get { box.value.phase }
        _modify { yield &box.value.phase }
    }

    /// The attempt that failed, from 1. Always 1 without retries.
    public var attempt: Int {
        get { box.value.attempt }
        _modify { yield &box.value.attempt }
    }

    /// How many times the transport itself sent the request again before it failed. 0 if it was sent once.
    ///
    /// See ``TransferMetrics/resendCount``.
    public var resendCount: Int {
        get { box.value.resendCount }
        _modify { yield &box.value.resendCount }
    }

    /// The request as sent, after all middlewares; `nil` if it couldn't be made.
    public var request: HTTPRequest? {
        get { box.value.request }
        _modify { yield &box.value.request }
    }

    /// The head of the response, if there was one. Set for every status that isn't accepted.
    public var response: HTTPResponseHead? {
        get { box.value.response }
        _modify { yield &box.value.response }
    }

    /// The start of an error response's body, at most 64 KiB.
    public var body: Data? {
        get { box.value.body }
        _modify { yield &box.value.body }
    }

    /// The problem in the error response's body, if it could be parsed.
    public var problem: ProblemDetails? {
        get { box.value.problem }
        _modify { yield &box.value.problem }
    }

    /// The underlying error, such as a `DecodingError`, or the result of an ``ErrorBody`` of the client.
    public var underlying: (any Error)? {
        get { box.value.underlying }
        _modify { yield &box.value.underlying }
    }

    /// The ID sent with the request, which the server may log.
    public var requestID: String? {
        request?.fields[.requestID]
    }
}

extension NetworkError {
    private struct Context: Sendable {
        var kind: Kind
        var phase: Phase
        var attempt = 1
        var resendCount = 0
        /// A new value invalidates the secrets.
        var request: HTTPRequest? { didSet { secrets = SentSecrets(request) } }
        var secrets: SentSecrets
        var response: HTTPResponseHead?
        var body: Data?
        var problem: ProblemDetails?
        var underlying: (any Error)?

        init(
            kind: Kind, phase: Phase, request: HTTPRequest?, response: HTTPResponseHead?, underlying: (any Error)?
        ) {
            self.kind = kind
            self.phase = phase
            self.request = request
            self.response = response
            self.underlying = underlying
            secrets = SentSecrets(request)
        }
    }

    /// The secrets that the call sent and some servers repeat.
    var sentSecrets: SecretSearch { box.value.secrets.search }

    /// Where in a call an error occurred, in the order of a call. The raw value is the case name.
    public enum Phase: String, Sendable, Hashable {
        /// The step that failed: making the request, a middleware, connecting, sending, receiving, checking the
        /// response, or decoding it.
        case building, middleware, connecting, sending, receiving, validating, decoding
    }
}
