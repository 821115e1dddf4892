import Testing

@Suite("The snippets of the documentation do what is said of them")
struct SnippetTests {
    @Test("README: a mock transport answers and records")
    func mock() async throws { try await ReadmeSnippets.mock() }

    @Test("Testing: scripted answers come in their order")
    func scripted() async throws { try await TestingSnippets.scripted() }

    @Test("Testing: a real server on loopback answers and records")
    func server() async throws { try await TestingSnippets.server() }

    @Test("Testing: a connection that is dropped is .connectionLost")
    func faults() async throws { try await TestingSnippets.faults() }

    @Test("Testing: a cassette records once, and replays without a server")
    func cassette() async throws { try await TestingSnippets.cassette() }

    @Test("Testing: a test moves the clock")
    func time() async throws { try await TestingSnippets.time() }

    @Test("Events: a client resumes behind the last event")
    func events() async throws { try await EventSnippets.server() }
}
