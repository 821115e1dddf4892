import Godwit
import GodwitCommand
import GodwitTesting
import Testing

@Suite("G1 godwit request: output", .timeLimit(.minutes(15)))
struct RequestOutputTests {
    @Test("G1 the server's words are on standard error for every failed status, with and without the body")
    func serverWords() async throws {
        let server = try await MockServer {
            $0.get("/").reply(.json(["message": "No such bird"], status: .notFound))
        }
        for option in [[], ["-f"], ["-q"], ["--json-output"]] {
            let run = await Run.godwit(["\(server.url)"] + option)
            #expect(run.errors == "godwit: HTTP 404 from GET \(server.url): No such bird\n", "\(option)")
            #expect(run.code == .httpStatus)
        }
    }

    @Test("G1 an error doesn't stand in the last line of a body where both go to one pipe")
    func endOfLine() async throws {
        let server = try await MockServer { route in
            route.get("/open").reply(.text("no", status: .notFound))
            route.get("/ended").reply(.text("no\n", status: .notFound))
        }
        for (path, end) in [("open", "\n"), ("ended", "")] {
            let shared = CapturedOutput(file: OpenFile(device: 1, number: 1))
            let command = Command(input: ScriptedInput([]), output: shared, errors: shared)
            _ = await command.run(["\(server.url)\(path)"])
            #expect(shared.text.hasPrefix("no\(end == "" ? "\n" : end)godwit: HTTP 404"))
            let errors = CapturedOutput(file: OpenFile(device: 1, number: 2))
            let separate = Command(
                input: ScriptedInput([]), output: CapturedOutput(file: OpenFile(device: 1, number: 1)), errors: errors)
            _ = await separate.run(["\(server.url)\(path)"])
            #expect(errors.text.hasPrefix("godwit: HTTP 404"))
        }
    }

    @Test("G1 a piped body is unchanged, and standard output contains nothing else")
    func unchanged() async throws {
        let body = Data((0...255).map { UInt8($0) } + Array("{ \"a\" :1}".utf8))
        let server = try await MockServer { _ in .bytes(body, contentType: "application/json") }
        let output = CapturedOutput()
        let run = await Run.godwit("get", "\(server.url)", "-v", "--timing", output: output)
        #expect(run.code == .success)
        #expect(output.data == body)
    }

    @Test("G1 JSON is formatted on a terminal, and numbers keep their spelling")
    func pretty() async throws {
        let server = try await MockServer { _ in
            .bytes(Data("{\"b\":1.10,\"a\":[1,{}],\"é\":\"\\u00e9\"}".utf8), contentType: "application/json")
        }
        let run = await Run.godwit(
            "get", "\(server.url)", output: CapturedOutput(isTerminal: true), environment: ["NO_COLOR": "1"])
        #expect(
            run.output == """
                {
                  "b": 1.10,
                  "a": [
                    1,
                    {}
                  ],
                  "é": "\\u00e9"
                }

                """)
    }

    @Test(
        "G1 --pretty, --compact and --raw override the default",
        arguments: [
            ("--pretty", false, "[\n  1\n]\n"), ("--compact", true, "[1]\n"), ("--raw", true, "[ 1 ]\n"),
        ])
    func layouts(option: String, isTerminal: Bool, expected: String) async throws {
        let server = try await MockServer { _ in .bytes(Data("[ 1 ]".utf8), contentType: "application/json") }
        let run = await Run.godwit(
            "get", "\(server.url)", option, "--color=never", output: CapturedOutput(isTerminal: isTerminal))
        #expect(run.output == expected)
    }

    @Test("G1 invalid JSON is printed unchanged")
    func brokenJSON() async throws {
        let server = try await MockServer { _ in .bytes(Data("{oops".utf8), contentType: "application/json") }
        let run = await Run.godwit("get", "\(server.url)", "--pretty")
        #expect(run.code == .success)
        #expect(run.output == "{oops")
    }

    @Test("G1 a binary body is not printed on a terminal")
    func binary() async throws {
        let server = try await MockServer { _ in .bytes(Data([1, 0, 2])) }
        let run = await Run.godwit("get", "\(server.url)", output: CapturedOutput(isTerminal: true))
        #expect(run.code == .usage)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("-o FILE"))
    }

    @Test("G1 --include prints the head before the body, HEAD prints only the head")
    func head() async throws {
        let server = try await MockServer { $0.get("/").reply(.text("hi").field("X-A", "b")) }
        let run = await Run.godwit("get", "\(server.url)", "-i")
        #expect(run.output.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(run.output.hasSuffix("X-A: b\r\nContent-Length: 2\r\n\r\nhi"))
        let alone = await Run.godwit("head", "\(server.url)")
        #expect(alone.output.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(alone.output.hasSuffix("\r\n\r\n"))
    }

    @Test("G1 --quiet writes no body")
    func quiet() async throws {
        let server = try await MockServer { _ in .text("hi") }
        let run = await Run.godwit("get", "\(server.url)", "-q")
        #expect(run.code == .success)
        #expect(run.output.isEmpty && run.errors.isEmpty)
    }

    @Test("G1 --verbose prints each request and response to standard error, without secrets")
    func verbose() async throws {
        let server = try await MockServer { route in
            route.get("/a").reply(
                .redirect(to: "/b?access_token=SECRET1&page=2").field(.setCookie, "session=SECRET2"))
            route.get("/b").reply(.text("hi").field("X-Odd", "a\u{1B}[2J"))
        }
        let run = await Run.godwit(
            "get", "\(server.url)a", "api_key==SECRET3", "Authorization:Bearer SECRET4", "X-Api-Key:SECRET5",
            "X-Open:yes", "-v")
        #expect(run.output == "hi")
        #expect(run.errors.contains("> GET /a?api_key=<redacted> HTTP/1.1\n> Host: 127.0.0.1:\(server.url.port)\n"))
        #expect(run.errors.contains("> Authorization: <redacted>\n"))
        #expect(run.errors.contains("> X-Open: yes\n"))
        #expect(run.errors.contains("< HTTP/1.1 302 Found\n"))
        #expect(run.errors.contains("< Location: /b?access_token=<redacted>&page=2\n"))
        #expect(run.errors.contains("< Set-Cookie: <redacted>\n"))
        #expect(run.errors.contains("< HTTP/1.1 200 OK\n"))
        #expect(!run.errors.contains("SECRET"))
        #expect(!run.errors.contains("\u{1B}"))
    }

    @Test(
        "S6 --verbose, an error line and --json-output don't show what a server repeats",
        arguments: [
            ["Authorization:Bearer SECRET-42"], ["X-Api-Key:SECRET-42"], ["password=SECRET-42"], ["api_key==SECRET-42"],
            ["Cookie:sid=SECRET-42"], ["-u", "ann:SECRET-42"],
        ])
    func repeated(arguments: [String]) async throws {
        let server = try await MockServer { route in
            route.any("/a").reply(.redirect(to: "/b/SECRET-42?echo=SECRET%2D42").field("X-Echo", "it is SECRET-42"))
            route.any("/b/*").reply(
                MockResponse.json(["message": "The key SECRET-42 (U0VDUkVULTQy) is wrong"], status: .badRequest)
                    .field("X-Echo", "U0VDUkVULTQy"))
        }
        for option in ["-vv", "--json-output"] {
            let run = await Run.godwit(["post", "\(server.url)a", option] + arguments)
            #expect(run.code != .success)
            #expect(option != "-vv" || run.errors.contains("<redacted>"), "\(run.errors)")
            for form in ["SECRET", "U0VDUkVULTQy"] {
                #expect(!run.errors.contains(form), "\(run.errors)")
                // The body is what was asked for.
                #expect(option == "-vv" || !run.output.prefix(90).contains(form), "\(run.output)")
            }
        }
        await server.stop()
    }

    @Test("G1 an error line contains no secrets")
    func errorLine() async throws {
        let server = try await MockServer { _ in .status(404) }
        let run = await Run.godwit("get", "\(server.url)", "token==SECRET")
        #expect(run.errors == "godwit: HTTP 404 from GET \(server.url)?token=<redacted>: not found\n")
    }

    @Test("G1 --timing draws a bar for each phase, and reports a reused connection")
    func timing() async throws {
        let server = try await MockServer { route in
            route.get("/a").reply(.redirect(to: "/b"))
            route.get("/b").reply(.text("hello"))
        }
        let run = await Run.godwit("get", "\(server.url)a", "--timing")
        let lines = run.errors.split(separator: "\n").map(String.init)
        try #require(lines.count == 11)
        #expect(lines[0].hasPrefix("GET \(server.url)a: 302, HTTP/1.1, 127.0.0.1:\(server.url.port)"))
        #expect(
            lines[1...5].map { String($0.prefix(7).dropFirst(2)) } == ["dns  ", "tcp  ", "tls  ", "wait ", "body "])
        #expect(lines[3].contains("  -  |"))
        #expect(lines[7].hasSuffix("connection reused"))
        #expect(lines[8...9].map { String($0.prefix(7).dropFirst(2)) } == ["wait ", "body "])
        #expect(lines[10].hasSuffix("5 bytes received, 0 sent"))
        for line in lines where line.contains("|") {
            #expect(line.split(separator: "|", omittingEmptySubsequences: false)[1].count == 40)
        }
    }

    @Test("G1 --json-output is one line for scripts: status, fields, metrics and body")
    func report() async throws {
        struct Report: Decodable {
            struct Metrics: Decodable {
                var total: Double
                var bytesReceived, redirects: Int
                var `protocol`: String
            }
            var method, url: String
            var status: Int
            var fields: [String: String]
            var metrics: Metrics
            var body: [String: Int]
        }
        let server = try await MockServer { route in
            route.get("/a").reply(.redirect(to: "/b"))
            route.get("/b").reply(json: ["id": 7], status: .notFound)
        }
        let run = await Run.godwit("get", "\(server.url)a", "--json-output")
        #expect(run.code == .httpStatus)
        #expect(run.output.count { $0 == "\n" } == 1)
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.method == "GET" && report.url == "\(server.url)b" && report.status == 404)
        #expect(report.fields["content-type"] == "application/json")
        #expect(report.body == ["id": 7])
        #expect(report.metrics.total > 0 && report.metrics.bytesReceived == 8 && report.metrics.redirects == 1)
        #expect(report.metrics.protocol == "HTTP/1.1")
    }

    @Test("G1 --json-output contains text as a string, other bytes in base64, and a failure as an error")
    func otherReports() async throws {
        let server = try await MockServer { route in
            route.get("/text").reply(.text("hi"))
            route.get("/bytes").reply(.bytes(Data([0xFF])))
            route.get("/broken").reply(.close)
        }
        #expect(await Run.godwit("get", "\(server.url)text", "--json-output").output.hasSuffix(",\"body\":\"hi\"}\n"))
        let bytes = await Run.godwit("get", "\(server.url)bytes", "--json-output")
        #expect(bytes.output.hasSuffix(",\"bodyBase64\":\"/w==\"}\n"))
        let broken = await Run.godwit("get", "\(server.url)broken", "--json-output")
        #expect(broken.output.hasPrefix("{\"error\":{\"kind\":\"transport.connection_lost\",\"message\":\""))
        #expect(broken.code == .network)
    }

    @Test("G1 a reader that closes the pipe ends the transfer quietly")
    func closedOutput() async throws {
        let server = try await MockServer { $0.get("/").reply(.endlessChunks(of: 1000, every: .milliseconds(1))) }
        let run = await Run.godwit("get", "\(server.url)", output: CapturedOutput(closesAfter: 5000))
        #expect(run.code == .outputClosed)
        #expect(run.errors.isEmpty)
        try await server.waitUntilConnectionsClose()
    }

    @Test("G1 a body is printed as it arrives")
    func streaming() async throws {
        let server = try await MockServer { $0.get("/").reply(.endlessChunks(of: 10, every: .milliseconds(1))) }
        let output = CapturedOutput()
        let command = Command(input: ScriptedInput([]), output: output, errors: CapturedOutput())
        let task = Task { await command.run(["get", "\(server.url)"]) }
        while output.data.count < 50 { await Task.yield() }
        task.cancel()
        #expect(await task.value == .interrupted)
        try await server.waitUntilConnectionsClose()
    }
}
