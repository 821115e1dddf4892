import Godwit
import GodwitTesting
import Synchronization
import Testing

@Suite("Snippets of the documentation that run")
struct SnippetTests {
    @Test("README: a mock transport answers and records")
    func mock() async throws { try await ReadmeSnippets.mock() }

    @Test("Coming from AsyncHTTPClient: a mock and a real server replace the network")
    func servers() async throws {
        try await ComingFromServersSnippets.test()
        try await ComingFromServersSnippets.server()
    }

    @Test("Testing: scripted responses are used in order")
    func scripted() async throws { try await TestingSnippets.scripted() }

    @Test("Testing: a real server on loopback answers and records")
    func server() async throws { try await TestingSnippets.server() }

    @Test("Testing: a connection that is dropped is .connectionLost")
    func faults() async throws { try await TestingSnippets.faults() }

    #if os(Linux)
    @Test("Testing: a server over TLS, with bad certificates, and with client certificates")
    func secure() async throws {
        try await TestingTLSSnippets.trusted()
        try await TestingTLSSnippets.bad()
        try await TestingTLSSnippets.mutual()
    }
    #endif
    @Test("Testing: mocks encode and decode as the client does")
    func json() async throws { try await TestingSnippets.json() }

    @Test("Testing: a strict mock")
    func strict() async throws { try await TestingSnippets.strict() }

    @Test("Testing: a wait for a request")
    func waits() async throws { try await TestingSnippets.waits() }

    @Test("Testing: backoff on an immediate clock")
    func backoff() async throws { try await TestingSnippets.backoff() }

    @Test("Testing: debounce by a test clock")
    func debounce() async throws { try await TestingSnippets.debounce() }

    @Test("Testing: a peer that does not answer pings")
    func pings() async throws { try await TestingSnippets.pings() }

    @Test("Testing: a cached answer that expires")
    func expiry() async throws { try await TestingSnippets.expiry() }

    @Test("G4 X3 X4 a HAR file becomes a server, routes and a cassette as in the docs")
    func archive() async throws { try await TestingSnippets.archive() }

    @Test("Testing: a cassette records once, and replays without a server")
    func cassette() async throws { try await TestingSnippets.cassette() }

    @Test("Testing: a test moves the clock")
    func time() async throws { try await TestingSnippets.time() }

    #if os(Linux)
    @Test("M1 a log of one's own, by the public API alone, shows the fields that the engine adds and a streamed body")
    func wireLog() async throws {
        let lines = Mutex<[String]>([])
        let server = try await MockServer { $0.get("/tide").reply(json: ["tide": "ebb"]) }
        let api = APIClient(baseURL: server.url) {
            $0.attemptMiddleware.append(WireLog { line in lines.withLock { $0.append(line) } })
        }
        let response = try await api.send(HTTPRequest(url: HTTPURL("\(server.url)tide"), delivery: .streamed))
        var count = 0
        for try await chunk in response.body { count += chunk.count }
        let shown = lines.withLock { $0 }
        #expect(shown.contains { $0.hasPrefix("> Host: 127.0.0.1:") } && shown.contains("< 200"))
        #expect(count == 14 && shown.last == "< 14 bytes")
        await server.stop()
    }
    #endif

    @Test("Events: a client resumes after the last event")
    func events() async throws { try await EventSnippets.server() }
}

@Suite("Hidden parts of snippets")
struct SnippetTextTests {
    @Test("Code between hidden and shown is left out, and each part is indented like its marker")
    func regions() throws {
        let file = """
                // snippet: one
                let a = 1
                // hidden
                check {
                    // shown
                    try b()

                        .c()
                    // hidden
                }
                // end
                let other = 2
                // snippet: two
                d()
                // end
            """
        let snippets = try Snippet.inText(file)
        #expect(snippets.map(\.name) == ["one", "two"])
        #expect(snippets.map(\.text) == ["let a = 1\ntry b()\n\n    .c()", "d()"])
    }

    @Test(
        "A comment hides a part of the next line only",
        arguments: [
            ("// hidden: , over: mock\nClient(to: url, over: mock)", "Client(to: url)"),
            ("// hidden: , url\nClient(to: url, url, url)\nb, url", "Client(to: url, url)\nb, url"),
            ("Client(to: url)  // shown", "Client(to: url)  // shown"),
        ])
    func lines(line: String, shown: String) throws {
        #expect(try Snippet.inText("// snippet: a\n\(line)\n// end").map(\.text) == [shown])
    }

    @Test("A snippet that starts inside another is an error")
    func nested() {
        #expect(throws: (any Error).self) { try Snippet.inText("// snippet: a\n// snippet: b\n// end") }
    }
}
