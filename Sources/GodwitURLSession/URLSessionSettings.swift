public import GodwitCore

/// How a ``URLSessionTransport`` reaches servers. Copied when the transport is made; later changes have no effect on it.
///
/// ```swift
/// let transport = try URLSessionTransport {
///     $0.maximumConnectionsPerHost = 8
///     $0.adjust = { $0.httpAdditionalHeaders = ["X-Lab": "1"] }
/// }
/// ```
public struct URLSessionSettings: Sendable {
    /// Limits of connections. URLSession regards ``ConnectionPolicy/maximumPerHost`` alone and decides about the rest itself.
    public var connections = ConnectionPolicy()

    /// Maximum connections to one host at once; further requests wait. The same as ``ConnectionPolicy/maximumPerHost``. `nil`
    /// (the default) leaves it to the system: six on macOS, four on iOS.
    public var maximumConnectionsPerHost: Int? {
        get { connections.maximumPerHost }
        set { connections.maximumPerHost = newValue }
    }

    /// The bytes of a streamed response that may wait for their reader. 512 KiB by default on Apple's systems, where more
    /// slow the server; 64 MiB on Linux, where nothing can, and more end the exchange with `.unsupported`.
    public var streamBuffer = Platform.streamBuffer

    /// Rules for the TLS of single hosts, on top of the system's own evaluation.
    ///
    /// Client certificates have to be in PKCS #12. On Linux every rule makes the transport's initializer throw
    /// `.unsupported`.
    public var tls = TLSConfiguration()

    /// Changes the session's configuration before the session is made, as for proxies; nil by default.
    ///
    /// Cookies, cache, stored credentials and timeouts are the business of middlewares and of the request's options:
    /// what is set about them is undone. So is a minimum TLS version below 1.2.
    public var adjust: (@Sendable (URLSessionConfiguration) -> Void)?

    /// Makes the defaults.
    public init() {}

    /// Why no transport can be made of this, or nil.
    var fault: NetworkError.Kind? {
        do throws(NetworkError) {
            try tls.validate()
        } catch {
            return error.kind
        }
        if let fault = connections.fault { return .invalidRequest(reason: fault) }
        if streamBuffer < 1 { return .invalidRequest(reason: "a stream needs room for at least one byte") }
        return nil
    }

    /// The configuration of a session that leaves to us what is ours.
    var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        if let maximumConnectionsPerHost { configuration.httpMaximumConnectionsPerHost = maximumConnectionsPerHost }
        Platform.prepare(configuration)
        adjust?(configuration)
        Platform.enforce(configuration)
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = Self.never
        configuration.timeoutIntervalForResource = Self.never
        return configuration
    }

    /// Deadlines are ours, on every system to the millisecond. A week, in seconds, is never.
    static let never: Double = 604_800
}
