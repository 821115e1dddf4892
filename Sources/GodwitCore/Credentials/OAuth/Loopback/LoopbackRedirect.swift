import Synchronization

/// Waits on this machine for the answer of a sign-in in the browser (RFC 8252 section 7.3).
///
/// ```swift
/// let redirect = try LoopbackRedirect()
/// let request = try oauth.authorizationRequest(redirect: redirect.url.absoluteString)
/// print("Open", request.url)
/// let response = try await oauth.token(for: redirect.code(for: request))
/// ```
///
/// It listens on a free port of 127.0.0.1, takes one answer, and is gone. What is not the answer, such as a request with
/// another state, for another path or under another host's name, is turned away, and the wait goes on. The browser
/// shows a short page that says how it went.
public final class LoopbackRedirect: Sendable {
    /// Where the browser is to be sent back to: `http://127.0.0.1:40123/`.
    public let url: HTTPURL

    private let listener: Mutex<LoopbackSocket?>

    /// Listens.
    ///
    /// Throws `.transport` where no port is free, and `.invalidURL` for a path that cannot be in a URL.
    ///
    /// - Parameter path: The path of ``url``, for servers where one is registered.
    public init(path: String = "/") throws(NetworkError) {
        guard let (socket, port) = LoopbackSocket.listening() else {
            throw NetworkError(.transport(.other("no port of 127.0.0.1 is free")), phase: .connecting)
        }
        do throws(InvalidURL) {
            url = try HTTPURL("http://127.0.0.1:\(port)\(path)")
        } catch {
            throw NetworkError(.invalidURL(reason: error.reason), phase: .building, underlying: error)
        }
        listener = Mutex(socket)
    }

    /// Waits for the answer to a request, and stops listening. Can be called once.
    ///
    /// Throws `.unauthorized` with an ``OAuthError`` where the server or the person refused, `.timedOut(.total)`,
    /// `.cancelled`, `.invalidResponse` after 100 requests that were not the answer, and `.invalidRequest` when it is
    /// called again, or for a request with another redirect.
    ///
    /// - Parameters:
    ///   - request: What the browser was sent with.
    ///   - timeout: How long the person may take.
    ///   - clock: What measures it.
    public func code(
        for request: AuthorizationRequest, timeout: Duration = .seconds(300),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws(NetworkError) -> AuthorizationCode {
        guard request.redirect == url.absoluteString else {
            throw Self.misuse("the request has another redirect than this listener's")
        }
        guard let socket = listener.withLock({ $0.take() }) else { throw Self.misuse("the listener takes one answer") }
        guard let stop = LoopbackStop() else {
            throw NetworkError(.transport(.other("no descriptor is left")), phase: .connecting)
        }
        let timer = Task {
            try await clock.sleep(for: timeout)
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

/// Ends a wait, for the first reason that comes.
private final class LoopbackStop: Sendable {
    let reading: LoopbackSocket
    private let writing: LoopbackSocket
    private let first = Mutex<NetworkError.Kind?>(nil)

    init?() {
        guard let (reading, writing) = LoopbackSocket.pipe() else { return nil }
        self.reading = reading
        self.writing = writing
    }

    /// Why; a wait that the system ended counts as lost.
    var reason: NetworkError.Kind {
        first.withLock { $0 } ?? .transport(.connectionLost("the redirect listener failed"))
    }

    func stop(because reason: NetworkError.Kind) {
        first.withLock { $0 = $0 ?? reason }
        writing.wake()
    }
}
