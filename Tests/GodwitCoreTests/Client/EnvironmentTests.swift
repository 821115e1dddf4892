import GodwitCore
import TestSupport
import Testing

@Suite("U11 environments", .timeLimit(.minutes(15)))
struct EnvironmentTests {
    private let folder = TemporaryFolder()

    private let catalogue = EnvironmentCatalogue(
        [
            .development("http://localhost:8080"), .staging("https://staging.example.com", logLevel: .headers),
            .production("https://api.example.com"),
        ], default: "production")

    @Test(
        "U11 the variable selects, ignoring case; without it, the default is used",
        arguments: [
            (["API_ENVIRONMENT": "staging"], "https://staging.example.com"),
            (["API_ENVIRONMENT": "Development"], "http://localhost:8080"),
            (["API_ENVIRONMENT": ""], "https://api.example.com"),
            (["OTHER": "staging"], "https://api.example.com"), ([:], "https://api.example.com"),
        ])
    func selection(variables: [String: String], baseURL: String) throws {
        #expect(try catalogue.selected(variables: variables).baseURL == baseURL)
    }

    @Test("U11 an unknown name throws an error that lists the known names")
    func unknown() throws {
        let error = try #require(throws: NetworkError.self) {
            try catalogue.selected(variables: ["API_ENVIRONMENT": "prod"])
        }
        #expect(
            error.kind
                == .invalidURL(reason: "unknown environment \"prod\"; known: development, staging, production"))
    }

    @Test("U11 an empty catalogue, or a default that isn't in it, throws")
    func empty() {
        #expect(throws: NetworkError.self) { try EnvironmentCatalogue([]).selected(variables: [:]) }
        #expect(throws: NetworkError.self) {
            try EnvironmentCatalogue([.staging("https://a.com")], default: "x").selected(variables: [:])
        }
    }

    private func file(_ text: String) throws -> URL {
        try folder.file("environments.json", Data(text.utf8))
    }

    @Test("U11 a configuration file lists the environments and the default")
    func configFile() throws {
        let catalogue = try EnvironmentCatalogue(
            contentsOf: try file(
                #"""
                {"default": "b", "environments": [
                    {"name": "a", "baseURL": "https://a.com"},
                    {"name": "b", "baseURL": "https://b.com", "logLevel": "basic"}]}
                """#
            ))
        let chosen = try catalogue.selected(variables: [:])
        #expect(chosen == APIEnvironment(name: "b", baseURL: "https://b.com", logLevel: .basic))
        #expect(try catalogue.selected(variables: ["API_ENVIRONMENT": "a"]).logLevel == .off)
    }

    @Test("U11 a missing or invalid configuration file throws a clear error")
    func badConfigFile() throws {
        let missing = try #require(throws: NetworkError.self) {
            try EnvironmentCatalogue(contentsOf: URL(filePath: "/nowhere/env.json"))
        }
        #expect(missing.shortDescription == "file")
        let wrong = try #require(throws: NetworkError.self) {
            try EnvironmentCatalogue(contentsOf: try file(#"{"environments":[{"name":"a"}]}"#))
        }
        #expect(wrong.description == "field `environments[0].baseURL`: expected a value, found nothing")
    }

    @Test("U11 a client uses the base URL and log level of its environment")
    func client() async throws {
        let messages = Collected<String>()
        let transport = ScriptedTransport()
        let api = APIClient(try catalogue.environment(named: "staging"), transport: transport) {
            $0.logging.destination = { messages.append($0) }
        }
        try await api.send(Endpoint<Void>.get("a"))
        #expect(transport.requests.first?.url.absoluteString == "https://staging.example.com/a")
        #expect(messages.values.first?.contains("Accept: */*") == true)
    }
}
