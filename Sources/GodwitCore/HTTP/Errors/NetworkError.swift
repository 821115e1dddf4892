/// The one error that leaves the library.
///
/// ```text
/// NetworkError.kind
/// ├── before anything is sent   invalidURL · invalidRequest · encoding · unsupported · shutdown
/// ├── on the way                offline · transport(TransportFailure) · timedOut(Stage) · insecure(SecurityFailure)
/// │                             redirect(RedirectFailure) · invalidResponse · tooLarge · file · notCached
/// │                             socketClosed(code, reason) · cancelled
/// ├── the server's answer       unauthorized · forbidden · notFound · validationFailed · rateLimited
/// │                             client(status) · server(status) · unexpectedStatus(status)
/// │                             unexpectedContentType
/// └── reading the answer        decoding(DecodingFailure)
/// ```
///
/// It says what went wrong (``kind``), where (``phase``), which request was really sent, and what came back. Its
/// descriptions never show credentials.
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
    /// Errors travel through every typed throw by value, so their weight is kept behind one reference.
    private var box: Box<Context>

    /// Makes an error.
    ///
    /// For transports, middlewares and tests; the library sets ``attempt``, ``body`` and ``problem`` itself.
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

    /// What went wrong.
    public var kind: Kind {
        get { box.value.kind }
        set { box.change { $0.kind = newValue } }
    }

    /// Where it went wrong.
    public var phase: Phase {
        get { box.value.phase }
        set { box.change { $0.phase = newValue } }
    }

    /// Which attempt failed, from 1.
    ///
    /// 1 where nothing was tried again.
    public var attempt: Int {
        get { box.value.attempt }
        set { box.change { $0.attempt = newValue } }
    }

    /// The request as it was sent, after middlewares changed it; nil where none could be made.
    public var request: HTTPRequest? {
        get { box.value.request }
        set { box.change { $0.request = newValue } }
    }

    /// The head of the response, where there was one.
    ///
    /// Set for every status that is not accepted.
    public var response: HTTPResponseHead? {
        get { box.value.response }
        set { box.change { $0.response = newValue } }
    }

    /// The beginning of an error response's body, at most 64 KiB.
    public var body: Data? {
        get { box.value.body }
        set { box.change { $0.body = newValue } }
    }

    /// The error response's body as the server meant it, where it could be read.
    public var problem: ProblemDetails? {
        get { box.value.problem }
        set { box.change { $0.problem = newValue } }
    }

    /// The error from below, where there was one.
    ///
    /// Such as a `DecodingError`, or what an ``ErrorBody`` of the client's read.
    public var underlying: (any Error)? {
        get { box.value.underlying }
        set { box.change { $0.underlying = newValue } }
    }

    /// The id that was sent with the request and that the server's log may name.
    public var requestID: String? {
        request?.fields[.requestID]
    }
}

extension NetworkError {
    private struct Context: Sendable {
        var kind: Kind
        var phase: Phase
        var attempt = 1
        var request: HTTPRequest?
        var response: HTTPResponseHead?
        var body: Data?
        var problem: ProblemDetails?
        var underlying: (any Error)?
    }

    /// Where in a call an error arose.
    public enum Phase: String, Sendable, Hashable {
        /// In the order of a call. The raw value is the name of the case.
        case building, middleware, connecting, sending, receiving, validating, decoding
    }
}
