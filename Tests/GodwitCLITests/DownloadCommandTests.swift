import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 godwit download", .timeLimit(.minutes(15)))
struct DownloadCommandTests {
    private let folder: TemporaryFolder
    private let server: MockServer
    private static let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })

    init() async throws {
        folder = TemporaryFolder()
        server = try await MockServer { route in
            route.get("/a.txt").reply(.text("content"))
            route.get("/b.txt").reply(.text("more").field(.contentDisposition, "attachment; filename=../c.txt"))
            route.get("/missing").reply(.text("no such thing", status: .notFound))
            route.get("/big").reply { request in
                let answer = MockResponse.ranged(Self.content, for: request, etag: "\"1\"")
                return request.fields.contains(.range) ? answer : answer.dropped(after: .bytes(120_000))
            }
        }
    }

    @Test("G1 several URLs are saved in a folder, each path is printed, and standard error is empty")
    func several() async throws {
        let run = await Run.godwit(
            "download", "\(server.url)a.txt", "\(server.url)b.txt", "--into", folder.url.path, "--parallel", "1")
        #expect(run.code == .success)
        #expect(run.output == "\(folder.path("a.txt"))\n\(folder.path("c.txt"))\n")
        #expect(run.errors.isEmpty)
        #expect(try folder.read("c.txt") == "more")
        #expect(try folder.names == ["a.txt", "c.txt"])
    }

    @Test("G1 one failed download decides the exit code; the others complete")
    func oneFails() async throws {
        let run = await Run.godwit("download", "\(server.url)missing", "\(server.url)a.txt", "--into", folder.url.path)
        #expect(run.code == .httpStatus)
        #expect(run.errors.hasPrefix("godwit: HTTP 404 from GET \(server.url)missing: no such thing"))
        #expect(try folder.names == ["a.txt"])
    }

    @Test("G1 B7 --connections fetches a large file in parts and a small one whole")
    func connections() async throws {
        let run = await Run.godwit(
            "download", "\(server.url)a.txt", "-o", folder.path("a.txt"), "--connections", "4", "--quiet")
        #expect(run.code == .success && run.output.isEmpty)
        #expect(try folder.read("a.txt") == "content")
        #expect(server.requests.map { $0.fields[.range] } == ["bytes=0-1048575"])
    }

    @Test("G1 an existing file is kept, replaced, or kept together with the new one")
    func existing() async throws {
        let path = try folder.write("old", to: "a.txt")
        let refused = await Run.godwit("download", "\(server.url)a.txt", "-o", path)
        #expect(refused.code == .file)
        #expect(refused.errors.contains("a.txt exists already") && refused.errors.contains("; replace it with --force"))
        let both = await Run.godwit("download", "\(server.url)a.txt", "-o", path, "--keep-both")
        #expect(both.code == .success)
        #expect(try folder.read("a (2).txt") == "content")
        #expect(try folder.read("a.txt") == "old")
        let forced = await Run.godwit("download", "\(server.url)a.txt", "-o", path, "--force")
        #expect(forced.code == .success)
        #expect(try folder.read("a.txt") == "content")
    }

    @Test(
        "G1 B7 with --resume and -C - a complete file is a success, and is reported",
        arguments: [["--resume"], ["-C", "-"]])
    func alreadyComplete(options: [String]) async throws {
        let path = folder.path("big")
        try Self.content.write(to: URL(filePath: path))
        let run = await Run.godwit(["download", "\(server.url)big", "-o", path] + options)
        #expect(run.code == .success)
        #expect(run.errors == "godwit: \(path) is already complete\n")
        #expect(run.output == "\(path)\n")
        #expect(server.requests.map { $0.fields[.range] } == ["bytes=200000-"])
        let json = await Run.godwit(["download", "\(server.url)big", "-o", path, "--json-output"] + options)
        #expect(json.code == .success && json.errors.isEmpty)
        #expect(json.output.contains("\"alreadyComplete\":true"))
        #expect(try Data(contentsOf: URL(filePath: path)) == Self.content)
    }

    @Test("G1 B7 --resume keeps an incomplete file, and the error reports its size")
    func incomplete() async throws {
        let path = folder.path("big")
        try Self.content.prefix(1000).write(to: URL(filePath: path))
        let run = await Run.godwit("download", "\(server.url)big", "-o", path, "--resume")
        #expect(run.code == .file)
        #expect(run.errors.contains("big exists already and is not the whole content: 1000 of 200000 bytes"))
        #expect(try Data(contentsOf: URL(filePath: path)).count == 1000)
    }

    @Test(
        "G1 --resume and -C - continue an interrupted download; without them it starts over",
        arguments: [
            ["--resume"], ["-C", "-"], [],
        ])
    func resume(options: [String]) async throws {
        let first = await Run.godwit("download", "\(server.url)big", "-o", folder.path("x"), "--retry", "0")
        #expect(first.code == .network)
        #expect(try folder.names == [".x.godwit-part", ".x.godwit-ticket"])
        let errors = CapturedOutput()
        let command = Command(input: ScriptedInput([]), output: CapturedOutput(), errors: errors)
        let code = await command.run(["download", "\(server.url)big", "-o", folder.path("x")] + options)
        #expect(code == .success)
        #expect(try Data(contentsOf: folder.url.appending(path: "x")) == Self.content)
        let ranges = server.requests.map { $0.fields[.range] }
        #expect(ranges == (options.isEmpty ? [nil, nil, "bytes=120000-"] : [nil, "bytes=120000-"]))
        #expect(try folder.names == ["x"])
    }

    @Test("G1 --digest accepts only matching content")
    func digest() async throws {
        let right = "sha-256:ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"
        let good = await Run.godwit(
            "download", "\(server.url)a.txt", "-o", folder.path("a"), "--digest", right)
        #expect(good.code == .success)
        let bad = await Run.godwit(
            "download", "\(server.url)a.txt", "-o", folder.path("b"), "--digest",
            "sha-256:" + String(repeating: "0", count: 64))
        #expect(bad.code == .network)
        #expect(try folder.names == ["a"])
    }

    @Test(
        "G1 contradictory arguments are a usage error, and nothing is sent",
        arguments: [
            [], ["http://x/a", "http://x/b", "-o", "f"], ["http://x/a", "--digest", "md5:1"],
            ["http://x/a", "-C", "5"],
            ["http://x/a", "http://x/b", "--digest", "sha-256:" + String(repeating: "0", count: 64)],
            ["http://x/a", "--parallel", "0"], ["http://x/a", "--connections", "17"], ["@/no/such/file"],
        ])
    func usage(arguments: [String]) async {
        let errors = CapturedOutput()
        let command = Command(input: ScriptedInput([]), output: CapturedOutput(), errors: errors)
        #expect(await command.run(["download"] + arguments) == .usage)
        #expect(errors.text.hasSuffix("see: godwit download --help\n"))
    }

    @Test("G1 URLs are read from a file, and --json-output prints a line for each")
    func json() async throws {
        let list = try folder.write("\(server.url)a.txt\n\n\(server.url)missing\n", to: "list")
        let run = await Run.godwit(
            "download", "@\(list)", "--into", folder.url.path, "--json-output", "--parallel", "1")
        #expect(run.code == .httpStatus)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first == #"{"url":"\#(server.url)a.txt","file":"\#(folder.path("a.txt"))","bytes":7}"#)
        #expect(lines.last?.contains(#""exitCode":22"#) == true)
    }

    @Test("G1 a terminal shows a bar with percent and size, and ends with a full bar")
    func bar() async throws {
        let errors = CapturedOutput(isTerminal: true)
        let command = Command(input: ScriptedInput([]), output: CapturedOutput(), errors: errors)
        #expect(await command.run(["download", "\(server.url)a.txt", "-o", folder.path("a")]) == .success)
        #expect(errors.text.contains("[################] 100%"))
        #expect(errors.text.contains("7 B"))
    }

    @Test("G1 godwit upload sends a file with PUT and prints the response")
    func upload() async throws {
        let sink = try await MockServer { route in route.put("/x").reply { .text("got \($0.body.count)") } }
        let path = try folder.write("0123456789", to: "f.txt")
        let run = await Run.godwit("upload", path, "\(sink.url)x")
        #expect(run.code == .success && run.output == "got 10")
        #expect(sink.requests.first?.fields[.contentType]?.hasPrefix("text/plain") == true)
        let missing = await Run.godwit("upload", folder.path("none"), "\(sink.url)x")
        #expect(missing.code == .file)
        let piped = await Run.godwit("upload", "-", "\(sink.url)x", input: ["abc", "de"])
        #expect(piped.output == "got 5")
    }

    #if canImport(Glibc)
    @Test(
        "G1 B7 after repeated kill -9 a download completes, and hardly any byte is sent twice",
        .enabled(if: SpawnedProgram.path != nil))
    func killed() async throws {
        let size = Self.content.count * 10
        let content = Data((0..<10).flatMap { _ in Self.content })
        var options = MockServer.Options()
        options.sendBuffer = 16 << 10
        let server = try await MockServer(options) { route in
            route.get("/big").reply { request in
                .ranged(content, for: request, etag: "\"1\"").throttled(bytesPerSecond: 1_000_000)
            }
        }
        let part = folder.url.appending(path: ".x.godwit-part")
        let line = ["download", "\(server.url)big", "-o", folder.path("x"), "--resume", "-q"]
        for round in 1...5 {
            let program = try SpawnedProgram(line)
            while ((try? FileManager.default.attributesOfItem(atPath: part.path))?[.size] as? Int ?? 0)
                < round * 200_000
            {
                try await Task.sleep(for: .milliseconds(5))
            }
            program.signal(9)
            #expect(await program.exitCode() == -9)
        }
        #expect(try await SpawnedProgram(line).exitCode() == 0)
        #expect(try Data(contentsOf: folder.url.appending(path: "x")) == content)
        let starts = server.requests.map { $0.fields[.range].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0 }
        #expect(starts.count == 6)
        for (round, start) in starts.enumerated() { #expect(start >= round * 200_000) }
        #expect(starts.allSatisfy { $0 < size })
        #expect(try folder.names == ["x"])
    }

    @Test(
        "G1 B5 a full disk is a file error, and the download can continue later",
        .enabled(if: SpawnedProgram.path != nil))
    func full() async throws {
        let program = try SpawnedProgram(
            shell: "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"",
            ["download", "\(server.url)big", "-o", folder.path("x"), "-q"])
        #expect(await program.exitCode() == ExitCode.file.rawValue)
        #expect(try folder.names == [".x.godwit-part", ".x.godwit-ticket"])
        let again = await Run.godwit("download", "\(server.url)big", "-o", folder.path("x"), "--resume")
        #expect(again.code == .success)
        #expect(try Data(contentsOf: folder.url.appending(path: "x")) == Self.content)
    }
    #endif
}
