import Godwit
import GodwitCommand
import GodwitTesting
import Testing

@Suite("G1 godwit sse", .timeLimit(.minutes(15)))
struct EventsTests {
    private static let events = [
        ServerSentEvent(data: "one", id: "1", retry: .zero), ServerSentEvent(data: "two\nlines \"q\"", type: "note"),
    ]

    private func server(_ replies: [MockResponse]) async throws -> MockServer {
        try await MockServer { $0.any("*").replies(replies) }
    }

    @Test(
        "G1 sse prints the data of each event on a line, and succeeds after a 204",
        arguments: ["sse", "events"])
    func plain(name: String) async throws {
        let server = try await server([.events(Self.events), .status(.noContent)])
        let run = await Run.godwit(name, "\(server.url)live", "page==2", "X-Key:k", clock: HastyClock())
        #expect(run.code == .success)
        #expect(run.output == "one\ntwo\nlines \"q\"\n")
        #expect(server.requests.map(\.lastEventID) == [nil, "1"])
        #expect(server.requests.map(\.target) == ["/live?page=2", "/live?page=2"])
        #expect(server.requests.allSatisfy { $0.fields["X-Key"] == "k" && $0.fields[.accept] == "text/event-stream" })
    }

    @Test("G1 sse --json-output prints one object per line")
    func json() async throws {
        let server = try await server([.events(Self.events), .status(.noContent)])
        let run = await Run.godwit("sse", "\(server.url)", "--json-output", "--last-event-id", "0", clock: HastyClock())
        #expect(
            run.output == """
                {"type":"message","data":"one","id":"1","lastEventID":"1","retry":0}
                {"type":"note","data":"two\\nlines \\"q\\"","lastEventID":"1"}

                """)
        #expect(server.requests.first?.lastEventID == "0")
    }

    @Test("G1 sse with a body sends one POST")
    func post() async throws {
        let server = try await server([.events(["hello"])])
        let run = await Run.godwit("sse", "\(server.url)", "prompt=hi", clock: HastyClock())
        #expect(run.code == .success && run.output == "hello\n")
        #expect(server.requests.map(\.method) == [.post])
        #expect(server.requests.map(\.text) == [#"{"prompt":"hi"}"#])
    }

    @Test(
        "G1 sse exits with the code of its failure",
        arguments: [
            (MockResponse.status(404), ExitCode.httpStatus, "not found"),
            (.text("<html>"), .network, "unexpected content type: text/plain"),
            (.close, .network, "connection"),
        ])
    func failures(response: MockResponse, code: ExitCode, words: String) async throws {
        let server = try await server([response])
        let run = await Run.godwit("sse", "\(server.url)", "--json-output", clock: HastyClock())
        #expect(run.code == code)
        #expect(run.errors.contains(words))
        #expect(run.output.hasPrefix(#"{"error":{"kind":"#) && run.output.hasSuffix("}\n"))
    }

    @Test("G1 sse --no-reconnect ends with the connection; --retry tries again to connect")
    func reconnecting() async throws {
        let single = try await server([.events(["only"])])
        #expect(await Run.godwit("sse", "\(single.url)", "--no-reconnect", clock: HastyClock()).output == "only\n")
        #expect(single.requestCount == 1)
        let flaky = try await server([.close, .events([ServerSentEvent(data: "late", retry: .zero)]), .status(204)])
        #expect(await Run.godwit("sse", "\(flaky.url)", "--retry", "1", clock: HastyClock()).output == "late\n")
    }

    @Test("G1 sse --idle-timeout reconnects after a silence")
    func idle() async throws {
        let silent = MockResponse.events { number in
            if number > 0 { try await Task.sleep(for: .seconds(600)) }
            return ServerSentEvent(data: "first", id: "1")
        }
        let server = try await MockServer { request in request.lastEventID == "1" ? .status(.noContent) : silent }
        let run = await Run.godwit(
            "sse", "\(server.url)", "--idle-timeout", "0.2", "--retry", "100", clock: HastyClock())
        #expect(run.code == .success && run.output == "first\n")
        #expect(server.requests.last?.lastEventID == "1")
    }

    @Test("G1 sse has no options for files or heads", arguments: ["-o", "-O", "-I", "--pretty"])
    func usage(option: String) async {
        let run = await Run.godwit("sse", "http://127.0.0.1:1/", option, "x", clock: HastyClock())
        #expect(run.code == .usage && run.errors.contains(option))
        #expect(await Run.godwit("sse", "--help", clock: HastyClock()).output.contains("--last-event-id ID"))
    }

    @Test("G1 the program prints each event immediately, and ends when the output is closed")
    func flushed() async throws {
        let server = try await MockServer { _ in
            .events { number in
                if number > 0 { try await Task.sleep(for: .milliseconds(20)) }
                return ServerSentEvent(data: "event \(number)")
            }
        }
        let program = try SpawnedProgram(["sse", "\(server.url)"])
        await program.waitForOutput()
        program.closeOutput()
        #expect(await program.exitCode() == ExitCode.outputClosed.rawValue)
        try await server.waitUntilConnectionsClose()
    }
}

/// A clock without waiting.
private struct HastyClock: Clock {
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
    }
}
