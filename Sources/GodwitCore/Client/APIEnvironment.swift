/// Where an app's API is, such as in production or on a developer's machine, and how much is logged there.
///
/// ```swift
/// let environment = APIEnvironment(name: "local", baseURL: "http://localhost:8080", logLevel: .headers)
/// let api = APIClient(environment, transport: transport)
/// ```
public struct APIEnvironment: Sendable, Hashable, Nonisolated {
    /// The name by which it is chosen, such as `staging`.
    public let name: String

    /// The base URL of a client for it.
    ///
    /// Not checked here: text that is no URL makes the first call throw `.invalidURL`.
    public let baseURL: String

    /// How much a client for it logs; nothing, unless said otherwise.
    public let logLevel: LogLevel

    /// Makes an environment.
    ///
    /// - Parameters:
    ///   - name: What it is chosen by, compared without case.
    ///   - baseURL: Where its API is.
    ///   - logLevel: How much a client for it logs.
    public init(name: String, baseURL: String, logLevel: LogLevel = .off) {
        self.name = name
        self.baseURL = baseURL
        self.logLevel = logLevel
    }

    /// An environment called `development`, which logs one line for each request and outcome.
    ///
    /// - Parameters:
    ///   - baseURL: Where its API is.
    ///   - logLevel: How much a client for it logs.
    public static func development(_ baseURL: String, logLevel: LogLevel = .basic) -> APIEnvironment {
        APIEnvironment(name: "development", baseURL: baseURL, logLevel: logLevel)
    }

    /// An environment called `staging`.
    ///
    /// - Parameters:
    ///   - baseURL: Where its API is.
    ///   - logLevel: How much a client for it logs.
    public static func staging(_ baseURL: String, logLevel: LogLevel = .off) -> APIEnvironment {
        APIEnvironment(name: "staging", baseURL: baseURL, logLevel: logLevel)
    }

    /// An environment called `production`.
    ///
    /// - Parameters:
    ///   - baseURL: Where its API is.
    ///   - logLevel: How much a client for it logs.
    public static func production(_ baseURL: String, logLevel: LogLevel = .off) -> APIEnvironment {
        APIEnvironment(name: "production", baseURL: baseURL, logLevel: logLevel)
    }
}

extension APIEnvironment: Decodable {
    private enum CodingKeys: CodingKey {
        case name, baseURL, logLevel
    }

    /// Reads `name` and `baseURL`, and `logLevel` where it is there.
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
    /// Makes a client for an environment: with its base URL and its log level.
    ///
    /// - Parameters:
    ///   - environment: What the catalogue selected.
    ///   - transport: What carries requests.
    ///   - configure: Changes the configuration; what it says about logging wins, and what it throws is thrown.
    public convenience init<Failure: Error>(
        _ environment: APIEnvironment, transport: some HTTPTransport,
        configure: (inout ClientConfiguration) throws(Failure) -> Void
    ) throws(Failure) {
        try self.init(
            baseURL: environment.baseURL, transport: transport, preset: ClientConfiguration(environment),
            configure: configure)
    }

    /// Makes a client for an environment, with its base URL and its log level and else the defaults.
    ///
    /// - Parameters:
    ///   - environment: What the catalogue selected.
    ///   - transport: What carries requests.
    public convenience init(_ environment: APIEnvironment, transport: any HTTPTransport) {
        self.init(
            baseURL: environment.baseURL, transport: transport, preset: ClientConfiguration(environment))
    }
}
