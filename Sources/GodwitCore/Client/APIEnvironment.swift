/// The base URL of an app's API, such as in production or on a developer's machine, and how much to log there.
///
/// ```swift
/// let environment = APIEnvironment(name: "local", baseURL: "http://localhost:8080", logLevel: .headers)
/// let api = APIClient(environment, transport: transport)
/// ```
public struct APIEnvironment: Sendable, Hashable, Nonisolated {
    /// The name that selects it, such as `staging`.
    public let name: String

    /// The API's base URL.
    ///
    /// It isn't validated here: if it isn't a valid URL, the first call throws `.invalidURL`.
    public let baseURL: String

    /// How much a client logs. ``LogLevel/off`` by default.
    public let logLevel: LogLevel

    /// Creates an environment from its name and base URL.
    ///
    /// - Parameters:
    ///   - name: The name that selects it, compared case-insensitively.
    ///   - baseURL: The API's base URL.
    ///   - logLevel: How much a client logs.
    public init(name: String, baseURL: String, logLevel: LogLevel = .off) {
        self.name = name
        self.baseURL = baseURL
        self.logLevel = logLevel
    }

    /// An environment named `development`, which logs one line per request and outcome.
    ///
    /// - Parameters:
    ///   - baseURL: The API's base URL.
    ///   - logLevel: How much a client logs.
    public static func development(_ baseURL: String, logLevel: LogLevel = .basic) -> APIEnvironment {
        APIEnvironment(name: "development", baseURL: baseURL, logLevel: logLevel)
    }

    /// An environment named `staging`.
    ///
    /// - Parameters:
    ///   - baseURL: The API's base URL.
    ///   - logLevel: How much a client logs.
    public static func staging(_ baseURL: String, logLevel: LogLevel = .off) -> APIEnvironment {
        APIEnvironment(name: "staging", baseURL: baseURL, logLevel: logLevel)
    }

    /// An environment named `production`.
    ///
    /// - Parameters:
    ///   - baseURL: The API's base URL.
    ///   - logLevel: How much a client logs.
    public static func production(_ baseURL: String, logLevel: LogLevel = .off) -> APIEnvironment {
        APIEnvironment(name: "production", baseURL: baseURL, logLevel: logLevel)
    }
}

extension APIEnvironment: Decodable {
    private enum CodingKeys: CodingKey {
        case name, baseURL, logLevel
    }

    /// Decodes `name`, `baseURL` and an optional `logLevel`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            baseURL: try container.decode(String.self, forKey: .baseURL),
            logLevel: try container.decodeIfPresent(LogLevel.self, forKey: .logLevel) ?? .off)
    }
}

extension ClientConfiguration {
    /// The default configuration with an environment's log level.
    ///
    /// - Parameter environment: The environment.
    public init(_ environment: APIEnvironment) {
        self.init()
        logging.level = environment.logLevel
    }
}

extension APIClient {
    /// Creates a client with an environment's base URL and log level, and adjusts its configuration in a closure.
    ///
    /// - Parameters:
    ///   - environment: The environment, such as a catalogue's selection.
    ///   - transport: Sends the requests.
    ///   - configure: Changes the configuration, including the log level. Errors that it throws are rethrown.
    public convenience init<Failure: Error>(
        _ environment: APIEnvironment, transport: some HTTPTransport,
        configure: (inout ClientConfiguration) throws(Failure) -> Void
    ) throws(Failure) {
        try self.init(
            baseURL: environment.baseURL, transport: transport, preset: ClientConfiguration(environment),
            configure: configure)
    }

    /// Creates a client with an environment's base URL and log level, and default settings otherwise.
    ///
    /// - Parameters:
    ///   - environment: The environment, such as a catalogue's selection.
    ///   - transport: Sends the requests.
    public convenience init(_ environment: APIEnvironment, transport: any HTTPTransport) {
        self.init(
            baseURL: environment.baseURL, transport: transport, preset: ClientConfiguration(environment))
    }
}
