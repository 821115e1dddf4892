public import GodwitCore

/// A transport based on URLSession, for Apple platforms. Supports the system's proxies, VPNs and policies.
///
/// Uses one session. Redirects are returned; cookies, cache and stored credentials are off, because middlewares handle
/// them. The system evaluates every server's certificates; this can't be turned off, and ``URLSessionSettings/tls``
/// only adds rules.
///
/// ```swift
/// let transport = try URLSessionTransport { $0.maximumConnectionsPerHost = 8 }
/// let response = try await transport.send(HTTPRequest(url: url))
/// await transport.shutdown(.finishing)
/// ```
///
/// Releasing a transport lets exchanges in progress finish and then invalidates its session.
///
/// On Linux it exists for comparison only: URLSession there loses data and can crash the process. Features that
/// URLSession doesn't support throw `.unsupported`, if possible before anything is sent.
public final class URLSessionTransport: HTTPTransport {
    private let sessions: SessionOwner
    private let streamBuffer: Int

    /// Creates a transport with a session of its own.
    ///
    /// Throws `.invalidRequest` for invalid settings, `.insecure(.configuration)` for TLS files that can't be read, and
    /// `.unsupported` for a client certificate in PEM, on Linux for every TLS rule.
    ///
    /// - Parameter configure: Changes the default ``URLSessionSettings``. Called once, immediately.
    public init(_ configure: (inout URLSessionSettings) -> Void = { _ in }) throws(NetworkError) {
        var settings = URLSessionSettings()
        configure(&settings)
        if let fault = settings.fault { throw NetworkError(fault, phase: .building) }
        streamBuffer = settings.streamBuffer
        sessions = SessionOwner(settings.configuration, try SessionSecurity(settings.tls))
    }

    /// The name of the engine and its protocols.
    public var engineDescription: String { Platform.description }

    /// `Host` and `Content-Length`. Other fields that the system adds, such as `Accept-Encoding`, aren't known.
    public func addedFields(for request: HTTPRequest) -> HTTPFields { request.framingFields }

    deinit {
        sessions.abandon()
    }

    /// Sends a request, according to the contract of `HTTPTransport`.
    ///
    /// CONNECT, `Accept-Encoding` other than `identity`, and protocol upgrades throw `.unsupported`. On Apple
    /// platforms, upgrades to WebSocket are supported; the response contains the messages.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let exchange: Exchange
        do throws(NetworkError) {
            exchange = Exchange(request, try RequestConversion.urlRequest(for: request), streamBuffer: streamBuffer)
        } catch {
            throw NetworkError(error.kind, phase: .building, request: request)
        }
        guard sessions.delegate.admit(exchange) else {
            throw NetworkError(.shutdown, phase: .building, request: request)
        }
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { caller in
                exchange.start(caller)
                sessions.start(exchange)
            }
        } onCancel: {
            exchange.cancel()
        }
        return try outcome.get()
    }

    /// Returns when all exchanges have ended according to the mode and the session is invalid. Later sends throw
    /// `.shutdown`.
    public func shutdown(_ mode: ShutdownMode) async {
        await sessions.shutDown(mode)
    }
}
