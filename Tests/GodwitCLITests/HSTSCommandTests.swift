#if os(Linux)
import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 T18 godwit --hsts", .timeLimit(.minutes(15)))
struct HSTSCommandTests {
    @Test("G1 T18 --hsts keeps what servers demand, uses https from then on, and -v says so")
    func kept() async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer(.tls { $0.names = ["birds.example"] }) {
            $0.any("*").reply(.text("ok").field("Strict-Transport-Security", "max-age=3600"))
        }
        let authority = try folder.file("ca.pem", Data(try #require(server.authority).utf8))
        let port = server.url.port
        let file = folder.url.appending(path: "hsts.txt")
        let common = [
            "--hsts", file.path, "--cacert", authority.path, "--resolve", "birds.example:\(port):127.0.0.1", "-v",
        ]
        let first = await Run.godwit(["https://birds.example:\(port)/1"] + common)
        #expect(first.code == .success && !first.errors.contains("HSTS"), "\(first.errors)")
        #expect(try folder.read("hsts.txt").contains("\nbirds.example \"20"))
        #expect(try folder.mode(of: "hsts.txt") == 0o600)
        let second = await Run.godwit(["http://birds.example:\(port)/2"] + common)
        #expect(second.code == .success, "\(second.errors)")
        #expect(second.errors.hasPrefix("* https instead of http: birds.example demands it (HSTS)\n> GET /2 "))
        let third = await Run.godwit(["http://birds.example:\(port)/3"] + common + ["--json-output"])
        #expect(third.output.contains("\"upgrades\":1"))
        #expect(server.requests.map { $0.tls != nil } == [true, true, true])
        await server.stop()
    }

    @Test("G1 T18 a file that isn't of HSTS is refused before anything is sent")
    func refused() async throws {
        let folder = TemporaryFolder()
        let file = try folder.file("x", Data("{}".utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let run = await Run.godwit("http://127.0.0.1:9/", "--hsts", file.path)
        #expect(run.errors.contains("x is not an HSTS file"), "\(run.errors)")
    }
}
#endif
