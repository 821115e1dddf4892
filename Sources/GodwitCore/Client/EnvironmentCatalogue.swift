/// The environments an app knows, and the choice between them.
///
/// ```swift
/// let catalogue = EnvironmentCatalogue(
///     [.development("http://localhost:8080"), .staging("https://staging.example.com"),
///      .production("https://api.example.com")],
///     default: "production")
/// let api = APIClient(try catalogue.selected(), transport: transport)
/// ```
///
/// The `API_ENVIRONMENT` variable chooses first, then, on Apple's platforms, the `API_ENVIRONMENT` key of Info.plist,
/// then the default. Names are compared without case.
public struct EnvironmentCatalogue: Sendable, Hashable, Nonisolated {
    /// The name of the variable, and of the key in Info.plist.
    public static let key = "API_ENVIRONMENT"

    /// All environments.
    public let environments: [APIEnvironment]

    private let defaultName: String?

    /// Makes a catalogue.
    ///
    /// - Parameter name: The one that is chosen where nothing else chooses; the first, where it is nil.
    ///
    /// The base URLs are not checked here.
    public init(_ environments: [APIEnvironment], default name: String? = nil) {
        self.environments = environments
        defaultName = name ?? environments.first?.name
    }

    /// Reads a catalogue from a JSON file.
    ///
    /// ```json
    /// {"default": "staging",
    ///  "environments": [{"name": "staging", "baseURL": "https://staging.example.com", "logLevel": "basic"}]}
    /// ```
    ///
    /// Throws `.file` where it cannot be read, `.decoding` where it is something else.
    ///
    /// - Parameter file: The file, in UTF-8.
    public init(contentsOf file: URL) throws(NetworkError) {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw NetworkError(
                .file(reason: "cannot read \(file.lastPathComponent): \(error)"), phase: .building, underlying: error)
        }
        let content = try JSONCoding().decode(Content.self, from: data)
        self.init(content.environments, default: content.default)
    }

    private struct Content: Decodable {
        let `default`: String?
        let environments: [APIEnvironment]
    }

    /// The environment that is chosen here and now.
    ///
    /// - Parameter variables: The process's environment variables.
    ///
    /// Throws `.invalidURL` for a name that is not in the catalogue, with the names that are.
    ///
    /// An empty value counts as none.
    public func selected(
        variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws(NetworkError) -> APIEnvironment {
        try environment(named: chosenName(variables) ?? "")
    }

    private func chosenName(_ variables: [String: String]) -> String? {
        let candidates = [variables[Self.key], InfoPlist.text(Self.key), defaultName]
        return candidates.lazy.compactMap(\.self).first { !$0.isEmpty }
    }

    /// The environment of a name; throws `.invalidURL` where there is none, with the names there are.
    ///
    /// - Parameter name: Compared without case; of several environments with one name the first is returned.
    public func environment(named name: String) throws(NetworkError) -> APIEnvironment {
        if let found = environments.first(where: { $0.name.equalsIgnoringASCIICase(name) }) { return found }
        let known = environments.map(\.name).joined(separator: ", ")
        let reason = "there is no environment \"\(name)\"; known are: \(known.isEmpty ? "none" : known)"
        throw NetworkError(.invalidURL(reason: reason), phase: .building)
    }
}
