extension NetworkError {
    /// What went wrong.
    ///
    /// ```swift
    /// switch error.kind {
    /// case .unauthorized: signIn()
    /// case .validationFailed(let fields): show(fields)
    /// case .timedOut, .offline: retry()
    /// default: show(error.userMessage)
    /// }
    /// ```
    public enum Kind: Sendable, Hashable {
        /// The URL could not be made; nothing was sent.
        case invalidURL(reason: String)
        /// The request is not one that can be sent, such as a field with a line break; nothing was sent.
        case invalidRequest(reason: String)
        /// The request's content could not be encoded; nothing was sent.
        case encoding(reason: String)
        /// This transport, on this platform, does not offer what was asked for; nothing was sent.
        case unsupported(feature: String, on: String)
        /// The client or transport was shut down; nothing was sent.
        case shutdown

        /// There is no network path the request may use.
        case offline(OfflineReason)
        /// The connection could not be made, or broke.
        case transport(TransportFailure)
        /// It took too long.
        case timedOut(Stage)
        /// The peer could not be trusted, or the way to it was not private.
        case insecure(SecurityFailure)
        /// A redirect could not be followed.
        case redirect(RedirectFailure)
        /// What came back is not HTTP, or contradicts itself.
        case invalidResponse(reason: String)
        /// The response is larger than allowed; the limit in bytes.
        /// The client's `bufferLimit` or `responseLimit`, or the limit of a line.
        case tooLarge(limit: Int64)
        /// A file could not be read or written.
        case file(reason: String)
        /// `.cacheOnly` was asked for, and no stored response may be used; nothing was sent.
        case notCached
        /// A WebSocket was closed, by either side; the code and reason of the close frame that told so.
        case socketClosed(code: WebSocketCloseCode, reason: String)
        /// The caller gave up.
        case cancelled

        /// 401, or no credentials could be had that the server accepts; then there is no ``NetworkError/response``.
        case unauthorized
        /// 403.
        case forbidden
        /// 404 or 410.
        case notFound
        /// 400 or 422 whose body names what is wrong with which field.
        case validationFailed([FieldError])
        /// 429; when to come back, where the server said so.
        case rateLimited(retryAfter: Duration?)
        /// Another status from 400 to 499.
        case client(status: Int)
        /// A status from 500 to 599.
        case server(status: Int)
        /// A status that is neither a success nor an error, such as a 304 to a request that did not ask for one.
        case unexpectedStatus(Int)
        /// The content is of another type than was asked for, as a page of HTML where events were to come; the
        /// `Content-Type`, nil where there was none.
        case unexpectedContentType(String?)

        /// The body is not what the endpoint promised.
        case decoding(DecodingFailure)
    }

    /// Why there is no network path.
    ///
    /// The raw value is the name of the case.
    ///
    /// ```swift
    /// if case .offline(let reason) = error.kind { show("not now: \(reason)") }
    /// ```
    public enum OfflineReason: String, Sendable, Hashable {
        /// The device is not connected.
        case noPath
        /// Only an expensive network is there, and the request may not use one.
        case expensiveNotAllowed
        /// Only a constrained network is there, and the request may not use one.
        case constrainedNotAllowed
        /// Only a mobile network is there, and the request may not use one.
        case cellularNotAllowed
    }

    /// How a connection failed.
    ///
    /// Texts are the engine's own words, for developers; do not compare them.
    public enum TransportFailure: Sendable, Hashable {
        /// The name has no address.
        case cannotResolveHost(String)
        /// The proxy's name has no address.
        case cannotResolveProxy
        /// Nobody listens there, or the way is blocked.
        case cannotConnect(String)
        /// The proxy refused or failed.
        case proxy(String)
        /// The connection broke before the response was complete.
        case connectionLost(String)
        /// HTTP/2 or HTTP/1.1 was spoken wrongly.
        case protocolViolation(String)
        /// The request's content could not be sent (again).
        case cannotSendBody(String)
        /// The process or the system has no file descriptor left for another connection (`EMFILE`, `ENFILE`). Idle
        /// connections were closed first.
        case tooManyOpenFiles
        /// Something else; the engine's words.
        case other(String)
    }

    /// What took too long.
    ///
    /// The limits are those of ``Timeouts``.
    public enum Stage: String, Sendable, Hashable {
        /// The connection did not stand in time.
        case connect
        /// No byte moved for too long.
        case inactivity
        /// The whole exchange took too long.
        case total
    }

    /// Why a peer or path is not trusted.
    ///
    /// None of these is retryable. Texts are for developers; do not compare them.
    ///
    /// ```swift
    /// if case .insecure(.pinMismatch) = error.kind { report(error) }
    /// ```
    public enum SecurityFailure: Sendable, Hashable {
        /// The certificate's chain does not end in a trusted authority.
        case untrustedCertificate(String)
        /// The certificate is for another host.
        case hostMismatch(String)
        /// The certificate is no longer, or not yet, valid.
        case certificateExpired
        /// No pinned key is in the chain.
        case pinMismatch
        /// The server wants a client certificate, or refused the one it got.
        case clientCertificate(String)
        /// The handshake failed otherwise.
        case handshake(String)
        /// A redirect from https to http was refused.
        case downgrade(to: String)
        /// Plain http to a host for which it was not allowed.
        case plaintext(host: String)
        /// A certificate or key file could not be read.
        case configuration(String)
    }

    /// Why a redirect was not followed.
    public enum RedirectFailure: Sendable, Hashable {
        /// There were more than the limit.
        case tooMany(limit: Int)
        /// `Location` is missing or is no URL that can be requested.
        case invalidLocation(String)
        /// The request's content was used up and cannot be sent again.
        case bodyNotReplayable
    }

    /// What the server says is wrong with one field of the request.
    public struct FieldError: Sendable, Hashable {
        /// The field's name or path, as the server spelled it; the steps of a path are joined by dots: `author.name`.
        public let field: String

        /// What is wrong with it, in the server's words.
        public let messages: [String]

        /// Makes a field error.
        ///
        /// - Parameters:
        ///   - field: The name or path.
        ///   - messages: What is wrong, for people.
        public init(field: String, messages: [String]) {
            self.field = field
            self.messages = messages
        }
    }

    /// Where and why a body is not what was promised.
    ///
    /// ```text
    /// field `results[3].published_at`: expected ISO 8601 date, found "yesterday"
    /// ```
    public struct DecodingFailure: Sendable, Hashable {
        /// The path to the value, such as `results[3].published_at`; empty for the whole body.
        ///
        /// Keys are spelled as they were sent.
        public let path: String

        /// What was expected and what was found.
        ///
        /// A value under a name that looks like a secret is not quoted.
        public let reason: String

        /// The beginning of the body; nil where it may not be shown.
        ///
        /// Made of at most 256 bytes, with values that look like secrets left out.
        public let snippet: String?

        /// Makes a failure.
        ///
        /// - Parameters:
        ///   - path: Where it is; empty for the whole body.
        ///   - reason: What was expected and found.
        ///   - snippet: The beginning of the body.
        public init(path: String, reason: String, snippet: String? = nil) {
            self.path = path
            self.reason = reason
            self.snippet = snippet
        }
    }
}
