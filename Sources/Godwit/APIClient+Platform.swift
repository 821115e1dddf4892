extension APIClient {
    /// Makes a client over this platform's own transport: URLSession on Apple's systems, libcurl on Linux.
    ///
    /// ```swift
    /// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.timeouts.total = .seconds(30) }
    /// ```
    ///
    /// If the transport cannot start, every call throws the reason. `connections`, `tls` and `pins` of the configuration reach
    /// the transport. For proxies and other settings of one engine, make a transport and use the initializer that takes one.
    ///
    /// - Parameters:
    ///   - baseURL: Where the paths of endpoints begin: a string, a `URL` or an `HTTPURL`. Text that is no URL is
    ///     reported by the first call, as `.invalidURL`.
    ///   - preset: The configuration to start from.
    ///   - configure: Changes it. What it throws is thrown, and nothing else; where it throws nothing, no `try` is
    ///     needed:
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

    /// Makes a client over this platform's own transport, as a configuration says.
    ///
    /// - Parameters:
    ///   - baseURL: Where the paths of endpoints begin: a string, a `URL` or an `HTTPURL`. Text that is no URL is
    ///     reported by the first call, as `.invalidURL`.
    ///   - configuration: What the client does for every call.
    public convenience init(
        baseURL: some HTTPURLConvertible, preset configuration: ClientConfiguration = .default
    ) {
        self.init(
            Result { () throws(InvalidURL) in try baseURL.httpURL() }, PlatformTransport(configuration),
            Platform.completed(configuration))
    }
}

extension APIClient {
    /// Makes a client for an environment over this platform's own transport, and changes its configuration.
    ///
    /// The closure starts from the defaults with the environment's log level; what it sets wins.
    ///
    /// ```swift
    /// let api = APIClient(try catalogue.selected()) { $0.timeouts.total = .seconds(30) }
    /// ```
    ///
    /// - Parameters:
    ///   - environment: The base URL and log level, such as ``EnvironmentCatalogue/selected(variables:)`` returns. If the base
    ///     URL is not a URL, the first call throws `.invalidURL`.
    ///   - configure: Changes the configuration. What it throws is thrown, and nothing else.
    public convenience init<Failure: Error>(
        _ environment: APIEnvironment, configure: (inout ClientConfiguration) throws(Failure) -> Void
    ) throws(Failure) {
        try self.init(
            baseURL: environment.baseURL, preset: ClientConfiguration(environment), configure: configure)
    }

    /// Makes a client for an environment over this platform's own transport, with its base URL and log level.
    ///
    /// - Parameter environment: Such as ``EnvironmentCatalogue/selected(variables:)`` returns. If its base URL is not a URL,
    ///   the first call throws `.invalidURL`.
    public convenience init(_ environment: APIEnvironment) {
        self.init(baseURL: environment.baseURL, preset: ClientConfiguration(environment))
    }
}

/// The platform's transport, or the reason why there is none.
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

    func warmUp(_ url: HTTPURL, connections: Int) async throws(NetworkError) {
        try await engine.get().warmUp(url, connections: connections)
    }

    func shutdown(_ mode: ShutdownMode) async {
        if case .success(let engine) = engine { await engine.shutdown(mode) }
    }
}
