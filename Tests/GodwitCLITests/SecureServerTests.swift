import Godwit
import GodwitCommand
import Testing

/// Against the nginx that `script/servers` starts.
@Suite(
    "G1 godwit request: TLS",
    .enabled(if: RealServers.variable("CA") != nil, "needs the servers of script/servers"))
struct SecureServerTests {
    private let authority: String

    init() throws {
        authority = try #require(RealServers.variable("CA"))
    }

    private func url(_ server: String) throws -> String {
        try #require(RealServers.variable("NGINX_\(server)")) + "/1k.json"
    }

    @Test("G1 --cacert trusts an authority; the chart shows the handshake and the protocol")
    func trusted() async throws {
        let run = await Run.godwit("get", try url("H2"), "--cacert", authority, "--timing")
        #expect(run.code == .success)
        #expect(run.output.utf8.count == 1024)
        #expect(run.errors.contains(": 200, HTTP/2, "))
        #expect(run.errors.split(separator: "\n")[3].contains("#"))
    }

    @Test("G1 --http1 keeps to HTTP/1.1")
    func onlyHTTP1() async throws {
        let run = await Run.godwit("get", try url("H2"), "--cacert", authority, "--http1", "-qi")
        #expect(run.output.hasPrefix("HTTP/1.1 200\r\n"))
    }

    @Test("G1 an authority that is not trusted ends with 5, and the line names --cacert")
    func untrusted() async throws {
        let run = await Run.godwit("get", try url("H2"))
        #expect(run.code == .insecure)
        #expect(run.errors.hasPrefix("godwit: the server's certificate is not trusted: "))
        #expect(run.errors.contains("--cacert FILE"))
    }

    @Test("G1 a certificate for another host, or an expired one, ends with 5", arguments: ["WRONGHOST", "EXPIRED"])
    func refused(server: String) async throws {
        #expect(await Run.godwit("get", try url(server), "--cacert", authority).code == .insecure)
    }
}

/// What `script/servers` says about its servers.
private enum RealServers {
    static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment["GODWIT_TEST_\(name)"]
    }
}
