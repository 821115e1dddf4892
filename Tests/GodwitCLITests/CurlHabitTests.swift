import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 what users of curl expect", .timeLimit(.minutes(15)))
struct CurlHabitTests {
    private let server: MockServer

    init() async throws {
        server = try await MockServer { route in
            route.get("/away").reply { request in
                .redirect(to: "http://b.example.test:\(request.fields[.host]?.split(separator: ":").last ?? "80")/ok")
                    .field("Set-Cookie", "a=1; Domain=example.test")
            }
            route.get("/ok").reply { request in .text(request.fields[.cookie] ?? "none") }
        }
    }

    private var port: Int { server.url.port }

    /// Arguments that lead names of the test to this machine.
    private var names: [String] {
        ["a", "b"].flatMap { ["--resolve", "\($0).example.test:\(port):127.0.0.1"] }
    }

    @Test("G1 -b of a missing file starts with an empty jar")
    func missingJar() async throws {
        let folder = TemporaryFolder()
        let run = await Run.godwit("\(server.url)ok", "-b", folder.path("none"))
        #expect(run.output == "none" && run.code == .success)
    }

    @Test("G1 a redirect from plain http to another host needs --allow-http, and the error says so")
    func plainRedirect() async throws {
        let line = ["http://a.example.test:\(port)/away"] + names
        let refused = await Run.godwit(line)
        #expect(
            refused.code == .insecure && refused.errors.contains("--allow-http b.example.test"), "\(refused.errors)")
        let allowed = await Run.godwit(line + ["--allow-http", "b.example.test"])
        #expect(allowed.code == .success, "\(allowed.errors)")
    }

    @Test("K1 G1 without -c, cookies of a domain reach its other hosts, as with a list of public suffixes")
    func domainCookies() async throws {
        let run = await Run.godwit(
            ["http://a.example.test:\(port)/away", "--allow-http", "b.example.test"] + names)
        #expect(run.output == "a=1", "\(run.errors)")
    }

    @Test("T2 G1 --noproxy names what is reached without the proxy")
    func exceptions() async throws {
        let proxy = ["\(server.url)ok", "--proxy", "http://127.0.0.1:1"]
        #expect(await Run.godwit(proxy).code != .success)
        for list in ["127.0.0.1", "*", "other.example,127.0.0.0/8"] {
            #expect(await Run.godwit(proxy + ["--noproxy", list]).code == .success, "\(list)")
        }
        #expect(await Run.godwit(proxy + ["--noproxy", "other.example"]).code != .success)
    }

    @Test("S7 G1 credentials for this machine don't go to a proxy over plain http, unless the host is named")
    func proxiedCredentials() async throws {
        let line = ["http://127.0.0.1:1/a", "--proxy", "\(server.url)", "--bearer", "S3KR1T-42"]
        let refused = await Run.godwit(line)
        #expect(refused.code == .insecure && server.requestCount == 0, "\(refused.errors)")
        _ = await Run.godwit(line + ["--allow-http", "127.0.0.1"])
        #expect(server.requestCount == 1)
    }

    @Test("G1 -o /dev/null discards the body, as it is not a file to keep")
    func device() async {
        let run = await Run.godwit("\(server.url)ok", "-o", "/dev/null", "-w", "%{http_code}")
        #expect(run.output == "200" && run.code == .success, "\(run.errors)")
    }

    @Test(
        "G1 a second URL is refused rather than sent as a header field; a field is none",
        arguments: [
            ("http://a.test/", false), ("localhost:8080", false), ("127.0.0.1:80/x", false), ("a.test:80/x", false),
            ("http:a", true), ("X.Y:1", true), ("Referer:http://a.test/", true), ("X-Port:80/tcp", true),
        ])
    func secondAddress(word: String, isField: Bool) async {
        let run = await Run.godwit("\(server.url)ok", word)
        #expect(run.code == (isField ? .success : .usage), "\(run.errors)")
        #expect(run.errors.contains("is a second URL") == !isField)
    }

    @Test("G1 one or three slashes after http: are two, as for curl and browsers", arguments: ["http:/", "HTTP:///"])
    func slashes(scheme: String) async {
        for verb in ["get", "curl"] {
            let run = await Run.godwit(verb, "\(scheme)127.0.0.1:\(port)/ok")
            #expect(run.output == "none", "\(run.errors)")
        }
    }

    @Test("G1 download has no -r: its help doesn't list it, and the error names what has")
    func downloadRange() async {
        #expect(await !Run.godwit("download", "--help").output.contains("--range"))
        let run = await Run.godwit("download", "-r", "0-1", "\(server.url)ok")
        #expect(run.code == .usage && run.errors.contains("godwit get"), "\(run.errors)")
    }

    @Test("G1 T2 an error of --unix-socket names the socket, and why it can't be connected to")
    func missingSocket() async throws {
        let folder = TemporaryFolder()
        let run = await Run.godwit("http://localhost/a", "--unix-socket", folder.path("none"))
        #expect(run.code == .unreachable)
        #expect(run.errors.contains("could not connect: \(folder.path("none")): No such file or directory"))
    }

    @Test(
        "G1 an error advises only options that the command has",
        arguments: [
            (["ws", "ws://a.test/"], NetworkError.Kind.redirect(.tooMany(limit: 2)), ["--max-redirects"]),
            (
                ["login", "--client-id", "a", "--issuer", "http://a.test", "--store", "NONE"], .timedOut(.connect),
                ["--connect-timeout"]
            ),
            (["ws", "ws://a.test/"], .timedOut(.total), ["--timeout"]),
            (["ws", "ws://a.test/"], .insecure(.plaintext(host: "b.test")), ["--allow-http"]),
        ])
    func advice(line: [String], kind: NetworkError.Kind, options: [String]) async throws {
        let folder = TemporaryFolder()
        for words in [line.map { $0 == "NONE" ? folder.path("token") : $0 }, ["get", "http://a.test/"]] {
            let errors = CapturedOutput()
            let command = Command(
                input: ScriptedInput([]), output: CapturedOutput(), errors: errors, environment: [:]
            ) { _ in MockTransport { _ in throw NetworkError(kind, phase: .connecting) } }
            #expect(await command.run(words) != .success)
            for option in options { #expect(errors.text.contains(option) == (words[0] == "get"), "\(errors.text)") }
        }
    }

    @Test("G1 a hint for an option of another tool names only options that the command has")
    func foreignOptions() async {
        #expect(await Run.godwit("get", "http://a.test", "-a", "b").errors.contains("use -u NAME:PASSWORD"))
        #expect(!(await Run.godwit("ws", "ws://a.test", "-a", "b").errors.contains("-u NAME")))
        #expect(!(await Run.godwit("mock", "a.har", "--proxy-user", "b").errors.contains("--proxy)")))
    }

    @Test("G1 --help NAME is help NAME")
    func help() async {
        #expect(await Run.godwit("--help", "get").output == Run.godwit("get", "--help").output)
    }
}
