import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 godwit request: exit codes and errors", .timeLimit(.minutes(15)))
struct ExitCodeTests {
    /// The port of a service that no machine has any more.
    private let unreachable = "http://127.0.0.1:1/"

    @Test("G1 a status of 400 or above exits with 22 after its body", arguments: [400, 401, 404, 429, 500, 503])
    func httpStatus(status: Int) async throws {
        let status = try #require(HTTPStatus(status))
        let server = try await MockServer { _ in .text("why", status: status) }
        let run = await Run.godwit("get", "\(server.url)")
        #expect(run.code == .httpStatus)
        #expect(run.output == "why")
        #expect(run.errors.hasPrefix("godwit: HTTP \(status) from GET \(server.url): "))
        let failed = await Run.godwit("get", "\(server.url)", "--fail")
        #expect(failed.code == .httpStatus)
        #expect(failed.output.isEmpty)
        #expect(failed.errors == "godwit: HTTP \(status) from GET \(server.url): why\n")
    }

    @Test("E11 the error line and the report quote the server if the body is not printed")
    func serverWords() async throws {
        let server = try await MockServer { _ in .json(["message": "The name is taken"], status: .conflict) }
        let run = await Run.godwit("post", "\(server.url)", "--fail", "name=ann")
        #expect(run.errors == "godwit: HTTP 409 from POST \(server.url): The name is taken\n")
        let report = await Run.godwit("post", "\(server.url)", "--json-output", "name=ann")
        #expect(report.errors == "godwit: HTTP 409 from POST \(server.url): The name is taken\n")
    }

    @Test("G1 redirects are followed, up to a number, or shown")
    func redirects() async throws {
        let server = try await MockServer { route in
            route.get("/a").reply(.redirect(to: "/b"))
            route.get("/b").reply(.redirect(to: "/c"))
            route.get("/c").reply(.text("there"))
        }
        #expect(await Run.godwit("get", "\(server.url)a").output == "there")
        let limited = await Run.godwit("get", "\(server.url)a", "--max-redirects", "1")
        #expect(limited.code == .network)
        #expect(limited.errors.contains("more than 1 redirects") && limited.errors.contains("--max-redirects N"))
        let shown = await Run.godwit("get", "\(server.url)a", "--no-follow", "-i")
        #expect(shown.code == .success)
        #expect(shown.output.contains("Location: /b\r\n"))
    }

    @Test("G1 connection refused: 3, and one line that says so")
    func refused() async {
        let run = await Run.godwit("get", unreachable, "--timing")
        #expect(run.code == .unreachable)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.first == "GET http://127.0.0.1:1/: no response")
        #expect(lines.last?.hasPrefix("godwit: could not connect: ") == true)
    }

    @Test("G1 a silent server reaches --timeout: 4")
    func timeout() async throws {
        let server = try await MockServer { $0.get("/").reply(.hang) }
        let run = await Run.godwit("get", "\(server.url)", "--timeout", "0.05")
        #expect(run.code == .timedOut)
        #expect(run.errors.contains("--timeout SECONDS"))
        #expect(run.output.isEmpty)
    }

    @Test("G1 plain http where TLS is spoken: 5")
    func insecure() async throws {
        let server = try await MockServer { _ in .text("plain") }
        let run = await Run.godwit("get", "https://127.0.0.1:\(server.url.port)/")
        #expect(run.code == .insecure)
    }

    @Test("G1 an incomplete body is printed, and the exit code is 6")
    func brokenOff() async throws {
        let server = try await MockServer { _ in .text("content").dropped(after: .bytes(3)) }
        let run = await Run.godwit("get", "\(server.url)")
        #expect(run.code == .network)
        #expect(run.output == "con")
        #expect(run.errors.hasPrefix("godwit: the connection was lost: "))
    }

    @Test("G1 an unreachable proxy: 3")
    func proxy() async throws {
        let server = try await MockServer { _ in .text("hi") }
        #expect(await Run.godwit("get", "\(server.url)", "--proxy", unreachable).code == .unreachable)
        #expect(server.requestCount == 0)
        #expect(await Run.godwit("get", "\(server.url)", "--proxy", "none").output == "hi")
    }

    @Test("G1 --proxy sends the request through a proxy")
    func throughProxy() async throws {
        let proxy = try await MockServer { .text($0.target) }
        let run = await Run.godwit("get", "http://api.example.com/a", "-x", "\(proxy.url)")
        #expect(run.output == "http://api.example.com/a")
    }

    @Test("G1 --unix-socket connects to a socket's path")
    func unixSocket() async throws {
        let folder = TemporaryFolder()
        var options = MockServer.Options()
        options.address = .unixSocket(path: folder.path("s"))
        let server = try await MockServer(options) { _ in .text("by socket") }
        let run = await Run.godwit("get", "http://localhost/a", "--unix-socket", folder.path("s"))
        #expect(run.output == "by socket")
        #expect(server.requests.map(\.path) == ["/a"])
    }

    @Test("G1 --cacert with an unreadable file exits with 7")
    func authorities() async throws {
        let run = await Run.godwit("get", "https://127.0.0.1:1/", "--cacert", "/none.pem")
        #expect(run.code == .file)
        #expect(run.errors.contains("/none.pem"))
    }

    @Test(
        "G1 an invalid command line exits with 2, prints the reason in one line, and sends nothing",
        arguments: [
            ([], "no command given; see: godwit --help"),
            (["fetch"], "unknown command \"fetch\""),
            (["get"], "the URL is missing; see: godwit get --help"),
            (["get", "URL", "--none"], "unknown option --none"),
            (["get", "URL", "--timout", "1"], "unknown option --timout (did you mean --timeout?)"),
            (["dowload", "URL"], "unknown command \"dowload\" (did you mean download?)"),
            (["get", "URL", "-o"], "-o needs a value"),
            (["get", "URL", "--quiet=yes"], "--quiet takes no value"),
            (["get", "URL", "word"], "\"word\" is not an item"),
            (["get", "ftp://a/b"], "the scheme must be http or https"),
            (["get", "URL", "X:a\nb"], "the value of X contains a line break"),
            (["get", "URL", "A B:c"], "\"A B\" is not a header field name"),
            (["get", "URL", "Content-Length:1"], "Content-Length is written by the transport"),
            (
                ["post", "URL", "a:={"],
                "a is not valid JSON: line 1, column 2: expected a key in quotes (quote strings: a:='\"text\"')"
            ),
            (["post", "URL", "a:=sea"], "a is not valid JSON: line 1, column 1: expected a value, found \"sea\""),
            (["post", "URL", "--json", "{]"], "--json is not valid JSON"),
            (["post", "URL", "--json", "{}", "a=1"], "the body is given in more than one way"),
            (["post", "URL", "--form", "a:=1"], "a:= is JSON"),
            (["post", "URL", "a@b"], "add --multipart"),
            (["get", "URL", "--timeout", "soon"], "--timeout needs a number of seconds above 0"),
            (["get", "URL", "-k"], "certificates are always checked; trust an authority with --cacert FILE"),
            (["request", "-X", "A B", "URL"], "\"A B\" is not a method"),
        ])
    func usage(line: [String], message: String) async throws {
        let server = try await MockServer { _ in .text("") }
        let errors = CapturedOutput()
        let output = CapturedOutput()
        let command = Command(input: ScriptedInput([]), output: output, errors: errors)
        #expect(await command.run(line.map { $0 == "URL" ? "\(server.url)" : $0 }) == .usage)
        #expect(errors.text.hasPrefix("godwit: ") && errors.text.contains(message), "\(errors.text)")
        #expect(errors.text.count { $0 == "\n" } == 1)
        #expect(output.data.isEmpty)
        #expect(server.requestCount == 0)
    }

    @Test("G1 --help names every option and exit code, --version the version")
    func help() async {
        for line in [["--help", "all"], ["help", "exit-codes"], ["get", "--help"], ["help", "request"]] {
            let output = CapturedOutput()
            let command = Command(input: ScriptedInput([]), output: output, errors: CapturedOutput())
            #expect(await command.run(line) == .success)
            for code in ExitCode.allCases { #expect(output.text.contains("\(code.rawValue)  \(code.meaning)\n")) }
        }
        let text = await Run.godwit("get", "--help").output
        for option in ["--json", "-o, --output FILE", "--timing", "-v, --verbose", "--unix-socket PATH", "name:=JSON"] {
            #expect(text.contains(option))
        }
        #expect(await Run.godwit("--version").output == "godwit \(Command.version)\n")
    }

    @Test(
        "G1 each transport failure has its exit code and message",
        arguments: [
            (NetworkError.Kind.transport(.cannotResolveHost("a")), ExitCode.unreachable),
            (.offline(.noPath), .unreachable), (.timedOut(.inactivity), .timedOut),
            (.insecure(.certificateExpired), .insecure), (.invalidResponse(reason: "odd"), .network),
            (.tooLarge(limit: 1), .network), (.shutdown, .network), (.file(reason: "x"), .file),
            (.unsupported(feature: "x", on: "y"), .usage), (.cancelled, .interrupted),
        ])
    func kinds(kind: NetworkError.Kind, code: ExitCode) async throws {
        let errors = CapturedOutput()
        let command = Command(input: ScriptedInput([]), output: CapturedOutput(), errors: errors) { _ in
            MockTransport { _ in throw NetworkError(kind, phase: .connecting) }
        }
        #expect(await command.run(["get", "http://a/"]) == code)
        let words = try NetworkError(kind, phase: .connecting, request: HTTPRequest(url: "http://a/")).description
        #expect(errors.text.hasPrefix("godwit: \(words)") == (kind != .cancelled))
    }
}
