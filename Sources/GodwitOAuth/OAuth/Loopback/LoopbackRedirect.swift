public import GodwitCore
import GodwitSupport
import Synchronization

/// Receives the redirect of a browser sign-in on this machine (RFC 8252 section 7.3).
///
/// ```swift
/// let redirect = try LoopbackRedirect()
/// let request = try oauth.authorizationRequest(redirect: redirect.url.absoluteString)
/// print("Open", request.url)
/// let response = try await oauth.token(for: redirect.code(for: request))
/// ```
///
/// Listens on a free port of 127.0.0.1 until it receives the response. Other requests, such as one with another state,
/// path or host name, are refused. The browser shows a short page with the result.
public final class LoopbackRedirect: Sendable {
    /// The redirect URL, such as `http://127.0.0.1:40123/`.
    public let url: HTTPURL

    private let listener: Mutex<LoopbackSocket?>

    /// Starts listening.
    ///
    /// - Parameter path: The path of ``url``, if the registration requires one. `/` by default.
    /// - Throws: `.transport` if no port is free, and `.invalidURL` if the path is invalid.
    public init(path: String = "/") throws(NetworkError) {
        guard let (socket, port) = LoopbackSocket.listening() else {
            throw NetworkError(.transport(.other("127.0.0.1 has no free port")), phase: .connecting)
        }
        url = try HTTPRequest(url: "http://127.0.0.1:\(port)\(path)").url
        listener = Mutex(socket)
    }

    /// Waits for the response to a request, and stops listening. Call it once.
    ///
    /// - Parameters:
    ///   - request: The request that the browser was opened with.
    ///   - timeout: How long the person may take. 300 s by default.
    ///   - clock: Measures the timeout.
    /// - Throws: `.unauthorized` with an `OAuthError` if the server or the person refused, `.timedOut(.total)`,
    ///   `.cancelled`, `.invalidResponse` after 100 other requests, and `.invalidRequest` if it is called again or the
    ///   request has another redirect.
    public func code(
        for request: AuthorizationRequest, timeout: Duration = .seconds(300),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws(NetworkError) -> AuthorizationCode {
        guard request.redirect == url.absoluteString else {
            throw Self.misuse("the request has another redirect than this listener's")
        }
        guard let socket = listener.withLock({ $0.take() }) else {
            throw Self.misuse("the listener can receive only one response")
        }
        guard let stop = LoopbackStop() else {
            throw NetworkError(.transport(.other("no file descriptor is available")), phase: .connecting)
        }
        let timer = Task {
            try await clock.sleep(for: timeout.bounded)
            stop.stop(because: .timedOut(.total))
        }
        defer { timer.cancel() }
        let exchange = LoopbackExchange(socket, at: url, for: request, stoppedBy: stop.reading)
        let outcome = await withTaskCancellationHandler {
            await BlockingWork.run { () -> Result<AuthorizationCode, NetworkError>? in
                var exchange = exchange
                return exchange.run()
            }
        } onCancel: {
            stop.stop(because: .cancelled)
        }
        guard let outcome else { throw NetworkError(stop.reason, phase: .receiving) }
        return try outcome.get()
    }

    private static func misuse(_ reason: String) -> NetworkError {
        NetworkError(.invalidRequest(reason: reason), phase: .building)
    }
}

/// Stops an exchange, for the first reason that is given.
private final class LoopbackStop: Sendable {
    let reading: LoopbackSocket
    private let writing: LoopbackSocket
    private let first = Mutex<NetworkError.Kind?>(nil)

    init?() {
        guard let (reading, writing) = LoopbackSocket.pipe() else { return nil }
        self.reading = reading
        self.writing = writing
    }

    /// Why the exchange ended; without a reason, the system failed.
    var reason: NetworkError.Kind {
        first.withLock { $0 } ?? .transport(.connectionLost("the redirect listener failed"))
    }

    func stop(because reason: NetworkError.Kind) {
        first.withLock { $0 = $0 ?? reason }
        writing.wake()
    }
}
