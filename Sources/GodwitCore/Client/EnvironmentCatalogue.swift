import GodwitSupport

/// The environments that an app can use, and the rules that select one.
///
/// ```swift
/// let catalogue = EnvironmentCatalogue(
///     [.development("http://localhost:8080"), .staging("https://staging.example.com"),
///      .production("https://api.example.com")],
///     default: "production")
/// let api = APIClient(try catalogue.selected(), transport: transport)
/// ```
///
/// The `API_ENVIRONMENT` environment variable selects first, then, on Apple platforms, the `API_ENVIRONMENT` key of
/// Info.plist, then the default. Names are compared case-insensitively.
public struct EnvironmentCatalogue: Sendable, Hashable, Nonisolated {
    /// The name of the environment variable and of the Info.plist key.
    public static let key = "API_ENVIRONMENT"

    /// All environments.
    public let environments: [APIEnvironment]

    private let defaultName: String?

    /// Creates a catalogue of environments. Base URLs aren't validated here.
    ///
    /// - Parameters:
    ///   - environments: All environments.
    ///   - name: The environment to use if nothing else selects one. `nil` (the default) means the first.
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
    /// Throws `.file` if it can't be read, and `.decoding` if its contents aren't a catalogue.
    ///
    /// - Parameter file: A JSON file in UTF-8.
    public init(contentsOf file: URL) throws(NetworkError) {
        let data: Data
        do throws(StreamDescriptor.Fault) {
            data = Data(try StreamDescriptor.contents(of: file.path))
        } catch {
            throw StreamedFile.error(error, "cannot read", file.lastPathComponent, .building)
        }
        let content = try JSONCoding().decode(Content.self, from: data)
        self.init(content.environments, default: content.default)
    }

    private struct Content: Decodable {
        let `default`: String?
        let environments: [APIEnvironment]
    }

    /// Returns the selected environment. An empty variable or key counts as missing.
    ///
    /// Throws `.invalidURL` if the name isn't in the catalogue. The error lists the names that are.
    ///
    /// - Parameter variables: The process's environment variables.
    public func selected(
        variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws(NetworkError) -> APIEnvironment {
        try environment(named: chosenName(variables) ?? "")
    }

    private func chosenName(_ variables: [String: String]) -> String? {
        let candidates = [variables[Self.key], InfoPlist.text(Self.key), defaultName]
        return candidates.lazy.compactMap(\.self).first { !$0.isEmpty }
    }

    /// Returns the environment with a name. Throws `.invalidURL` if there isn't one; the error lists all names.
    ///
    /// - Parameter name: Compared case-insensitively. If several environments have the name, the first is returned.
    public func environment(named name: String) throws(NetworkError) -> APIEnvironment {
        if let found = environments.first(where: { $0.name.equalsIgnoringASCIICase(name) }) { return found }
        let known = environments.map(\.name).joined(separator: ", ")
        let reason = "unknown environment \"\(name)\"; known: \(known.isEmpty ? "none" : known)"
        throw NetworkError(.invalidURL(reason: reason), phase: .building)
    }
}
