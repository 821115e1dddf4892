import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G4 G1 godwit replay", .timeLimit(.minutes(15)))
struct ReplayCommandTests {
    private let folder: TemporaryFolder
    private let server: MockServer

    private static let recording = """
        {"log":{"entries":[
        {"request":{"method":"GET","url":"https://api.example.com/v1/a?page=2","headers":[
           {"name":"Authorization","value":"Bearer s3cret"},{"name":"X-Api-Key","value":"s3cret"},
           {"name":"Cookie","value":"a=1"},{"name":"X-Client","value":"demo"},{"name":"Host","value":"api.example.com"}]},
         "response":{"status":200,"content":{"mimeType":"application/json",
           "text":"{\\"id\\":1,\\"items\\":[{\\"id\\":1,\\"at\\":\\"x\\"},{\\"id\\":2,\\"at\\":\\"y\\"}],\\"token\\":\\"<redacted>\\",\\"n\\":1.0}"}}},
        {"request":{"method":"POST","url":"https://api.example.com/v1/b","postData":{"text":"hi"}},"response":{"status":201}},
        {"request":{"method":"GET","url":"https://other.example.com/v1/c"},
         "response":{"status":302,"headers":[{"name":"Location","value":"/x"}]}}
        ]}}
        """

    init() async throws {
        folder = TemporaryFolder()
        _ = try folder.write(Self.recording, to: "calls.har")
        server = try await MockServer { route in
            route.get("/v1/a").optional().replies([
                .json(["id": 1, "items": [["id": 1, "at": "x"], ["id": 2, "at": "y"]], "token": "t", "n": 1]),
                .json(["id": 1, "items": [["id": 1, "at": "new"], ["id": 3, "at": "y"], nil], "extra": "e", "n": 1]),
            ])
            route.post("/v1/b").optional().reply(.status(201))
            route.get("/v1/c").optional().reply(.redirect(to: "/elsewhere"))
            route.get("/sub/v1/a").optional().reply(.text("<html>", status: .internalServerError))
            route.get("/sub/v1/c").optional().reply(.close)
        }
    }

    private func replay(_ arguments: String..., against url: String? = nil) async -> Run {
        let target = url ?? "\(server.url)"
        return await Run.godwit(["replay", folder.path("calls.har"), "--against", target] + arguments)
    }

    @Test("G4 replay sends safe requests without recorded credentials, and exits with 0 if nothing differs")
    func same() async throws {
        let run = await replay("-H", "Authorization: Bearer mine")
        #expect(run.code == .success)
        let lines = run.output.split(separator: "\n")
        #expect(lines.first == "GET \(server.url)v1/a?page=2: same")
        #expect(lines.last == "2 sent, 0 differ, 1 not sent (see --all-methods)")
        #expect(server.requests.map(\.target) == ["/v1/a?page=2", "/v1/c"])
        let fields = server.requests[0].fields
        #expect(fields[.authorization] == "Bearer mine" && fields["X-Client"] == "demo")
        #expect(!fields.contains("X-Api-Key") && !fields.contains(.cookie))
        #expect(fields.values(of: .host).count == 1 && fields[.userAgent]?.hasPrefix("godwit/") == true)
    }

    @Test("G4 replay shows differences with their paths, and exits with 1")
    func different() async throws {
        _ = await replay()
        let run = await replay()
        #expect(run.code == .outdated && run.code.rawValue == 1)
        #expect(
            run.output.contains(
                """
                v1/a?page=2: differs
                  .extra: not recorded, now "e"
                  .items[0].at: recorded "x", now "new"
                  .items[1].id: recorded 2, now 3
                  .items[2]: not recorded, now null
                  .token: recorded "<redacted>", now missing

                """), "\(run.output)")
        #expect(run.output.hasSuffix("2 sent, 1 differs, 1 not sent (see --all-methods)\n"))
        let ignoring = await replay(
            "--ignore", ".extra", "--ignore", ".items[].at", "--ignore", ".items[1]", "--ignore", ".items[2]",
            "--ignore=.token")
        #expect(ignoring.code == .success, "\(ignoring.output)")
    }

    @Test("G4 replay sends all methods if asked, and only one host's requests")
    func methods() async throws {
        #expect(await replay("--all-methods").output.hasSuffix("3 sent, 0 differ\n"))
        #expect(server.requests.first { $0.method == .post }?.text == "hi")
        #expect(await replay("--host", "other.example.com").output.hasSuffix("1 sent, 0 differ\n"))
    }

    @Test("G4 replay appends paths to that of the URL; a failure is a difference")
    func failures() async throws {
        let run = await replay(against: "\(server.url)sub/")
        #expect(run.code == .outdated)
        let words = "status: recorded 200, now 500\n  body: recorded JSON, now 6 bytes that aren't JSON"
        #expect(run.output.contains(words))
        #expect(run.output.contains("failed: "))
        #expect(await replay(against: "http://127.0.0.1:1").code == .unreachable)
    }

    @Test("G4 replay reads cassettes")
    func cassette() async throws {
        let cassette = try Cassette(at: folder.url.appending(path: "c.json"), mode: .record)
        _ = try await Chain([cassette], over: SocketTransport()).send(HTTPRequest(url: "\(server.url)v1/a"))
        let run = await Run.godwit("replay", folder.path("c.json"), "--against", "\(server.url)", "--ignore", ".items")
        #expect(run.code == .outdated && run.output.contains("  .extra: "), "\(run.output)\(run.errors)")
    }

    @Test(
        "G1 replay explains its usage",
        arguments: [
            (["a.har"], "--against is missing"), ([], "the file is missing"), (["a", "b"], "more than one file"),
            (["a", "--against", ":1", "--ignore", "x"], "--ignore needs a path"),
            (["calls.har", "--against", "http://a b/"], "--against needs a URL"),
            (["calls.har", "--against", "http://a/?q"], "without a query"),
        ])
    func usage(arguments: [String], words: String) async {
        let run = await Run.godwit(["replay"] + arguments.map { $0 == "calls.har" ? folder.path($0) : $0 })
        #expect(run.code == .usage && run.errors.contains(words), "\(run.errors)")
    }
}
