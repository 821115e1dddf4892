extension NetworkError {
    /// The most bytes of an error response's body that are kept.
    package static let bodyLimit = 64 << 10

    /// The error that a response's status stands for.
    ///
    /// - Parameter body: The beginning of the body.
    package init(_ response: HTTPResponse, body: Data, readers: [ErrorBody], coding: JSONCoding) {
        let head = response.head
        let finding = (readers + [.problemDetails]).lazy.compactMap { $0.read(body, head, coding) }.first
        self.init(
            Self.kind(of: head, problem: finding?.problem), phase: .validating, request: response.request,
            response: head, underlying: finding?.underlying)
        attempt = response.metrics.attempt
        self.body = body
        problem = finding?.problem
    }

    /// What `Retry-After` asks for. A date is read against the server's own clock, where the response tells it.
    static func retryDelay(_ head: HTTPResponseHead) -> Duration? {
        head.fields[.retryAfter].flatMap { RetryAfter.delay($0, now: head.fields.serverTime) }
    }

    private static func kind(of head: HTTPResponseHead, problem: ProblemDetails?) -> Kind {
        switch head.status.code {
        case 400, 422:
            if let fields = problem?.fields, !fields.isEmpty { return .validationFailed(fields) }
            return .client(status: head.status.code)
        case 401: return .unauthorized
        case 403: return .forbidden
        case 404, 410: return .notFound
        case 429: return .rateLimited(retryAfter: retryDelay(head))
        case 400..<500: return .client(status: head.status.code)
        case 500...: return .server(status: head.status.code)
        default: return .unexpectedStatus(head.status.code)
        }
    }
}
