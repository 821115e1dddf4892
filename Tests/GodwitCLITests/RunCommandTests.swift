import Godwit
import GodwitCommand
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("G1 G7 godwit run: files of requests", .timeLimit(.minutes(15)))
struct RunCommandTests {
    private let folder = TemporaryFolder()

    private func run(
        _ text: String, _ arguments: String..., server: MockServer? = nil, environment: [String: String] = [:],
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> Run {
        let file = try folder.write(text, to: "a.hurl")
        let host = server.map { ["--variable", "host=\($0.url)".trimmedSlash] } ?? []
        return await Run.godwit(["run", file] + host + arguments, environment: environment, clock: clock)
    }

    @Test("G7 requests are sent in order, captures are used later, and cookies are kept")
    func login() async throws {
        let server = try await MockServer { route in
            route.post("/login").reply { request in
                let isKnown = ["user=ann&password=p%20w", "user=ann&password=p+w"].contains(request.text)
                return MockResponse(
                    status: isKnown ? .ok : .forbidden,
                    fields: ["Set-Cookie": "session=s1; Path=/; HttpOnly", "Content-Type": "application/json"],
                    body: #"{"token": "t-1", "ids": [3, 4]}"#)
            }
            route.get("/items/3").reply { request -> MockResponse in
                let fields = "\(request.fields["Authorization"] ?? "-") \(request.fields["Cookie"] ?? "-")"
                return .json(["fields": .string(fields), "q": .string(request.query ?? "")])
            }
        }
        let text = """
            # Sign in.
            POST {{host}}/login
            [Form]
            user: ann
            password: p w
            HTTP 200
            Content-Type: application/json
            [Captures]
            token: jsonpath "$.token"
            id: jsonpath "$.ids[0]"
            [Asserts]
            cookie "session" == "s1"
            cookie "session[HttpOnly]" exists
            cookie "session[Secure]" not exists
            jsonpath "$.ids" count == 2
            variable "token" startsWith "t-"

            GET {{host}}/items/{{id}}?a=1   # The captured one.
            Authorization: Bearer {{token}}
            [Query]
            b: x y
            [Cookies]
            theme: dark
            HTTP/1.1 200
            [Asserts]
            jsonpath "$.fields" == "Bearer {{token}} theme=dark; session=s1"
            jsonpath "$.q" matches /^a=1&b=x(%20|\\+)y$/
            duration < 60000
            """
        let run = try await run(text, server: server)
        #expect(run.code == .success, "\(run.output)\(run.errors)")
        #expect(run.output.contains("a.hurl: passed (2 requests in "))
        #expect(run.output.hasSuffix("\n1 file, 2 requests: 1 passed, 0 failed\n"))
        #expect(run.errors.isEmpty)
    }

    @Test("G7 a failed assert shows the place, the line, and what was expected and found, and exits with 10")
    func failure() async throws {
        let server = try await MockServer { $0.get("/").reply(json: ["a": [1, ["b": 2]]]) }
        let text = """
            GET {{host}}/
            HTTP 201
            X-Kind: a
            [Asserts]
            jsonpath "$.a[0]" == 2
              jsonpath "$.a[1].b" > "x"   # late
            {"a": [1, {"b": 3}], "c": null}

            GET {{host}}/next
            """
        let run = try await run(text, server: server)
        #expect(run.code == .checkFailed)
        let name = folder.path("a.hurl")
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        #expect(
            lines.joined(separator: "\n") == """

                \(name):2:6: the status is different
                  2 | HTTP 201
                    |      ^
                  expected: 201
                  found:    200

                \(name):3:1: the header field is different
                  3 | X-Kind: a
                    | ^
                  expected: a
                  found:    nothing

                \(name):5:1: the check failed
                  5 | jsonpath "$.a[0]" == 2
                    | ^
                  expected: == 2
                  found:    1

                \(name):6:3: > can't compare a number with a string: the value is 2
                  6 |   jsonpath "$.a[1].b" > "x"   # late
                    |   ^

                \(name):7:1: the body is different
                  7 | {"a": [1, {"b": 3}], "c": null}
                    | ^
                  differences (- expected, + found, ~ changed):
                    ~ $.a[1].b: expected 3, found 2
                    - $.c: null is missing

                1 file, 1 request: 0 passed, 1 failed

                """)
        #expect(run.output.contains("failed (1 request in ") && run.output.contains("ms, 1 not sent)"))
        #expect(server.requestCount == 1)
    }

    @Test("G7 all files are parsed before anything is sent; a fault exits with 2 and shows the line")
    func syntax() async throws {
        let server = try await MockServer { _ in .text("") }
        let good = try folder.write("GET \(server.url)\n", to: "good.hurl")
        let bad = try folder.write("GET \(server.url)\nHTTP 200\n[Asserts]\nstatus = 200\n", to: "bad.hurl")
        let run = await Run.godwit("run", good, bad)
        #expect(run.code == .usage)
        #expect(
            run.errors == """
                godwit: \(bad):4:8: expected a predicate such as ==, contains or exists, found "="
                  4 | status = 200
                    |        ^

                """)
        #expect(server.requestCount == 0)
    }

    @Test("G7 a variable without a value is found before anything is sent")
    func unknownVariable() async throws {
        let server = try await MockServer { _ in .text("") }
        let run = try await run("GET {{host}}\nGET {{host}}\nX-A: {{tokn}}\n", "--variable", "token=1", server: server)
        #expect(run.code == .usage)
        #expect(run.errors.contains("a.hurl:3:8: the variable tokn has no value (did you mean token?)"))
        #expect(server.requestCount == 0)
    }

    @Test("G7 a refused connection exits with 3 and is shown at its request")
    func refused() async throws {
        let run = try await run("\n\nGET http://127.0.0.1:1/a\n", "--report-junit", folder.path("r.xml"))
        #expect(run.code == .unreachable)
        #expect(run.output.contains("a.hurl:3:1: the request failed: could not connect"))
        #expect(try folder.read("r.xml").contains("<error message=\"the request failed: could not connect"))
    }

    @Test("G7 a request is retried until its checks pass, with a pause, and also a POST")
    func retry() async throws {
        let server = try await MockServer { route in
            route.post("/").replies([.text("no", status: .serviceUnavailable), .text("no"), .text("yes")])
        }
        let text = """
            POST {{host}}/
            [Options]
            retry: 5
            retry-interval: 3s
            HTTP 200
            `yes`
            """
        let clock = TestClock()
        let file = try folder.write(text, to: "a.hurl")
        let run = await clock.run {
            await Run.godwit(["run", file, "--variable", "host=http://127.0.0.1:\(server.url.port)"], clock: clock)
        }
        #expect(clock.now.offset == .seconds(6))
        #expect(run.code == .success, "\(run.output)\(run.errors)")
        #expect(server.requestCount == 3)
    }

    @Test("G7 --retry is used up: the failure names the attempts")
    func retriesUsedUp() async throws {
        let server = try await MockServer { _ in .text("no") }
        let run = try await run(
            "GET {{host}}\nHTTP 201\n", "--retry", "2", "--retry-interval", "0", server: server)
        #expect(run.code == .checkFailed)
        #expect(run.output.contains("the status is different (after 3 attempts)"))
        #expect(server.requestCount == 3)
    }

    @Test("G7 redirects are followed only if the file or --location says so")
    func redirects() async throws {
        let server = try await MockServer { route in
            route.get("/a").reply(.redirect(to: "/b"))
            route.get("/b").reply(.text("there"))
        }
        let text = """
            GET {{host}}/a
            HTTP 302
            Location: /b

            GET {{host}}/a
            [Options]
            location: true
            HTTP 200
            [Asserts]
            url endsWith "/b"
            """
        #expect(try await run(text, server: server).code == .success)
        #expect(try await run("GET {{host}}/a\nHTTP 200\n", "--location", server: server).code == .success)
        #expect(try await run("GET {{host}}/a\nHTTP 302\n", server: server).code == .success)
    }

    @Test("G7 options: skip, repeat, variable, delay, user and max-time")
    func options() async throws {
        let server = try await MockServer { route in
            route.get("/user").reply { .text($0.fields["Authorization"] ?? "") }
            route.get("/hang").reply(.hang)
            route.get("/").reply(.text("ok"))
        }
        let text = """
            GET {{host}}/
            [Options]
            skip: true
            HTTP 500

            GET {{host}}/
            [Options]
            repeat: 3
            variable: name=ann
            variable: text="1"
            delay: 0ms
            HTTP 200
            [Asserts]
            variable "text" isString

            GET {{host}}/user
            [Options]
            user: {{name}}:p
            HTTP 200
            `Basic YW5uOnA=`

            GET {{host}}/user
            [BasicAuth]
            bob: secret
            HTTP 200
            `Basic Ym9iOnNlY3JldA==`
            """
        let run = try await run(text, server: server)
        #expect(run.code == .success, "\(run.output)\(run.errors)")
        #expect(run.output.contains("1 file, 5 requests: 1 passed"))
        let slow = try await self.run("GET {{host}}/hang\n[Options]\nmax-time: 50ms\n", server: server)
        #expect(slow.code == .timedOut)
    }

    @Test("G7 --continue-on-error sends the other requests")
    func continues() async throws {
        let server = try await MockServer { _ in .text("no") }
        let text = "GET {{host}}\nHTTP 201\n\nGET {{host}}\nHTTP 200\n"
        let run = try await run(text, "--continue-on-error", server: server)
        #expect(run.code == .checkFailed)
        #expect(server.requestCount == 2)
        #expect(run.output.contains("failed (2 requests in "))
    }

    @Test("G7 secrets are hidden in results, reports and -v")
    func secrets() async throws {
        let server = try await MockServer { route in
            route.get("/").reply { request -> MockResponse in
                .json(["got": .string(request.fields["X-Key"] ?? ""), "next": "n\"xt-key"])
            }
            route.get("/2").reply { .text($0.query ?? "") }
        }
        let text = """
            GET {{host}}/?k={{key}}
            X-Key: {{key}}
            HTTP 200
            [Captures]
            next: jsonpath "$.next" redact
            [Asserts]
            jsonpath "$.got" == "s3cr&t"

            GET {{host}}/2
            [Query]
            n: {{next}}
            HTTP 200
            `nothing`
            """
        let run = try await run(
            text, "--secret", "key", "-v", "--report-json", folder.path("r.json"), "--report-junit",
            folder.path("r.xml"), server: server, environment: ["key": "s3cr&t"])
        #expect(run.code == .checkFailed)
        let reports = try folder.read("r.json") + folder.read("r.xml")
        for text in [run.output, run.errors, reports] {
            #expect(text.contains("***") || text.contains("<redacted>"), "\(text)")
            for secret in [
                "s3cr&t", "s3cr%26t", "s3cr&amp;t", "n\"xt-key", "n%22xt-key", "n\\\"xt-key", "n&quot;xt-key",
            ] {
                #expect(!text.contains(secret), "\(secret) in \(text)")
            }
        }
        let none = try await self.run("GET {{key}}\n", "--secret", "key")
        #expect(none.code == .usage)
        #expect(none.errors.contains("the environment has no key"))
    }

    @Test("G7 files run in parallel, and their results are printed in order")
    func parallel() async throws {
        let server = try await MockServer { _ in .text("ok") }
        let files = try (0..<6).map { try folder.write("GET \(server.url)\nHTTP 200\n", to: "\($0).hurl") }
        let run = await Run.godwit(["run", "--jobs", "3"] + files)
        #expect(run.code == .success)
        let names = run.output.split(separator: "\n").dropLast().compactMap { $0.split(separator: ":").first }
        #expect(names.map(String.init) == files)
        #expect(
            await Run.godwit(["run", "--parallel", "--test"] + files).output.hasSuffix(
                "6 files, 6 requests: 6 passed, 0 failed\n"))
    }

    @Test("G7 --jobs 2 runs two files at the same time")
    func concurrent() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let server = try await MockServer { route in
            route.get("/waits").reply { _ in
                for await _ in arrivals { break }
                return .text("ok")
            }
            route.get("/releases").reply { _ in
                arrival.yield()
                return .text("ok")
            }
        }
        let first = try folder.write("GET \(server.url)waits\nHTTP 200\n", to: "1.hurl")
        let second = try folder.write("GET \(server.url)releases\nHTTP 200\n", to: "2.hurl")
        // One at a time, the first would wait for the second until the time limit.
        let run = await Run.godwit("run", "--jobs", "2", "--max-time", "60", first, second)
        #expect(run.code == .success, "\(run.output)\(run.errors)")
    }

    @Test("G7 an interrupted run exits with 130, and says which file was interrupted")
    func interrupted() async throws {
        let server = try await MockServer { $0.get("/").reply(.hang) }
        let file = try folder.write("GET \(server.url)\n\nGET \(server.url)\n", to: "a.hurl")
        let task = Task { await Run.godwit("run", "--retry", "5", file) }
        _ = try await server.waitForRequests(count: 1)
        task.cancel()
        let run = await task.value
        #expect(run.code == .interrupted)
        #expect(run.output.contains("a.hurl: interrupted (1 request in 0 ms, 1 not sent)"), "\(run.output)")
    }

    @Test("G7 a closed output ends the run with 141")
    func closedOutput() async throws {
        let server = try await MockServer { _ in .text("ok") }
        let file = try folder.write("GET \(server.url)\n", to: "a.hurl")
        let run = await Run.godwit("run", file, file, output: CapturedOutput(closesAfter: 0))
        #expect(run.code == .outputClosed)
    }

    @Test("G7 a report that can't be written exits with 7")
    func unwritableReport() async throws {
        let server = try await MockServer { _ in .text("ok") }
        let run = try await run("GET {{host}}\n", "--report-junit", folder.path("none/r.xml"), server: server)
        #expect(run.code == .file)
        #expect(run.output.contains("passed"))
        #expect(run.errors == "godwit: cannot write \(folder.path("none/r.xml"))\n")
    }

    @Test("G7 the version of HTTP is checked if the file names one")
    func version() async throws {
        let server = try await MockServer { _ in .text("ok") }
        #expect(try await run("GET {{host}}\nHTTP/1.1 200\n", server: server).code == .success)
        #expect(try await run("GET {{host}}\nHTTP/* 200\n", server: server).code == .success)
        let run = try await run("GET {{host}}\nHTTP/2 *\n", server: server)
        #expect(run.code == .checkFailed)
        #expect(run.output.contains("  expected: HTTP/2\n  found:    HTTP/1.1\n"))
    }

    @Test("G7 reports: JUnit has a suite for each file, and JSON each failure")
    func reports() async throws {
        let server = try await MockServer { _ in .text("<no>") }
        let text = "GET {{host}}/\nHTTP 200\n\nGET {{host}}/b\n[Options]\nskip: true\n\nGET {{host}}/\nHTTP *\n`yes`\n"
        let run = try await run(
            text, "--report-junit", folder.path("r.xml"), "--report-json", folder.path("r.json"), server: server)
        #expect(run.code == .checkFailed)
        let name = folder.path("a.hurl")
        let junit = try folder.read("r.xml").split(separator: "\n").map { line in
            line.replacing(/time="[0-9.]+"/, with: "time=\"T\"")
        }
        let url = "\(server.url)"
        #expect(
            junit == [
                #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>",
                #"  <testsuite name="\#(name)" tests="3" failures="1" errors="0" skipped="1" time="T">"#,
                #"    <testcase classname="\#(name)" name="1 GET \#(url)" time="T"/>"#,
                #"    <testcase classname="\#(name)" name="2 GET …" time="T">"#, "      <skipped/>", "    </testcase>",
                #"    <testcase classname="\#(name)" name="3 GET \#(url)" time="T">"#,
                #"      <failure message="the body is different">\#(name):10:1"#, "  10 | `yes`", "     | ^",
                "  expected: &quot;yes&quot;", "  found:    &quot;&lt;no&gt;&quot;</failure>", "    </testcase>",
                "  </testsuite>", "</testsuites>",
            ])
        let json = try JSONValue(JSONDocument(parsing: Data(try folder.read("r.json").utf8)).root)
        guard case .array(let files) = json, case .array(let requests)? = files.first?["requests"] else {
            Issue.record("not a list of files")
            return
        }
        #expect(requests.map { $0["passed"] } == [true, true, false])
        #expect(requests.map { $0["line"] } == [1, 4, 8])
        guard case .array(let failures)? = requests.last?["failures"] else { return }
        #expect(failures.first?["expected"] == "\"yes\"")
        #expect(failures.first?["line"] == 10)
    }

    @Test("G7 --cookie-jar keeps cookies between runs")
    func cookieJar() async throws {
        let server = try await MockServer { route in
            route.get("/set").reply(MockResponse(fields: ["Set-Cookie": "a=1; Max-Age=1000"]))
            route.get("/get").reply { .text($0.fields["Cookie"] ?? "-") }
        }
        let jar = folder.path("jar")
        #expect(try await run("GET {{host}}/set\n", "-c", jar, server: server).code == .success)
        #expect(try await run("GET {{host}}/get\nHTTP 200\n`a=1`\n", "-c", jar, server: server).code == .success)
        #expect(try await run("GET {{host}}/get\nHTTP 200\n`-`\n", server: server).code == .success)
    }

    @Test("G7 variables come from options and files")
    func variables() async throws {
        let server = try await MockServer { .text($0.fields["X"] ?? "") }
        let file = try folder.write("# names\nname = ann\n\nid=7\n", to: "vars")
        let text = """
            GET {{host}}
            X: {{name}} {{id}} {{list split "," nth 1}} {{flag}}
            HTTP 200
            [Asserts]
            body == "ann 8 b true"
            variable "id" == 8
            variable "flag" == {{flag}}
            """
        let run = try await run(
            text, "--variables-file", file, "--variable", "id=8", "--variable", "list=a,b", "--variable", "flag=true",
            server: server)
        #expect(run.code == .success, "\(run.output)\(run.errors)")
        #expect(
            try await self.run("GET x\n", "--variable", "1a=2").errors.contains("\"1a\" is not the name of a variable"))
        #expect(try await self.run("GET x\n", "--variables-file", folder.path("none")).code == .file)
    }

    @Test("G7 a file - is standard input")
    func standardInput() async throws {
        let server = try await MockServer { _ in .text("ok") }
        let run = await Run.godwit("run", "-", input: ["GET \(server.url)\nHTTP ", "201\n"])
        #expect(run.code == .checkFailed)
        #expect(run.output.contains("-:2:6: the status is different"))
    }

    @Test("S2 S4 pins and a certificate apply to the one host of the files; otherwise they are a usage error")
    func pins() async throws {
        let pin = "--pin=\(Pin.sha256([UInt8](repeating: 7, count: 32)))"
        for (text, words) in [
            ("GET https://a.example/\nGET https://b.example/\n", "the URLs name several"),
            ("GET http://127.0.0.1:1/\n", "need an https URL"),
            ("GET https://a.example/\nHTTP 200\n[Captures]\nu: url\n\nGET {{u}}\n", "without captured variables"),
        ] {
            for option in [pin, "--cert=/none.pem"] {
                let run = try await run(text, option)
                #expect(run.code == .usage)
                #expect(run.errors.contains(words), "\(run.errors)")
            }
        }
        let accesses = Mutex<[ServerAccess]>([])
        let file = try folder.write("GET https://{{host}}/\nGET https://a.example/2\n", to: "a.hurl")
        let command = Command(input: ScriptedInput([]), output: CapturedOutput(), errors: CapturedOutput()) { access in
            accesses.withLock { $0.append(access) }
            return EchoTransport(reply: "")
        }
        #expect(await command.run(["run", file, "--variable", "host=a.example", pin]) == .success)
        #expect(accesses.withLock(\.self).map(\.host) == ["a.example"])
    }

    @Test("G7 a missing file exits with 7, no file with 2, and -k is refused")
    func usage() async throws {
        #expect(await Run.godwit("run", folder.path("none.hurl")).code == .file)
        #expect(await Run.godwit("run", folder.url.path).code == .file)
        #expect(await Run.godwit("run").errors == "godwit: the file is missing; see: godwit run --help\n")
        #expect(try await run("GET x\n", "-k").errors.contains("certificates are always checked"))
        #expect(await Run.godwit("run", "--help").output.contains("--report-junit FILE"))
    }
}

extension String {
    fileprivate var trimmedSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
