import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 godwit request: persistent cookies, cache and retries", .timeLimit(.minutes(15)))
struct RequestStateTests {
    @Test("G1 K3 a cookie jar persists between commands, and only its owner can read it")
    func jar() async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { route in
            route.get("/in").reply(.text("in").field(.setCookie, "session=s1; Max-Age=3600"))
            route.get("/see").reply { .text($0.fields[.cookie] ?? "none") }
        }
        let file = folder.path("jar")
        #expect(await Run.godwit("get", "\(server.url)/in", "--cookie-jar", file).code == .success)
        #expect(await Run.godwit("get", "\(server.url)/see", "-c", file).output == "session=s1")
        #expect(await Run.godwit("get", "\(server.url)/see").output == "none")
        let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
    }

    @Test("G1 K3 a cookie jar that others can read is refused, and nothing is sent")
    func openJar() async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { $0.any("*").reply(.text("in")) }
        let file = try folder.write("{}", to: "jar")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let run = await Run.godwit("get", "\(server.url)/", "--cookie-jar", file)
        #expect(run.code == .file)
        #expect(run.errors.contains("jar"))
        #expect(server.requests.isEmpty)
    }

    @Test("G1 C2 --cache answers the next command while the response is fresh")
    func cache() async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { $0.get("/").reply(.text("kept").field(.cacheControl, "max-age=60")) }
        for _ in 0..<2 {
            let run = await Run.godwit("get", "\(server.url)/", "--cache", folder.path("cache"))
            #expect(run.code == .success)
            #expect(run.output == "kept")
        }
        #expect(server.requests.count == 1)
    }

    @Test("G1 C2 a cache that cannot be opened is an error, and nothing is sent")
    func badCache() async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { $0.any("*").reply(.text("sent")) }
        let file = try folder.write("", to: "file")
        #expect(await Run.godwit("get", "\(server.url)/", "--cache", file).code == .file)
        #expect(server.requests.isEmpty)
    }

    @Test("G1 C2 --cache works under a symbolic link without a warning")
    func linkedCache() async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { $0.get("/").reply(.text("kept").field(.cacheControl, "max-age=60")) }
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder.path("real"), withIntermediateDirectories: false)
        try manager.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "real")
        for _ in 0..<2 {
            let run = await Run.godwit("get", "\(server.url)/", "--cache", folder.path("link/cache"))
            #expect(run.output == "kept")
            #expect(run.errors == "")
        }
        #expect(server.requests.count == 1)
    }

    @Test("G1 C2 a cache that can't be used is a warning, printed once, and the call continues")
    func unusableCache() async throws {
        let server = try await MockServer { $0.get("/").reply(.text("sent").field(.cacheControl, "max-age=60")) }
        let run = await Run.godwit("get", "\(server.url)/", "--cache", "/proc/self")
        #expect(run.code == .success)
        #expect(run.output == "sent")
        #expect(run.errors.hasPrefix("godwit: warning: the response cache /proc/"))
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test("G1 K3 a cookie jar that can't be written is a warning, and the call succeeds")
    func unwritableJar() async throws {
        let server = try await MockServer { $0.get("/").reply(.text("in").field(.setCookie, "a=s3cret; Max-Age=60")) }
        let folder = TemporaryFolder()
        let run = await Run.godwit("get", "\(server.url)/", "--cookie-jar", folder.path("missing/jar"))
        #expect(run.code == .success)
        #expect(run.output == "in")
        #expect(run.errors.hasPrefix("godwit: warning: the cookie file"))
        #expect(!run.errors.contains("s3cret"))
    }

    @Test("G1 M4 --retry repeats a number of times; without it a failure is reported immediately")
    func retry() async throws {
        let server = try await MockServer { $0.get("/").replies([.status(503), .status(503), .text("at last")]) }
        let once = await Run.godwit("get", "\(server.url)/")
        #expect(once.code == .httpStatus)
        #expect(server.requests.count == 1)

        let clock = TestClock()
        let output = CapturedOutput()
        var command = Command(input: ScriptedInput([]), output: output, errors: CapturedOutput())
        command.clock = clock
        async let code = command.run(["get", "\(server.url)/", "--retry", "1"])
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        #expect(await code == .success)
        #expect(output.text == "at last")
        #expect(server.requests.count == 3)
    }

    @Test("G1 --retry needs a number", arguments: ["-1", "many", "1001", ""])
    func badRetry(_ text: String) async {
        #expect(await Run.godwit("get", "http://127.0.0.1:1/", "--retry=\(text)").code == .usage)
    }
}
