extension APIClient {
    /// Makes a client over this platform's own transport: URLSession on Apple's systems, libcurl on Linux.
    ///
    /// ```swift
    /// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.timeouts.total = .seconds(30) }
    /// ```
    ///
    /// Where the transport cannot start, every call throws the reason. To choose proxies or limits of connections, make
    /// a transport and use the initialiser that takes one.
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

/// The platform's transport, or the reason why there is none.
struct PlatformTransport: HTTPTransport {
    private let engine: Result<any HTTPTransport, NetworkError>

    init(_ configuration: ClientConfiguration) {
        engine = Result { () throws(NetworkError) in try Platform.makeTransport(configuration) }
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
