#if canImport(Glibc)
import Glibc
import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G4 G1 godwit record", .timeLimit(.minutes(15)))
struct RecordCommandTests {
    private let folder = TemporaryFolder()
    private var file: URL { folder.url.appending(path: "calls.har") }

    /// A command that records until it is canceled.
    private struct Running {
        let url: String
        let output: CapturedOutput
        let task: Task<ExitCode, Never>
    }

    private func record(_ arguments: String...) async throws -> Running {
        let output = CapturedOutput()
        let command = Command(input: ScriptedInput([]), output: output, errors: CapturedOutput(), environment: [:])
        let task = Task { [file] in await command.run(["record", "--proxy", "-o", file.path] + arguments) }
        while !output.text.contains("\n") { try await Task.sleep(for: .milliseconds(1)) }
        return Running(url: String(output.text.prefix { $0 != " " }), output: output, task: task)
    }

    private func transport(through proxy: String) throws -> SocketTransport {
        try SocketTransport { $0.proxy = .url(proxy) }
    }

    @Test("G4 record forwards requests and records them with their bodies, without secrets")
    func recording() async throws {
        let origin = try await MockServer { route in
            route.get("/a").reply(.json(["id": 1]))
            route.post("/b").reply { request in .text(request.text, status: .created) }
            route.get("/big").reply(.bytes(Data(repeating: 7, count: 3 << 20)))
            route.get("/live").reply(.events(["one"]))
            route.head("/a").reply(MockResponse(fields: [.contentLength: "8"]))
        }
        let running = try await record()
        let transport = try transport(through: running.url)
        func send(_ method: HTTPMethod, _ path: String, body: HTTPBody? = nil) async throws -> (Int, Data) {
            let request = try HTTPRequest(
                method: method, url: "\(origin.url)\(path)", fields: [.authorization: "Bearer s3cret", "X-A": "b"],
                body: body, delivery: .streamed)
            let response = try await transport.send(request)
            return (response.head.status.code, try await response.body.collect(upTo: 8 << 20))
        }
        #expect(try await send(.get, "a?token=s3cret") == (200, Data(#"{"id":1}"#.utf8)))
        #expect(try await send(.post, "b", body: "hello") == (201, Data("hello".utf8)))
        #expect(try await send(.get, "big").1.count == 3 << 20)
        #expect(try await send(.get, "live").0 == 200)
        #expect(try await send(.head, "a").0 == 200)
        #expect(try await send(.get, "none").0 == 404)
        #expect(origin.requests[0].fields[.authorization] == "Bearer s3cret" && origin.requests[0].fields["X-A"] == "b")
        #expect(origin.requests[0].fields["Via"] != nil)
        await transport.shutdown(.cancelling)
        running.task.cancel()
        #expect(await running.task.value == .interrupted)
        #expect(running.output.text.contains("GET \(origin.url)a?token=<redacted> 200\n"))
        let text = try folder.read("calls.har")
        #expect(!text.contains("s3cret") && !running.output.text.contains("s3cret"))
        let exchanges = try Cassette(har: file).exchanges
        #expect(exchanges.map(\.request.url.path).sorted() == ["/a", "/a", "/b", "/big", "/live", "/none"])
        let posted = try #require(exchanges.first { $0.request.method == .post })
        #expect(try await posted.request.body?.collect(upTo: 10) == Data("hello".utf8))
        #expect(try await posted.response.body.collect(upTo: 10) == Data("hello".utf8))
        let live = try #require(exchanges.first { $0.request.url.path == "/live" })
        #expect(try await live.response.body.collect(upTo: 100).starts(with: Data("data: one".utf8)))
        #expect(try folder.mode(of: "calls.har") == 0o600)
    }

    @Test("G4 record passes CONNECT through unseen, and says so")
    func connect() async throws {
        let origin = try await MockServer(.tls) { $0.get("/a").reply(.text("secret tides")) }
        let running = try await record()
        let api = APIClient(
            baseURL: origin.url,
            transport: try SocketTransport {
                $0.proxy = .url(running.url)
                $0.tls.trust(origin)
            })
        #expect(try await api.send(Endpoint<String>.get("a")) == "secret tides")
        #expect(origin.requests.count == 1)
        running.task.cancel()
        _ = await running.task.value
        let line = "CONNECT 127.0.0.1:\(origin.url.origin.port) passes through unseen; not recorded\n"
        #expect(running.output.text.contains(line))
        #expect(try Cassette(har: file).exchanges.isEmpty)
    }

    @Test("G4 record answers what it can't forward with the reason, and records the failure")
    func refusals() async throws {
        let running = try await record()
        func status(_ url: String, _ fields: HTTPFields = [:], proxy: String?) async throws -> Int {
            let transport = try SocketTransport { $0.proxy = proxy.map { .url($0) } ?? .none }
            return try await transport.send(HTTPRequest(url: url, fields: fields)).head.status.code
        }
        #expect(try await status(running.url, proxy: nil) == 400)
        #expect(try await status("http://127.0.0.1:1/", proxy: running.url) == 502)
        #expect(try await status(running.url, proxy: running.url) == 400)
        running.task.cancel()
        _ = await running.task.value
        #expect(try folder.read("calls.har").contains("_error"))
    }

    @Test("G4 a record that is killed leaves a readable file with what was finished")
    func killed() async throws {
        let origin = try await MockServer { $0.any("*").reply(.json(["id": 1])) }
        let program = try SpawnedProgram(["record", "--proxy", "-o", file.path])
        let url = await program.readLine().prefix { $0 != " " }
        let transport = try transport(through: String(url))
        for number in 1...200 {
            _ = try await transport.send(HTTPRequest(url: "\(origin.url)\(number)"))
        }
        // Entries are written in the background, soon after the response.
        while try folder.read("calls.har").count(of: "\n{") < 150 { try await Task.sleep(for: .milliseconds(1)) }
        program.signal(SIGKILL)
        #expect(await program.exitCode() == -SIGKILL)
        let count = try Cassette(har: file).exchanges.count
        #expect((150...200).contains(count))
        _ = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
    }

    @Test("G1 record explains its usage, and keeps an existing file unless forced")
    func usage() async throws {
        #expect(await Run.godwit("record").errors.contains("needs --proxy"))
        #expect(await Run.godwit("record", "--proxy").errors.contains("-o FILE.har is missing"))
        #expect(await Run.godwit("record", "--proxy", "x", "-o", "a").errors.contains("is not a port"))
        _ = try folder.write("old", to: "calls.har")
        let run = await Run.godwit("record", "--proxy", "-o", file.path)
        #expect(run.code == .file && run.errors.contains("--force"))
        #expect(await Run.godwit("record", "--proxy", "-o", folder.path("missing/a.har")).code == .file)
        let running = try await record("--force")
        running.task.cancel()
        _ = await running.task.value
        #expect(try Cassette(har: file).exchanges.isEmpty)
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
#endif
