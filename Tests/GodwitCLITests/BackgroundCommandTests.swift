#if canImport(Glibc)
import Glibc
import Godwit
import GodwitBackground
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("BackgroundSession on the command line", .timeLimit(.minutes(15)))
final class BackgroundCommandTests {
    private let folder = TemporaryFolder()

    deinit {
        let socket = TransferPlaces(folder: URL(filePath: folder.path("queue"))).socket.path
        if let daemon = LocalSocket.connected(to: socket, lineLimit: 100)?.peerProcess { kill(daemon, SIGKILL) }
    }

    private func godwit(_ arguments: String...) async -> Run {
        await Run.godwit(arguments + ["--queue", folder.path("queue")])
    }

    @Test("B8 download --background adds a job and exits; transfers follow prints its result once")
    func download() async throws {
        let server = try await MockServer { route in
            route.get("/a.txt").reply(.text("content"))
            route.get("/missing").reply(.status(.notFound))
        }
        let added = await godwit("download", "\(server.url)/a.txt", "--background", "--into", folder.url.path)
        #expect(added.code == .success)
        #expect(added.output.dropLast().count == 36)
        let told = await godwit("transfers", "follow")
        #expect(told.code == .success)
        #expect(told.output == "\(added.output.dropLast())  downloaded  \(folder.path("a.txt"))\n")
        #expect(try folder.read("a.txt") == "content")
        let again = await godwit("transfers", "follow")
        #expect(again.output == "")
        _ = await godwit("download", "\(server.url)/missing", "--background", "--into", folder.url.path)
        #expect(await godwit("transfers", "follow").code == .httpStatus)
    }

    @Test("B8 upload --background and the JSON objects")
    func upload() async throws {
        let server = try await MockServer { route in route.put("/a").reply(.text("thanks", status: .created)) }
        let file = try folder.write("what is sent", to: "b")
        let added = await godwit(
            "upload", file, "\(server.url)/a", "--background", "--json-output", "-H", "Authorization: Bearer s3cret")
        #expect(added.output.contains("\"url\":\"\(server.url)/a\""))
        let told = await godwit("transfers", "follow", "--json-output")
        #expect(told.output.contains(#""outcome":"uploaded","status":201,"bodyBase64":"dGhhbmtz""#))
        #expect(server.requests.first?.fields[.authorization] == "Bearer s3cret")
    }

    @Test("B8 jobs are listed without secrets, paused, resumed and cancelled")
    func jobs() async throws {
        let server = try await MockServer { route in route.any("*").reply(.hang) }
        let url = "\(server.url)/a?token=s3cret"
        let id = await godwit("download", url, "--background", "--into", folder.url.path).output.dropLast()
        _ = try await server.waitForRequests()
        let list = await godwit("transfers", "list")
        #expect(list.output.hasPrefix("\(id)  running  0 B  "))
        #expect(!list.output.contains("s3cret"))
        #expect(await godwit("transfers", "list", "--session", "another").output == "")
        #expect(await godwit("transfers", "pause", String(id.prefix(8))).code == .success)
        // What is paused is not waited for.
        var state = await godwit("transfers", "--json-output").output
        while state.contains(#""state":"running""#) { state = await godwit("transfers", "--json-output").output }
        #expect(state.contains(#""state":"paused""#))
        #expect(await godwit("transfers", "follow").output == "")
        #expect(await godwit("transfers", "resume", String(id)).code == .success)
        _ = try await server.waitForRequests(count: 2)
        #expect(await godwit("transfers", "cancel", String(id)).code == .success)
        let told = await godwit("transfers", "follow")
        #expect(told.output == "\(id)  failed  canceled\n")
        #expect(told.code == .interrupted)
    }

    @Test("B8 a program started by cron finds the process and the jobs of another shell")
    func otherEnvironment() async throws {
        let server = try await MockServer { route in route.any("*").reply(.text("content")) }
        let program = try #require(SpawnedProgram.path)
        func run(_ environment: [String], _ words: String...) async throws -> (output: String, code: Int32) {
            let line = ["/usr/bin/env", "-i", "HOME=\(folder.url.path)"] + environment + [program] + words
            let spawned = try SpawnedProgram(line: line)
            let output = String(decoding: await spawned.standardOutput(), as: UTF8.self)
            return (output, await spawned.exitCode())
        }
        let url = "\(server.url)/a.txt"
        let desktop = ["XDG_RUNTIME_DIR=\(folder.url.path)", "LANG=de_DE.UTF-8"]
        let added = try await run(desktop, "download", url, "--background", "--into", folder.url.path)
        #expect(added.code == 0)
        let places = TransferPlaces(folder: URL(filePath: folder.path(".local/state/godwit")))
        let daemon = LockRecord.holder(of: places.lock)?.process
        let told = try await run([], "transfers", "follow")
        #expect(told.output == "\(added.output.dropLast())  downloaded  \(folder.path("a.txt"))\n")
        #expect(told.code == 0)
        #expect(LockRecord.holder(of: places.lock)?.process == daemon)
        if let daemon, daemon > 1 { kill(daemon, SIGKILL) }
    }

    @Test("B8 G1 transfers service installs, shows and removes the units")
    func service() async throws {
        let program = try #require(ChildProgram.built("godwit-transferd")).path
        let environment = ["HOME": folder.url.path, "PATH": "/none"]
        let queue = folder.path("queue")
        func service(_ words: String...) async -> Run {
            await Run.godwit(
                ["transfers", "service"] + words + ["--queue", queue, "--program", program], environment: environment)
        }
        #expect(await service().output == "not installed\nnot running\n")
        let installed = await service("install")
        #expect(installed.code == .success)
        let place = folder.path(".config/systemd/user/godwit-transferd")
        #expect(installed.output == "installed  \(place).service\ninstalled  \(place).socket\nnot running\n")
        #expect(
            installed.errors == """
                godwit: warning: systemctl is not on the PATH; the units take effect when you log in next

                """)
        #expect(await service("status").output == installed.output)
        #expect(await service("uninstall").output == "not installed\nnot running\n")
        #expect(await service("restart").code == .usage)
        #expect(await Run.godwit("transfers", "service", "--help").output.contains("loginctl enable-linger"))
    }

    @Test(
        "B8 an invalid command line is refused",
        arguments: [
            ["transfers", "remove"], ["transfers", "pause"], ["transfers", "list", "x"], ["transfers", "pause", "zzz"],
            ["download", "http://127.0.0.1/a", "--background", "--proxy", "none"],
            ["download", "http://127.0.0.1/a", "--background", "-v"],
            ["upload", "-", "http://127.0.0.1/a", "--background"],
            ["download", "http://127.0.0.1/a", "--background", "--retry", "3"],
            ["download", "http://127.0.0.1/a", "--background", "--parallel", "3"],
            ["download", "http://127.0.0.1/a", "--background", "--har", "h"],
            ["download", "http://127.0.0.1/a", "--background", "--timing"],
            ["download", "http://127.0.0.1/a", "--background", "--http1"],
            ["download", "http://127.0.0.1/a", "--background", "--unix-socket", "s"],
            ["download", "http://127.0.0.1/a", "--background", "--cookie-jar", "c"],
            ["download", "http://127.0.0.1/a", "--background", "-H", "Accept:"],
            ["download", "http://127.0.0.1/a", "--discretionary"],
            ["download", "http://127.0.0.1/a", "--pin", "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="],
            [
                "download", "https://127.0.0.1/a", "https://localhost/a", "--pin",
                "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
            ],
        ])
    func refused(line: [String]) async throws {
        #expect(await Run.godwit(line + ["--queue", folder.path("queue")]).code == .usage)
    }

    @Test("B8 --no-follow, --max-redirects and --connections hold in the background too")
    func rules() async throws {
        let server = try await MockServer { route in
            route.get("/a").reply(.redirect(to: "/b"))
            route.get("/b").reply(.text("x"))
        }
        let line = ["download", "\(server.url)/a", "--background", "--into", folder.url.path]
        for (more, code) in [
            (["--no-follow"], .httpStatus), (["--max-redirects", "0"], .network),
            (["--max-redirects", "1", "--connections", "2"], .success),
        ] as [([String], ExitCode)] {
            #expect(await Run.godwit(line + more + ["--queue", folder.path("queue")]).code == .success)
            #expect(await godwit("transfers", "follow").code == code)
        }
        #expect(server.requests.last?.fields[.range] == "bytes=0-1048575")
    }

    @Test("B8 --token-file signs in, in the background by the file's path", arguments: [false, true])
    func tokenFile(isInBackground: Bool) async throws {
        let server = try await MockServer { route in
            route.get("/a").reply(.text("x"))
            route.put("/a").reply(.text("thanks"))
        }
        let token = folder.path("token")
        try FileTokenStore(at: URL(filePath: token)).save(AccessToken(access: "s3cret"))
        let more = ["--token-file", token] + (isInBackground ? ["--background", "--queue", folder.path("queue")] : [])
        let down = await Run.godwit(["download", "\(server.url)/a", "-o", folder.path("a")] + more)
        #expect(down.code == .success)
        let up = await Run.godwit(["upload", token, "\(server.url)/a"] + more)
        #expect(up.code == .success)
        if isInBackground { #expect(await godwit("transfers", "follow").code == .success) }
        #expect(server.requests.map { $0.fields[.authorization] } == ["Bearer s3cret", "Bearer s3cret"])
        let none = await Run.godwit(["download", "\(server.url)/a", "--token-file", folder.path("none")])
        #expect(none.code == .file)
        for run in [down, up, none] { #expect(!(run.output + run.errors).contains("s3cret")) }
    }

    @Test(
        "B8 --cacert, --pin and --cert hold in the background too",
        .enabled(if: ProcessInfo.processInfo.environment["GODWIT_TEST_CERTIFICATES"] != nil))
    func trust() async throws {
        let variables = ProcessInfo.processInfo.environment
        let certificates = try #require(variables["GODWIT_TEST_CERTIFICATES"])
        let url = try #require(variables["GODWIT_TEST_NGINX_CLIENTCERT"]) + "/1k.json"
        func pin(_ name: String) throws -> [String] {
            let text = try String(contentsOf: URL(filePath: "\(certificates)/\(name).pin"), encoding: .utf8)
            return ["--pin", "sha256//" + text.filter { !$0.isNewline }]
        }
        let trust = ["--cacert", "\(certificates)/ca.pem"]
        let shown = ["--cert", "\(certificates)/client.pem", "--key", "\(certificates)/client.key"]
        for (more, code) in [
            (shown, .insecure), (trust, .httpStatus), (trust + shown + (try pin("stranger")), .insecure),
            (trust + shown + (try pin("localhost")), .success),
        ] as [([String], ExitCode)] {
            let foreground = await Run.godwit(["download", url, "--into", folder.url.path, "--force"] + more)
            #expect(foreground.code == code, "\(more)")
            let line = ["download", url, "--into", folder.url.path, "--force", "--background"]
            #expect(await Run.godwit(line + more + ["--queue", folder.path("queue")]).code == .success)
            #expect(await godwit("transfers", "follow").code == code, "\(more)")
        }
        let line = ["download", url, "--background", "--cacert", "/none", "--queue", folder.path("queue")]
        #expect(await Run.godwit(line).code == .file)
    }

    @Test("B8 transfers has a help page")
    func help() async {
        #expect(await Run.godwit("help", "transfers").output.contains("--session NAME"))
        #expect(await Run.godwit("transfers", "--help").code == .success)
        #expect(await Run.godwit("help").output.contains("transfers list"))
    }
}
#endif
