import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 what users of curl expect", .timeLimit(.minutes(5)))
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
        let folder = try TemporaryFolder()
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

    @Test("G1 --help NAME is help NAME")
    func help() async {
        #expect(await Run.godwit("--help", "get").output == Run.godwit("get", "--help").output)
    }
}
