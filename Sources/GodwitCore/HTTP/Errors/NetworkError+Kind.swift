extension NetworkError {
    /// What went wrong: before sending, in transit, as the server's status, or in reading the response.
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
        /// The URL is invalid; nothing was sent.
        case invalidURL(reason: String)
        /// The request is invalid, such as a field with a line break; nothing was sent.
        case invalidRequest(reason: String)
        /// The request body could not be encoded; nothing was sent, or not all of a body that is encoded while it is sent.
        case encoding(reason: String)
        /// This transport doesn't support a feature on this platform; nothing was sent.
        case unsupported(feature: String, on: String)
        /// The client or transport was shut down; nothing was sent.
        case shutdown

        /// No network that the request may use.
        case offline(OfflineReason)
        /// The connection failed or broke.
        case transport(TransportFailure)
        /// A time limit was exceeded.
        case timedOut(Stage)
        /// The peer isn't trusted, or the connection isn't private.
        case insecure(SecurityFailure)
        /// A redirect could not be followed.
        case redirect(RedirectFailure)
        /// The response isn't valid HTTP, or contradicts itself.
        case invalidResponse(reason: String)
        /// The response exceeds a limit, in bytes: the client's `bufferLimit` or `responseLimit`, or a line limit.
        case tooLarge(limit: Int64)
        /// A file could not be read or written.
        case file(reason: String)
        /// `.cacheOnly` was requested, and no stored response can be used; nothing was sent.
        case notCached
        /// A WebSocket was closed by either side, with the code and reason of the close frame.
        case socketClosed(code: WebSocketCloseCode, reason: String)
        /// The task was canceled.
        case cancelled

        /// 401, or no valid credentials could be obtained; then ``NetworkError/response`` is `nil`.
        case unauthorized
        /// 403: the server understood the request and refuses it (RFC 9110 section 15.5.4).
        case forbidden
        /// 404 or 410.
        case notFound
        /// 400 or 422 with a body that names invalid fields.
        case validationFailed([FieldError])
        /// 429, with the requested delay if the server sent one.
        case rateLimited(retryAfter: Duration?)
        /// Another status from 400 to 499.
        case client(status: Int)
        /// A status from 500 to 599.
        case server(status: Int)
        /// A status that is neither a success nor an error, such as a 304 to an unconditional request.
        case unexpectedStatus(Int)
        /// The server accepted the request, and the response's body reports a failure, as in GraphQL. See
        /// ``NetworkError/problem`` and ``NetworkError/underlying``.
        case operationFailed
        /// The body has an unexpected type, such as HTML instead of events; has the `Content-Type`, `nil` if missing.
        case unexpectedContentType(String?)

        /// The body doesn't match the endpoint's response type.
        case decoding(DecodingFailure)
    }

    /// Why no network can be used. The raw value is the case name.
    ///
    /// ```swift
    /// if case .offline(let reason) = error.kind { show("not now: \(reason)") }
    /// ```
    public enum OfflineReason: String, Sendable, Hashable {
        /// The device isn't connected.
        case noPath
        /// The network is expensive, and the request must not use one.
        case expensiveNotAllowed
        /// The network is constrained, and the request must not use one.
        case constrainedNotAllowed
        /// The network is cellular, and the request must not use one.
        case cellularNotAllowed
    }

    /// How a connection failed.
    ///
    /// Texts come from the engine, for developers; don't compare them.
    public enum TransportFailure: Sendable, Hashable {
        /// The host name has no address.
        case cannotResolveHost(String)
        /// The proxy's host name has no address.
        case cannotResolveProxy
        /// The host or port doesn't accept connections, or is blocked.
        case cannotConnect(String)
        /// The proxy refused or failed.
        case proxy(String)
        /// The connection broke before the response was complete.
        case connectionLost(String)
        /// A violation of HTTP/2 or HTTP/1.1.
        case protocolViolation(String)
        /// The request body could not be sent, or sent again.
        case cannotSendBody(String)
        /// The process or the system has no file descriptor for another connection (`EMFILE`, `ENFILE`). Idle
        /// connections were closed first.
        case tooManyOpenFiles
        /// Another failure, in the engine's words.
        case other(String)
    }

    /// The exceeded time limit of ``Timeouts``.
    public enum Stage: String, Sendable, Hashable {
        /// The connection wasn't established in time.
        case connect
        /// No data was transferred for too long.
        case inactivity
        /// The whole exchange took too long.
        case total
    }

    /// Why a peer or connection isn't trusted.
    ///
    /// None is retryable. Texts are for developers; don't compare them.
    ///
    /// ```swift
    /// if case .insecure(.pinMismatch) = error.kind { report(error) }
    /// ```
    public enum SecurityFailure: Sendable, Hashable {
        /// The certificate chain doesn't end in a trusted authority.
        case untrustedCertificate(String)
        /// The certificate is for another host.
        case hostMismatch(String)
        /// The certificate has expired or isn't valid yet.
        case certificateExpired
        /// No pinned key is in the chain.
        case pinMismatch
        /// The server requires a client certificate, or rejected the one it received.
        case clientCertificate(String)
        /// The handshake failed for another reason.
        case handshake(String)
        /// A redirect from https to http was refused.
        case downgrade(to: String)
        /// Plain http isn't allowed for this host.
        case plaintext(host: String)
        /// A certificate or key file could not be read.
        case configuration(String)
    }

    /// Why a redirect was not followed.
    public enum RedirectFailure: Sendable, Hashable {
        /// The redirects exceed the limit.
        case tooMany(limit: Int)
        /// `Location` is missing or isn't a valid URL.
        case invalidLocation(String)
        /// The request body was consumed and can't be sent again.
        case bodyNotReplayable
    }

    /// The server's messages about one field of the request.
    public struct FieldError: Sendable, Hashable {
        /// The field's name or path as the server spelled it; path components are joined by dots: `author.name`.
        public let field: String

        /// The messages, in the server's words.
        public let messages: [String]

        /// Creates a field error from the server's messages.
        public init(field: String, messages: [String]) {
            self.field = field
            self.messages = messages
        }
    }

    /// Where and why a body doesn't match the expected type.
    ///
    /// ```text
    /// field `results[3].published_at`: expected ISO 8601 date, found "yesterday"
    /// ```
    public struct DecodingFailure: Sendable, Hashable {
        /// The path to the value, such as `results[3].published_at`; empty for the whole body. Keys are spelled as
        /// sent.
        public let path: String

        /// What was expected and what was found. Values whose names look like secrets aren't quoted.
        public let reason: String

        /// The first 256 bytes of the body, with secrets redacted; `nil` if it must not be shown.
        public let snippet: String?

        /// The line of the value or syntax error in the body, from 1; `nil` if unknown.
        public let line: Int?

        /// The column in that line, in characters from 1; `nil` if unknown.
        public let column: Int?

        /// Creates a failure from the path to the value and the reason.
        public init(
            path: String, reason: String, snippet: String? = nil, position: (line: Int, column: Int)? = nil
        ) {
            self.path = path
            self.reason = reason
            self.snippet = snippet
            line = position?.line
            column = position?.column
        }
    }
}

/// The underlying error of a `.file` error if a file exists that must not be replaced.
package struct FileExists: Error, Sendable, Hashable {
    package init() {}
}
