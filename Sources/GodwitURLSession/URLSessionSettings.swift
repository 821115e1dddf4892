public import GodwitCore

/// The settings of a ``URLSessionTransport``. Copied when the transport is created.
///
/// ```swift
/// let transport = try URLSessionTransport {
///     $0.maximumConnectionsPerHost = 8
///     $0.adjust = { $0.httpAdditionalHeaders = ["X-Lab": "1"] }
/// }
/// ```
public struct URLSessionSettings: Sendable {
    /// Connection limits. URLSession only supports `ConnectionPolicy.maximumPerHost`.
    public var connections = ConnectionPolicy()

    /// Maximum connections to one host; further requests wait. The same as `ConnectionPolicy.maximumPerHost`. `nil`
    /// (the default) means the system's limit: six on macOS, four on iOS.
    public var maximumConnectionsPerHost: Int? {
        get { connections.maximumPerHost }
        set { connections.maximumPerHost = newValue }
    }

    /// The bytes of a streamed response that may wait for their reader. On Apple platforms, 512 KiB by default; more
    /// pause the server. On Linux, 64 MiB; pausing isn't possible, so more end the exchange with `.unsupported`.
    public var streamBuffer = Platform.streamBuffer

    /// TLS rules for hosts, in addition to the system's evaluation.
    ///
    /// Client certificates must be in PKCS #12. On Linux, every rule makes the initializer throw `.unsupported`.
    public var tls = TLSConfiguration()

    /// Changes the configuration before the session is created, for example for proxies. `nil` by default.
    ///
    /// Middlewares and request options handle cookies, cache, stored credentials and timeouts: changes to them are
    /// reverted, as is a minimum TLS version below 1.2.
    public var adjust: (@Sendable (URLSessionConfiguration) -> Void)?

    /// Creates settings with default values.
    public init() {}

    /// Why the settings are invalid; `nil` if they are valid.
    var fault: NetworkError.Kind? {
        do throws(NetworkError) {
            try tls.validate()
        } catch {
            return error.kind
        }
        if let fault = connections.fault { return .invalidRequest(reason: fault) }
        if streamBuffer < 1 { return .invalidRequest(reason: "streamBuffer must be at least 1 byte") }
        return nil
    }

    /// The configuration of a session, with everything off that this library handles.
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

    /// This library enforces time limits, with millisecond precision. The system's limit is a week, in seconds.
    static let never: Double = 604_800
}
