extension APIClient {
    /// Creates a client with the platform's transport: URLSession on Apple platforms, `SocketTransport` on Linux.
    ///
    /// ```swift
    /// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.timeouts.total = .seconds(30) }
    /// ```
    ///
    /// If the transport can't start, every call throws the reason. The transport uses `connections`, `tls` and `pins`
    /// of the configuration. For proxies and other settings of one engine, create a transport and use the initializer
    /// with it.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL for the paths of endpoints: a string, a `URL` or an `HTTPURL`. If it isn't a valid
    ///     URL, the first call throws `.invalidURL`.
    ///   - preset: The configuration to start from.
    ///   - configure: Changes the configuration. Its errors are rethrown; if it doesn't throw, no `try` is needed:
    ///
    /// ```swift
    /// let api = try APIClient(baseURL: "https://api.example.com/v1") { $0.cache = try .disk(folder) }
    /// ```
    public convenience init<Failure: Error>(
        baseURL: some HTTPURLConvertible, preset: ClientConfiguration = .default,
        configure: (inout ClientConfiguration) throws(Failure) -> Void
    ) throws(Failure) {
        var configuration = preset
        try configure(&configuration)
        self.init(baseURL: baseURL, preset: configuration)
    }

    /// Creates a client with the platform's transport and a configuration.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL for the paths of endpoints: a string, a `URL` or an `HTTPURL`. If it isn't a valid
    ///     URL, the first call throws `.invalidURL`.
    ///   - configuration: The configuration.
    public convenience init(
        baseURL: some HTTPURLConvertible, preset configuration: ClientConfiguration = .default
    ) {
        self.init(
            Result { () throws(InvalidURL) in try baseURL.httpURL() }, PlatformTransport(configuration),
            Platform.completed(configuration))
    }
}

extension APIClient {
    /// Creates a client for an environment with the platform's transport, and changes its configuration.
    ///
    /// The closure starts from the defaults with the environment's log level.
    ///
    /// ```swift
    /// let api = APIClient(try catalogue.selected()) { $0.timeouts.total = .seconds(30) }
    /// ```
    ///
    /// - Parameters:
    ///   - environment: The base URL and log level, for example from ``EnvironmentCatalogue/selected(variables:)``. If
    ///     the base URL is invalid, the first call throws `.invalidURL`.
    ///   - configure: Changes the configuration. Its errors are rethrown.
    public convenience init<Failure: Error>(
        _ environment: APIEnvironment, configure: (inout ClientConfiguration) throws(Failure) -> Void
    ) throws(Failure) {
        try self.init(
            baseURL: environment.baseURL, preset: ClientConfiguration(environment), configure: configure)
    }

    /// Creates a client for an environment with the platform's transport.
    ///
    /// - Parameter environment: The base URL and log level, for example from
    ///   ``EnvironmentCatalogue/selected(variables:)``. If the base URL is invalid, the first call throws
    ///   `.invalidURL`.
    public convenience init(_ environment: APIEnvironment) {
        self.init(baseURL: environment.baseURL, preset: ClientConfiguration(environment))
    }
}

/// The platform's transport, or the reason why it couldn't start.
struct PlatformTransport: HTTPTransport {
    private let engine: Result<any HTTPTransport, NetworkError>

    init(_ configuration: ClientConfiguration) {
        engine = Result { () throws(NetworkError) in try Platform.makeTransport(configuration) }
    }

    var engineDescription: String {
        switch engine {
        case .success(let engine): engine.engineDescription
        case .failure(let error): "no engine: \(error)"
        }
    }

    func addedFields(for request: HTTPRequest) -> HTTPFields {
        (try? engine.get())?.addedFields(for: request) ?? [:]
    }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        try await engine.get().send(request)
    }

    func forwardsLoopback(_ origin: Origin) -> Bool { (try? engine.get())?.forwardsLoopback(origin) ?? false }

    func connectionCounts() async -> ConnectionCounts? { await (try? engine.get())?.connectionCounts() }

    func warmUp(_ url: HTTPURL, connections: Int) async throws(NetworkError) {
        try await engine.get().warmUp(url, connections: connections)
    }

    func shutdown(_ mode: ShutdownMode) async {
        if case .success(let engine) = engine { await engine.shutdown(mode) }
    }
}
