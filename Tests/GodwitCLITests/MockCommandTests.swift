import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G4 G1 godwit mock", .timeLimit(.minutes(15)))
struct MockCommandTests {
    private let folder = TemporaryFolder()
    private let clock = TestClock()

    private func serve(_ arguments: String...) async throws -> ServedMock {
        try await ServedMock(arguments, clock: clock)
    }

    private func get(_ url: String, tls: String? = nil) async -> Run {
        await Run.godwit(["get", url, "-i"] + (tls.map { ["--cacert", $0] } ?? []))
    }

    private static let routes = """
        {"comment": "a demo", "routes": [
          {"method": "GET", "path": "/articles/:id", "query": {"full": "1"}, "reply": {"json": {"id": 1}}},
          {"path": "/flaky", "replies": [{"status": 503, "times": 2}, {"text": "at last", "fields": {"X-A": ["1", "2"]}}]},
          {"path": "/cut", "reply": {"file": "a.json", "fault": {"drop": 2}}},
          {"path": "/file", "reply": {"file": "a.json", "status": 201}},
          {"path": "/bad", "reply": {"fault": "malformed"}},
          {"path": "/gone", "reply": {"fault": "close"}},
          {"path": "/reset", "reply": {"text": "12345", "fault": {"reset": 1}}}
        ]}
        """

    @Test("G4 mock serves a file of routes: replies in order, files, faults, and a line for each request")
    func routes() async throws {
        _ = try folder.write("[1]", to: "a.json")
        let server = try await serve(folder.write(Self.routes, to: "mock.json"))
        #expect(server.output.text == "\(server.url) serves 7 routes of \(folder.path("mock.json"))\n")
        let article = await get("\(server.url)articles/7?full=1&token=s3cret")
        #expect(article.output.contains("200") && article.output.hasSuffix(#"{"id": 1}"#))
        #expect(article.output.contains("application/json"))
        #expect(await get("\(server.url)articles/7").code == .httpStatus)
        #expect(await get("\(server.url)flaky").code == .httpStatus)
        #expect(await get("\(server.url)flaky").code == .httpStatus)
        for _ in 1...2 {
            let reply = await get("\(server.url)flaky").output
            #expect(reply.hasSuffix("at last") && reply.contains("X-A: 1") && reply.contains("X-A: 2"))
        }
        #expect(await get("\(server.url)cut").code == .network)
        let file = await get("\(server.url)file").output
        #expect(file.contains("201") && file.hasSuffix("[1]"))
        for path in ["bad", "gone", "reset"] { #expect(await get("\(server.url)\(path)").code == .network, "\(path)") }
        #expect(await server.stop() == .interrupted)
        let log = server.output.text
        #expect(log.contains("\nGET /articles/7?full=1&token=<redacted> 200\nGET /articles/7 404\nGET /flaky 503\n"))
        #expect(log.contains("GET /gone no response\n") && !log.contains("s3cret"))
    }

    @Test("G4 a delay of a reply is one of the command's clock")
    func delay() async throws {
        let text = #"{"routes": [{"path": "/slow", "reply": {"text": "late", "delay": 30}}]}"#
        let server = try await serve(folder.write(text, to: "mock.json"))
        async let reply = get("\(server.url)slow")
        try await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(30))
        #expect(await reply.output.hasSuffix("late"))
        _ = await server.stop()
    }

    @Test("G4 a changed file is served; an invalid one leaves the old routes and says why")
    func reloading() async throws {
        let path = try folder.write(#"{"routes": [{"path": "/a", "reply": {"text": "one"}}]}"#, to: "mock.json")
        let server = try await serve(path)
        #expect(await get("\(server.url)a").output.hasSuffix("one"))
        _ = try folder.write(#"{"routes": [{"path": "/a", "reply": {"tekst": "two"}}]}"#, to: "mock.json")
        try await poll()
        #expect(server.errors.text.contains("routes[0].reply.tekst is unknown (did you mean text?); still serving"))
        #expect(await get("\(server.url)a").output.hasSuffix("one"))
        _ = try folder.write(#"{"routes": [{"path": "/a", "reply": {"text": "three"}}]}"#, to: "mock.json")
        try await poll()
        #expect(server.errors.text.contains("changed; serving 1 route\n"))
        #expect(await get("\(server.url)a").output.hasSuffix("three"))
        try FileManager.default.removeItem(atPath: path)
        try await poll()
        #expect(await get("\(server.url)a").output.hasSuffix("three"))
        _ = await server.stop()
    }

    /// Lets the command check its file.
    private func poll() async throws {
        clock.advance(by: .milliseconds(500))
        try await clock.waitForSleepers()
    }

    @Test("G4 mock serves what a recorder wrote, and a cassette, over https if asked")
    func recordings() async throws {
        let origin = try await MockServer { $0.get("/a").replies([.text("first"), .text("second")]) }
        var options = HAROptions()
        options.bodyLimit = 1 << 10
        let recorder = HARRecorder(file: folder.url.appending(path: "a.har"), options: options)
        let api = APIClient(baseURL: origin.url) { $0.recorder = recorder }
        #expect(try await api.send(Endpoint<String>.get("a")) == "first")
        try recorder.flush()
        let authority = folder.path("authority.pem")
        let archived = try await serve(folder.path("a.har"), "--tls", "--authority", authority)
        #expect(archived.url.hasPrefix("https://") && archived.output.text.contains("1 recorded response of"))
        #expect(await get("\(archived.url)a", tls: authority).output.hasSuffix("first"))
        #expect(await get("\(archived.url)a").code == .insecure)
        _ = await archived.stop()

        let cassette = try Cassette(at: folder.url.appending(path: "c.json"), mode: .record)
        _ = try await Chain([cassette], over: SocketTransport()).send(HTTPRequest(url: "\(origin.url)a"))
        let taped = try await serve(folder.path("c.json"))
        #expect(await get("\(taped.url)a").output.hasSuffix("second"))
        _ = await taped.stop()
    }

    private static let document = """
        openapi: 3.0.3
        info: {title: Ports, version: '1'}
        servers: [{url: /v2}]
        paths:
          /ports/{id}: {$ref: 'port.yaml'}
        """

    private static func port(_ name: String) -> String {
        """
        get:
          responses:
            '200':
              description: A port
              content: {application/json: {examples: {first: {value: {name: \(name)}}, second: {value: {name: South}}}}}
            '404': {description: None, content: {application/problem+json: {example: {title: None}}}}
        """
    }

    @Test(
        "G4 mock serves the examples of an OpenAPI document; Prefer chooses one; a file that it refers to is followed")
    func document() async throws {
        let port = try folder.write(Self.port("North"), to: "port.yaml")
        let server = try await serve(folder.write(Self.document, to: "api.yaml"))
        #expect(server.output.text.contains(" serves 1 operation of "))
        #expect(server.errors.text.contains("`id` of the path `/ports/{id}` is not described"))
        for path in ["ports/7", "v2/ports/7"] {
            let reply = await get("\(server.url)\(path)").output
            #expect(
                reply.contains("Content-Type: application/json") && reply.hasSuffix(#"{"name": "North"}"#), "\(path)")
        }
        func preferring(_ choice: String) async -> Run {
            await Run.godwit("get", "\(server.url)ports/7", "-H", "Prefer: \(choice)", "-i")
        }
        #expect(await preferring("example=second").output.hasSuffix(#"{"name": "South"}"#))
        let missing = await preferring("code=404")
        #expect(missing.code == .httpStatus && missing.output.contains("application/problem+json"))
        #expect(missing.output.hasSuffix(#"{"title": "None"}"#))
        #expect(await preferring("code=503").output.contains("503"))
        #expect(await preferring("code=9").output.contains("is not a status"))
        let unknown = await preferring("code=200; example=\"third\"").output
        #expect(unknown.contains("400") && unknown.hasSuffix("the examples are first, second\n"))
        #expect(await Run.godwit("post", "\(server.url)ports/7").code == .httpStatus)

        try Data(Self.port("West").utf8).write(to: URL(filePath: port))
        try await poll()
        #expect(server.errors.text.contains("changed; serving 1 operation\n"))
        #expect(await get("\(server.url)ports/7").output.hasSuffix(#"{"name": "West"}"#))
        _ = await server.stop()
    }

    @Test("G4 mock shows requests on a page, unless it is told not to")
    func page() async throws {
        let path = try folder.write(#"{"routes": [{"path": "/a", "reply": {"text": "one"}}]}"#, to: "mock.json")
        let server = try await serve(path)
        let line = try #require(server.errors.text.split(separator: "\n").first)
        let page = try #require(line.split(separator: " ").last)
        #expect(line.contains("requests are shown on http://127.0.0.1:"))
        #expect(await get(String(page)).output.contains("<title>Godwit inspector</title>"))
        _ = await server.stop()
        let silent = try await serve(path, "--no-page")
        #expect(silent.errors.text.isEmpty)
        _ = await silent.stop()
    }

    @Test(
        "G4 mock refuses what it can't serve, and says why",
        arguments: [
            ("{}", "is not a HAR file, a cassette, an OpenAPI document or a file of routes"),
            ("{", "is not valid JSON"),
            (#"{"swagger": "1.2"}"#, "1.2"), ("openapi: 3.1.0\npaths: {}\n", "has no operation"),
            ("openapi: 3.1.0\npaths: {/a: {$ref: 'https://a.com/b.yaml'}}\n", "aren't fetched"),
            ("openapi: 3.1.0\npaths: {/a: {$ref: 'missing.yaml'}}\n", "can't read the file that is referred to"),
            (#"{"routes": [{"path": "a", "reply": {}}]}"#, "line 1: routes[0].path must begin with /"),
            (#"{"routes": [{"path": "/a"}]}"#, "needs either"),
            (#"{"routes": [{"path": "/a", "replies": []}]}"#, "has no replies"),
            (#"{"routes": [{"path": "/a", "reply": {"status": 99}}]}"#, "routes[0].reply.status must be a number from"),
            (#"{"routes": [{"path": "/a", "reply": {"delay": -1}}]}"#, "reply.delay must be a number of seconds"),
            (#"{"routes": [{"path": "/a", "reply": {"fault": "boom"}}]}"#, "routes[0].reply.fault must be"),
            (#"{"routes": [{"path": "/a", "reply": {"fault": {}}}]}"#, "needs \"drop\""),
            (#"{"routes": [{"path": "/a", "reply": {"file": "missing"}}]}"#, "routes[0].reply.file can't be read"),
            (#"{"routes": [{"path": "/a", "reply": {"json": 1, "text": "2"}}]}"#, "both \"json\" and \"text\""),
            (#"{"routes": [{"path": "/a", "reply": {"fields": {"a b": "1"}}}]}"#, "is not a name of a field"),
            (#"{"routes": [{"path": "/a", "reply": {"fields": {"a": "1\n2"}}}]}"#, "line break"),
            (#"{"routes": [{"path": "/a", "query": {"q": "1"}, "reply": {}}]}"#, "needs a \"method\""),
            (#"{"routes": [{"path": "/a", "method": "A B", "reply": {}}]}"#, "is not a method"),
            (#"{"routes": {}}"#, "routes must be an array"), (#"{"log": {}}"#, "is not an HTTP archive"),
            (#"{"log": {"entries": []}}"#, "has no response"),
        ])
    func refused(text: String, words: String) async throws {
        let run = await Run.godwit("mock", try folder.write(text, to: "mock.json"))
        #expect(run.code == .file && run.errors.contains(words), "\(run.errors)")
    }

    #if canImport(Glibc)
    @Test("G4 the program serves a HAR file and a cassette, as it links only a part of Foundation")
    func program() async throws {
        let text = #"{"request":{"method":"GET","url":"https://a.com/a"},"response":{"status":204}}"#
        let tape =
            #"{"request":{"method":"GET","url":"https://a.com/a","fields":[]},"response":{"status":204,"fields":[]}}"#
        let files = [
            ("a.har", #"{"log":{"entries":[\#(text)]}}"#),
            ("c.json", #"{"format":"godwit-cassette","version":1,"recordings":[\#(tape)]}"#),
        ]
        for (name, text) in files {
            let program = try SpawnedProgram(["mock", folder.write(text, to: name)])
            let url = await program.readLine().prefix { $0 != " " }
            #expect(await Run.godwit("get", "\(url)a", "-i").output.contains("204"))
            program.signal(2)
            #expect(await program.exitCode() == ExitCode.interrupted.rawValue)
        }
    }
    #endif

    @Test("G1 mock explains its usage")
    func usage() async throws {
        #expect(await Run.godwit("mock").errors.contains("the file is missing"))
        #expect(await Run.godwit("mock", "a", "b").code == .usage)
        #expect(await Run.godwit("mock", "a", "--authority", "b").errors.contains("needs --tls"))
        #expect(await Run.godwit("mock", folder.path("missing.json")).code == .file)
        #expect(await Run.godwit("mock", "--help").output.contains("--port N"))
    }
}
