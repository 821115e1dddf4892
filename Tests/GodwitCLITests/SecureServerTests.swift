import Godwit
import GodwitCommand
import Testing

/// Against the nginx that `script/servers` starts.
@Suite(
    "G1 godwit request: TLS", .timeLimit(.minutes(15)),
    .enabled(if: RealServers.variable("CA") != nil, "needs the servers of script/servers"))
struct SecureServerTests {
    private let authority: String

    init() throws {
        authority = try #require(RealServers.variable("CA"))
    }

    private func url(_ server: String) throws -> String {
        try #require(RealServers.variable("NGINX_\(server)")) + "/1k.json"
    }

    @Test("G1 --cacert trusts an authority; the timing shows the handshake and the protocol")
    func trusted() async throws {
        let run = await Run.godwit("get", try url("H2"), "--cacert", authority, "--timing")
        #expect(run.code == .success)
        #expect(run.output.utf8.count == 1024)
        #expect(run.errors.contains(": 200, HTTP/2, "))
        #expect(run.errors.split(separator: "\n")[3].contains("#"))
    }

    @Test("G1 --http1 uses HTTP/1.1")
    func onlyHTTP1() async throws {
        let run = await Run.godwit("get", try url("H2"), "--cacert", authority, "--http1", "-qi")
        #expect(run.output.hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test("G1 an untrusted authority exits with 5, and the message names --cacert")
    func untrusted() async throws {
        let run = await Run.godwit("get", try url("H2"))
        #expect(run.code == .insecure)
        #expect(run.errors.hasPrefix("godwit: the server's certificate is not trusted: "))
        #expect(run.errors.contains("--cacert FILE"))
    }

    private func file(_ name: String) throws -> String {
        try #require(RealServers.variable("CERTIFICATES")) + "/" + name
    }

    private func pin(_ name: String) throws -> String {
        "sha256//"
            + (try String(contentsOf: URL(filePath: file("\(name).pin")), encoding: .utf8)).filter { !$0.isNewline }
    }

    @Test(
        "S2 --pin accepts a chain with the key, and exits with 5 for any other",
        .enabled(if: RealServers.tellCertificates))
    func pinned() async throws {
        let trust = ["--cacert", authority, "-q"]
        let other = try pin("stranger")
        for pins in try [["--pin", pin("localhost")], ["--pin", other, "--pin", pin("ca")]] {
            #expect(await Run.godwit(["get", try url("H2")] + trust + pins).code == .success)
        }
        let run = await Run.godwit(["get", try url("H2"), "--pin", other] + trust)
        #expect(run.code == .insecure)
        #expect(run.errors.contains("no pinned key is in the server's certificate chain"))
    }

    @Test("S4 --cert and --key send a certificate; neither is ever printed", .enabled(if: RealServers.tellCertificates))
    func clientCertificate() async throws {
        let trust = ["--cacert", authority, "-v"]
        let shown = try ["--cert", file("client.pem"), "--key", file("client.key")]
        let with = await Run.godwit(["get", try url("CLIENTCERT")] + trust + shown)
        #expect(with.code == .success)
        #expect(await Run.godwit(["get", try url("CLIENTCERT"), "-q"] + trust).code == .httpStatus)
        let wrong = await Run.godwit(
            ["get", try url("CLIENTCERT"), "--cert", try file("client.pem"), "--key", try file("ca.key")] + trust)
        #expect(wrong.code == .insecure)
        #expect(wrong.errors.contains("client certificate"))
        let missing = await Run.godwit(["get", try url("CLIENTCERT"), "--cert", "/no-such.pem"] + trust)
        #expect(missing.errors.contains("cannot read /no-such.pem"))
        let key = try String(contentsOf: URL(filePath: file("client.key")), encoding: .utf8).split(separator: "\n")[1]
        for run in [with, wrong] { #expect(!(run.output + run.errors).contains(key)) }
    }

    @Test("G1 a certificate for another host, or an expired one, exits with 5", arguments: ["WRONGHOST", "EXPIRED"])
    func refused(server: String) async throws {
        #expect(await Run.godwit("get", try url(server), "--cacert", authority).code == .insecure)
    }
}

/// What `script/servers` says about its servers.
private enum RealServers {
    static var tellCertificates: Bool { variable("CERTIFICATES") != nil }

    static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment["GODWIT_TEST_\(name)"]
    }
}
