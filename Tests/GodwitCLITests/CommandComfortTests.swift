#if canImport(Glibc)
import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 godwit: what saves typing", .timeLimit(.minutes(15)))
struct CommandComfortTests {
    private func echo() async throws -> MockServer {
        try await MockServer { $0.any("*").reply { .text("\($0.method) \($0.target) \($0.text)") } }
    }

    @Test(
        "G1 a line without a command is a request", arguments: [[], ["GET"], ["request"], ["--no-follow"], ["DELETE"]])
    func shorthand(words: [String]) async throws {
        let server = try await echo()
        let run = await Run.godwit(words + ["127.0.0.1:\(server.url.port)/x"])
        #expect(run.output == "\(words == ["DELETE"] ? "DELETE" : "GET") /x ")
    }

    @Test(
        "G1 names with brackets make nested JSON",
        arguments: [
            (["a[b]=c", "a[d]:=1"], "{\"a\":{\"b\":\"c\",\"d\":1}}"), (["t[]=a", "t[]=b"], "{\"t\":[\"a\",\"b\"]}"),
            (["r[1][id]:=2"], "{\"r\":[null,{\"id\":2}]}"), (["[]=x", "[]:=1"], "[\"x\",1]"),
            (["r[0][id]:=1", "r[0][n]=x"], "{\"r\":[{\"id\":1,\"n\":\"x\"}]}"), (["a\\[b\\]=c"], "{\"a[b]\":\"c\"}"),
            (["a=1", "a=2"], "{\"a\":\"2\"}"),
        ])
    func nested(items: [String], expected: String) async throws {
        let server = try await echo()
        #expect(await Run.godwit(["\(server.url)"] + items).output == "POST / \(expected)")
    }

    @Test(
        "G1 a name that isn't a place in JSON is refused, and nothing is sent",
        arguments: [
            (["a[=1"], "isn't closed"), (["a[b]c=1"], "a [ must follow ]"), (["a[10000]=1"], "at most 9999"),
            (["a[]=1", "a[b]=2"], "makes an array"), (["a=1", "a[b]=2"], "makes a value"),
            (["a=1", "[]=2"], "makes an object"),
        ])
    func refused(items: [String], reason: String) async throws {
        let server = try await echo()
        let run = await Run.godwit(["\(server.url)"] + items)
        #expect(run.code == .usage)
        #expect(run.errors.contains(reason), "\(run.errors)")
        #expect(server.requests.isEmpty)
    }

    @Test("G1 --offline prints the request with what the transport adds, hides secrets, and sends nothing")
    func offline() async throws {
        let server = try await echo()
        let line = ["\(server.url)a?token=S3", "name=Ann", "password=S3", "--bearer", "S3", "--offline"]
        let run = await Run.godwit(line)
        #expect(run.output.hasPrefix("POST /a?token=<redacted> HTTP/1.1\r\nHost: 127.0.0.1:\(server.url.port)\r\n"))
        #expect(run.output.hasSuffix("\r\n\r\n{\"name\":\"Ann\",\"password\":\"<redacted>\"}\n"))
        #expect(!run.output.contains("S3"))
        let shown = await Run.godwit(line + ["--show-secrets"]).output
        #expect(shown.contains("Authorization: Bearer S3\r\n") && shown.contains("?token=S3 "))
        #expect(server.requests.isEmpty)
        #expect(await Run.godwit("\(server.url)", "--offline", "--repeat", "2").code == .usage)
    }

    @Test("G1 --curl prints a command that godwit curl runs to the same request")
    func curl() async throws {
        let server = try await echo()
        let printed = await Run.godwit("PUT", "\(server.url)a?b=c", "n=it's", "X-A:1", "--curl").output
        #expect(server.requests.isEmpty)
        let run = await Run.godwit("curl", printed)
        #expect(run.output == "PUT /a?b=c {\"n\":\"it's\"}")
        #expect(server.requests[0].fields["X-A"] == "1")
        let words = await Run.godwit(
            "curl", "-d", "a=1", "--data-raw", "@b", "--data-urlencode", "c=d e", "\(server.url)")
        #expect(words.output == "POST / a=1&@b&c=d%20e")
    }

    @Test("G1 godwit curl takes a URL of --url, and sends a file of -T with PUT to its name")
    func curlUpload() async throws {
        let server = try await echo()
        let folder = TemporaryFolder()
        let file = try folder.write("text", to: "a b.txt")
        #expect(await Run.godwit("curl", "--url", "\(server.url)x").output.hasPrefix("GET /x"))
        #expect(await Run.godwit("curl", "-T", file, "\(server.url)in/").output == "PUT /in/a%20b.txt text")
        #expect(await Run.godwit("curl", "-T", file, "-X", "POST", "\(server.url)x").output == "POST /x text")
        #expect(await Run.godwit("curl", "-T", file, "-d", "a", "\(server.url)x").code == .usage)
        #expect(
            await Run.godwit("curl", "--url", "\(server.url)", "\(server.url)").errors.contains("more than one URL"))
    }

    @Test("G1 godwit curl follows redirects only with -L, as curl")
    func curlRedirects() async throws {
        let server = try await MockServer { route in
            route.get("/r").reply(.redirect(to: "/a"))
            route.get("/a").reply(.text("a"))
        }
        #expect(await Run.godwit("curl", "-w", "%{http_code}", "\(server.url)r").output.hasSuffix("302"))
        #expect(await Run.godwit("curl", "curl -L '\(server.url)r'").output == "a")
        #expect(await Run.godwit("curl", "curl a b").errors.contains("more than one URL"))
        #expect(await Run.godwit("curl", "curl 'a").code == .usage)
    }

    @Test("G1 -w prints curl's variables, and refuses unknown ones")
    func writeOut() async throws {
        let server = try await MockServer { _ in .text("four") }
        let run = await Run.godwit(
            "\(server.url)", "-q", "-w", "%{http_code} %{size_download} %{method} %{http_version} %{remote_ip}%%\\n")
        #expect(run.output == "200 4 GET 1.1 127.0.0.1%\n")
        let port = await Run.godwit("\(server.url)", "-qw", "%{local_port}").output
        #expect(Int(port).map { (1...65535).contains($0) } == true)
        let time = await Run.godwit("\(server.url)", "-qw", "%{time_total}").output
        // Microseconds, as curl prints them.
        #expect(Double(time) != nil && time.split(separator: ".").last?.count == 6)
        #expect(await Run.godwit("\(server.url)", "-w", "%{nothing}").errors.contains("known are http_code"))
        #expect(await Run.godwit("\(server.url)", "-w", "%{open").code == .usage)
    }

    @Test("G1 --resolve, --connect-to and a Host field choose the server")
    func routes() async throws {
        let server = try await MockServer { .text($0.fields[.host] ?? "-") }
        let port = server.url.port
        #expect(
            await Run.godwit("http://a.test:\(port)/", "--resolve", "a.test:\(port):127.0.0.1").output
                == "a.test:\(port)")
        #expect(await Run.godwit("http://b.test/", "--connect-to", "b.test:80:127.0.0.1:\(port)").output == "b.test")
        #expect(await Run.godwit("\(server.url)", "Host:c.test").output == "c.test")
        #expect(
            await Run.godwit("\(server.url)", "-H", "Host: c.test", "--offline").output.contains("Host: c.test\r\n"))
        #expect(await Run.godwit("\(server.url)", "Host:a/b").code == .usage)
        #expect(await Run.godwit("\(server.url)", "--connect-to", "a:b").code == .usage)
    }

    @Test("G1 a part of a form has the name and type that were given; --form-string gives @ no meaning")
    func parts() async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { .text($0.text) }
        let file = try folder.write("text", to: "a.txt")
        let run = await Run.godwit(
            "\(server.url)", "-F", "f=@\(file);filename=b.csv;type=text/csv", "-F", "j={};type=application/json",
            "--form-string", "s=@x;type=y", "-F", "t=<\(file)")
        #expect(run.output.contains("name=\"f\"; filename=\"b.csv\"\r\nContent-Type: text/csv\r\n\r\ntext\r\n"))
        #expect(run.output.contains("name=\"j\"\r\nContent-Type: application/json\r\n\r\n{}\r\n"))
        #expect(
            run.output.contains("name=\"s\"\r\n\r\n@x;type=y\r\n") && run.output.contains("name=\"t\"\r\n\r\ntext\r\n"))
        let typed = await Run.godwit(
            "\(server.url)", "-F", "a=@\(file);type=text/plain; charset=utf-8;filename=c", "-F",
            "b=x;y;type=text/plain; charset=utf-8")
        #expect(typed.output.contains("filename=\"c\"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\ntext"))
        #expect(typed.output.contains("name=\"b\"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nx;y\r\n"))
        #expect(await Run.godwit("\(server.url)", "-F", "f=@\(file);size=3").code == .usage)
        #expect(await Run.godwit("\(server.url)", "-F", "f=@\(file);type=csv").code == .usage)
    }

    @Test("G1 -OJ writes the name that the server gives, without its folders")
    func serverName() async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { _ in
            .text("n").field(.contentDisposition, "attachment; filename=\"../../named.txt\"")
        }
        let program = try SpawnedProgram(["\(server.url)x", "-OJ", "--ignore-stdin"], in: folder)
        #expect(await program.exitCode() == 0)
        #expect(try folder.names == ["named.txt"])
        #expect(await Run.godwit("\(server.url)", "-OJ", "a=1").code == .usage)
    }

    @Test("G1 colors are for terminals, and NO_COLOR, TERM=dumb and --color change that")
    func colors() async throws {
        let server = try await MockServer { _ in .bytes(Data("{\"a\":[1,true]}".utf8), contentType: "application/json")
        }
        let colored =
            "{\n  \u{1B}[36m\"a\"\u{1B}[0m: [\n    \u{1B}[33m1\u{1B}[0m,\n    \u{1B}[35mtrue\u{1B}[0m\n  ]\n}\n"
        let plain = "{\n  \"a\": [\n    1,\n    true\n  ]\n}\n"
        func output(_ options: String..., terminal: Bool, _ environment: [String: String] = [:]) async -> String {
            let output = CapturedOutput(isTerminal: terminal)
            return await Run.godwit(["\(server.url)"] + options, output: output, environment: environment).output
        }
        #expect(await output(terminal: true) == colored)
        #expect(await output(terminal: true, ["NO_COLOR": "1"]) == plain)
        #expect(await output(terminal: true, ["TERM": "dumb"]) == plain)
        #expect(await output("--color=never", terminal: true) == plain)
        #expect(await output("--color=always", terminal: false) == colored)
        #expect(await output(terminal: false) == "{\"a\":[1,true]}")
        #expect(
            await output("-i", "--color=always", terminal: false).hasPrefix("\u{1B}[1;32mHTTP/1.1 200 OK\u{1B}[0m\r\n"))
    }

    @Test("G1 a text with escape sequences can't control the terminal, and a pipe gets it unchanged")
    func escapes() async throws {
        let server = try await MockServer { _ in .text("a\u{1B}[2Jb\n") }
        #expect(await Run.godwit("\(server.url)", output: CapturedOutput(isTerminal: true)).output == "a\\u{1b}[2Jb\n")
        #expect(await Run.godwit("\(server.url)").output == "a\u{1B}[2Jb\n")
    }

    @Test("G1 JSON and heads can't control the terminal either")
    func escapesInJSON() async throws {
        let server = try await MockServer { _ in
            .bytes(Data("{\"a\":\"\u{9B}2J\"}\u{1B}[2J".utf8), contentType: "application/json").field("X-A", "\u{1B}c")
        }
        let output = CapturedOutput(isTerminal: true)
        let run = await Run.godwit("\(server.url)", "-i", output: output, environment: ["NO_COLOR": "1"])
        #expect(run.output.contains("{\"a\":\"\\u{9b}2J\"}\\u{1b}[2J"))
        #expect(!run.output.contains("\u{1B}"))
    }

    @Test(
        "G1 a transport refuses connection targets and Host fields of another form",
        arguments: [
            (["a": "b:1"], [:]), (["a:1": "b"], [:]), ([:], ["a": "b"]), ([:], ["a:1": "b/c"]),
            ([:], ["a:1": "b\r\nX: y"]),
        ])
    func invalidRoutes(targets: [String: String], hosts: [String: String]) {
        #expect(throws: NetworkError.self) {
            try SocketTransport {
                $0.connectionTargets = targets
                $0.hostFields = hosts
            }
        }
    }

    @Test("G1 K3 a cookie file keeps session cookies only on request")
    func sessionCookies() throws {
        let folder = TemporaryFolder()
        for keeps in [false, true] {
            let file = CookieFile(folder.url.appending(path: "\(keeps)"), keepsSessionCookies: keeps)
            let jar = try CookieJar(file: file)
            try jar.add(Cookie(name: "s", value: "1", domain: "a.test"))
            try jar.save()
            let read = try CookieJar(file: file).cookies
            #expect(read.map(\.name) == (keeps ? ["s"] : []))
            #expect(read.allSatisfy { !$0.isPersistent })
        }
    }

    @Test("G1 --repeat sends on one connection; its code is the last failure's")
    func repetition() async throws {
        let server = try await MockServer { $0.get("/").replies([.text("a"), .status(503), .text("c")]) }
        let run = await Run.godwit("\(server.url)", "--repeat", "3")
        #expect(run.code == .httpStatus)
        #expect(run.output == "ac")
        #expect(Set(server.requests.map(\.connection)).count == 1)
    }

    @Test("G1 --repeat sends an input again that fits into memory, and refuses one that is streamed")
    func repeatedInput() async throws {
        let server = try await echo()
        let line = ["post", "\(server.url)", "--json", "-", "--repeat", "2"]
        #expect(await Run.godwit(line, input: ["{}"]).output == "POST / {}POST / {}")
        let long = String(repeating: " ", count: 9 << 20)
        #expect(await Run.godwit(line, input: [long, "{}"]).code == .usage)
        #expect(server.requestCount == 2)
    }

    @Test("G1 --watch waits between requests, and continues after a failure")
    func watch() async throws {
        let server = try await MockServer { $0.get("/").replies([.text("a"), .text("b")]) }
        let clock = TestClock()
        async let run = Run.godwit("\(server.url)", "--watch", "5", "--repeat", "2", clock: clock)
        try await clock.waitForSleepers()
        #expect(server.requests.count == 1)
        clock.advance(by: .seconds(5))
        #expect(await run.output == "ab")
    }

    @Test("G1 each shell's completion has every command and option, and bash accepts its script")
    func completion() async throws {
        for shell in ["bash", "zsh", "fish"] {
            let text = await Run.godwit("completion", shell).output
            for word in ["download", "generate", "transfers", "sessions"] { #expect(text.contains(word)) }
            for name in ["data-urlencode", "connect-to", "json-output", "client-id", "parallel"] {
                #expect(text.contains(shell == "fish" ? "-l \(name)" : "--\(name)"), "\(shell) \(name)")
            }
        }
        #expect(await Run.godwit("completion").code == .usage)
        #expect(await Run.godwit("completion", "bsh").errors.contains("did you mean bash?"))
        let script = await Run.godwit("completion", "bash").output
        let folder = TemporaryFolder()
        let file = try folder.write(
            script + "COMP_WORDS=(godwit get --data-u); COMP_CWORD=2; _godwit; echo \"${COMPREPLY[@]}\"\n", to: "c.bash"
        )
        let bash = try SpawnedProgram(line: ["/bin/bash", file])
        #expect(String(decoding: await bash.standardOutput(), as: UTF8.self) == "--data-urlencode\n")
    }

    @Test("G1 the manual page and the topics come from the same tables as the help")
    func manual() async throws {
        let page = await Run.godwit("man").output
        #expect(page.hasPrefix(".TH GODWIT 1"))
        #expect(page.utf8.allSatisfy { $0 < 0x80 })
        for name in [
            "\\-\\-data\\-urlencode", ".B generate", ".SH EXIT CODES", ".SH SESSIONS", "\\-\\-last\\-event\\-id",
        ] {
            #expect(page.contains(name), "\(name)")
        }
        for topic in ["config", "curl", "input", "items", "output", "sessions", "exit-codes", "signing-in", "urls"] {
            let run = await Run.godwit("help", topic)
            #expect(run.code == .success)
            #expect(run.output.count > 200, "\(topic)")
        }
        #expect(await Run.godwit("help", "sesions").errors.contains("did you mean sessions?"))
        #expect(await Run.godwit("help", "man").output.hasPrefix("Usage: godwit man"))
    }
}
#endif
