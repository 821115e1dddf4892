public import GodwitCore

/// Carries exchanges with URLSession: the transport of Apple's systems, which knows their proxies, VPNs and policies.
///
/// One session per transport. Redirects are handed up; cookies, cache and stored credentials are off, as the middlewares
/// have their own. The system evaluates every server's certificates; nothing turns that off, and
/// ``URLSessionSettings/tls`` only adds to it.
///
/// ```swift
/// let transport = try URLSessionTransport { $0.maximumConnectionsPerHost = 8 }
/// let response = try await transport.send(HTTPRequest(url: url))
/// await transport.shutdown(.finishing)
/// ```
///
/// A transport that is let go of finishes what is under way and then invalidates its session.
///
/// It builds and runs on Linux too, for comparison; never prefer it there, where URLSession loses data and can end the
/// process. What URLSession cannot do throws `.unsupported`, before anything is sent wherever that can be known.
public final class URLSessionTransport: HTTPTransport {
    private let sessions: SessionOwner
    private let streamBuffer: Int

    /// Makes the session.
    ///
    /// Throws `.invalidRequest` for settings that cannot be, `.insecure(.configuration)` for files of TLS rules that cannot
    /// be read, and `.unsupported` for a client certificate in PEM; on Linux for every TLS rule of a single host.
    ///
    /// - Parameter configure: Changes the defaults of ``URLSessionSettings``; called once, before this returns.
    public init(_ configure: (inout URLSessionSettings) -> Void = { _ in }) throws(NetworkError) {
        var settings = URLSessionSettings()
        configure(&settings)
        if let fault = settings.fault { throw NetworkError(fault, phase: .building) }
        streamBuffer = settings.streamBuffer
        sessions = SessionOwner(settings.configuration, try SessionSecurity(settings.tls))
    }

    /// Names URLSession and the protocols that it offers by itself.
    public var engineDescription: String { Platform.description }

    /// `Host`, and how long the content is. What else the system adds, such as `Accept-Encoding`, it does not tell.
    public func addedFields(for request: HTTPRequest) -> HTTPFields { request.framingFields }

    deinit {
        sessions.abandon()
    }

    /// Sends a request over a connection that the system keeps or makes for it, as the contract of `HTTPTransport` says.
    ///
    /// CONNECT as a request, `Accept-Encoding` other than `identity`, and protocol upgrades throw `.unsupported`; on Apple's
    /// systems not that to a WebSocket, whose messages the response then holds.
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
                exchange.begin(caller)
                sessions.start(exchange)
            }
        } onCancel: {
            exchange.cancel()
        }
        return try outcome.get()
    }

    /// Returns once its exchanges have ended as the mode says and the session is invalid; later sends throw `.shutdown`.
    public func shutdown(_ mode: ShutdownMode) async {
        await sessions.shutDown(mode)
    }
}
