#if canImport(Glibc)
import Glibc
import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

/// Devices, pipes, files without a size, links and long names, as names that a user types.
@Suite("G1 files that aren't plain", .timeLimit(.minutes(5)))
struct OddFileTests {
    private static let content = Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
    private static let version = try? Data(contentsOf: URL(filePath: "/proc/version"))

    private let folder: TemporaryFolder
    private let server: MockServer

    init() async throws {
        folder = try TemporaryFolder()
        server = try await MockServer { route in
            route.get("/big").reply { .ranged(Self.content, for: $0, etag: "\"1\"") }
            route.get("/cut").reply { request in
                let answer = MockResponse.ranged(Self.content, for: request, etag: "\"1\"")
                return request.fields.contains(.range) ? answer : answer.dropped(after: .bytes(15_000))
            }
            route.any("/echo").reply { .bytes($0.body) }
        }
    }

    // MARK: Destinations

    /// A pipe in the folder, open for reading, so that a writer doesn't wait for a reader.
    private func pipe() throws -> (path: String, reading: Int32) {
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        return (path, open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    }

    private func contents(of descriptor: Int32) -> Data {
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 17)
        return Data(bytes.prefix(max(0, read(descriptor, &bytes, bytes.count))))
    }

    @Test(
        "G1 B5 B7 a pipe gets the bytes of a download, is never replaced, and has no hidden files next to it",
        arguments: [[], ["--force"], ["--connections", "4"], ["--keep-both"], ["--resume"]])
    func pipeAsDestination(options: [String]) async throws {
        let (path, reading) = try pipe()
        let run = await Run.godwit(["download", "\(server.url)big", "-o", path] + options)
        #expect(run.code == .success && run.errors.isEmpty)
        #expect(contents(of: reading) == Self.content)
        #expect(try folder.names == ["pipe"])
        #expect(server.requests.map { $0.fields[.range] } == [nil])
    }

    @Test("G1 B7 a pipe gets the rest after a lost connection, in order")
    func pipeAfterLoss() async throws {
        let (path, reading) = try pipe()
        let run = await Run.godwit("download", "\(server.url)cut", "-o", path, "--quiet")
        #expect(run.code == .success)
        #expect(contents(of: reading) == Self.content)
        #expect(server.requests.map { $0.fields[.range] } == [nil, "bytes=15000-"])
    }

    @Test("G1 B5 a link to a pipe is written through, and a link to a file changes the file, not the link")
    func links() async throws {
        let (path, reading) = try pipe()
        try FileManager.default.createSymbolicLink(atPath: folder.path("to-pipe"), withDestinationPath: "pipe")
        #expect(
            await Run.godwit("download", "\(server.url)big", "-o", folder.path("to-pipe"), "--force").code == .success)
        #expect(contents(of: reading) == Self.content)
        unlink(path)
        unlink(folder.path("to-pipe"))
        for verb in ["get", "download"] {
            _ = try folder.write("old", to: "file")
            try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "file")
            let run = await Run.godwit(verb, "\(server.url)big", "-o", folder.path("link"), "--force")
            #expect(run.code == .success)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "file")
            #expect(try Data(contentsOf: URL(filePath: folder.path("file"))) == Self.content)
            #expect(try folder.names == ["file", "link"])
            unlink(folder.path("link"))
        }
    }

    @Test("G1 B7 wrong content in a pipe is an error of its digest, and is not sent again")
    func digest() async throws {
        let (path, reading) = try pipe()
        let wrong = String(repeating: "0", count: 64)
        let run = await Run.godwit("download", "\(server.url)big", "-o", path, "--digest", "sha-256:\(wrong)")
        #expect(run.code == .network && run.errors.contains("digest"))
        #expect(contents(of: reading) == Self.content)
        #expect(server.requestCount == 1)
    }

    // MARK: Names

    @Test(
        "G1 B5 names of up to 255 bytes can be written",
        arguments: ["get", "download"], [241, 250, 255])
    func longNames(verb: String, length: Int) async throws {
        let name = String(repeating: "n", count: length)
        let run = await Run.godwit(verb, "\(server.url)big", "-o", folder.path(name))
        #expect(run.code == .success, "\(run.errors)")
        #expect(try folder.names == [name])
    }

    @Test("G1 B5 a name of 256 bytes fails before anything is sent", arguments: ["get", "download"])
    func tooLongName(verb: String) async throws {
        let name = String(repeating: "n", count: 256)
        let run = await Run.godwit(verb, "\(server.url)big", "-o", folder.path(name))
        #expect(run.code == .file)
        #expect(run.errors.contains("File name too long"))
        #expect(server.requestCount == 0)
        #expect(try folder.names.isEmpty)
    }

    // MARK: Sources

    @Test(
        "G1 B1 a file without a size is sent whole",
        .enabled(if: version != nil),
        arguments: [
            ["upload", "/proc/version"], ["post", "@/proc/version"], ["post", "--data-binary", "@/proc/version"],
            ["post", "-d", "@/proc/version"], ["post", "--json", "@/proc/version"],
        ])
    func withoutSize(words: [String]) async throws {
        let url = "\(server.url)echo"
        let arguments = words[0] == "upload" ? words + [url] : [words[0], url] + words.dropFirst()
        let run = await Run.godwit(arguments)
        #expect(run.code == .success, "\(run.errors)")
        let text = String(decoding: Self.version ?? Data(), as: UTF8.self)
        let sent = words.contains("-d") ? text.filter { $0 != "\n" } : text
        #expect(server.requests.map(\.text) == [sent])
    }

    @Test("G1 B2 a file without a size is a whole part of a form", .enabled(if: version != nil))
    func partWithoutSize() async throws {
        let run = await Run.godwit("post", "\(server.url)echo", "-F", "f=@/proc/version")
        #expect(run.code == .success)
        #expect(run.output.contains(String(decoding: Self.version ?? Data(), as: UTF8.self)))
    }

    @Test("G1 B2 a part of a form is read from standard input, once")
    func partFromInput() async throws {
        let run = await Run.godwit("post", "\(server.url)echo", "-F", "f=@-;filename=a.txt", input: ["some ", "bytes"])
        #expect(run.code == .success)
        #expect(run.output.contains("filename=\"a.txt\"") && run.output.contains("some bytes"))
        let twice = await Run.godwit("post", "\(server.url)echo", "-F", "f=@-", "-F", "g=@-", input: ["x"])
        #expect(twice.code == .usage)
    }

    @Test("G1 B1 an empty file is sent with its length of 0")
    func empty() async throws {
        let path = try folder.write("", to: "empty")
        #expect(await Run.godwit("upload", path, "\(server.url)echo").code == .success)
        #expect(server.requests.map { $0.fields[.contentLength] } == ["0"])
    }

    @Test(
        "G1 B1 a pipe is sent to its end",
        arguments: [
            ["upload"], ["post", "@"], ["post", "--data-binary", "@"], ["post", "-d", "@"], ["post", "-F", "f=@"],
        ])
    func pipeAsSource(words: [String]) async throws {
        let path = folder.path("source")
        #expect(mkfifo(path, 0o600) == 0)
        // Waits until the command opens the pipe.
        let writer = try ChildProgram(["/bin/sh", "-c", "printf 'some bytes' > \"$0\"", path])
        let url = "\(server.url)echo"
        let last = (words.last ?? "") + path
        let arguments =
            words == ["upload"] ? ["upload", path, url] : [words[0], url] + words.dropFirst().dropLast() + [last]
        let run = await Run.godwit(arguments)
        #expect(await writer.end() == 0)
        #expect(run.code == .success, "\(run.errors)")
        #expect(words.contains("-F") ? run.output.contains("some bytes") : run.output == "some bytes")
    }

    @Test("G1 B9 a resumable upload of a file without a size is refused", .enabled(if: version != nil))
    func resumableWithoutSize() async throws {
        let run = await Run.godwit("upload", "/proc/version", "\(server.url)echo", "--resume")
        #expect(run.code == .file)
        #expect(server.requestCount == 0)
    }
}

/// The same in a process of its own.
@Suite(
    "G1 descriptors, signals and limits of the program", .serialized, .timeLimit(.minutes(5)),
    .enabled(if: SpawnedProgram.path != nil, "the godwit binary was not built"))
struct OddProcessTests {
    @Test("G1 B1 /dev/stdin is sent to its end")
    func deviceForInput() async throws {
        let server = try await MockServer { .text($0.text) }
        let program = try SpawnedProgram(["upload", "/dev/stdin", "\(server.url)"])
        program.feed("some bytes")
        #expect(await program.standardOutput() == Data("some bytes".utf8))
        #expect(await program.exitCode() == 0)
    }

    @Test("G1 a body that can't be written because standard output is closed is an error")
    func closedDescriptors() async throws {
        let server = try await MockServer { _ in .text("content") }
        for redirections in ["<&- >&-", ">&-", "<&- >&- 2>&-"] {
            let program = try SpawnedProgram(shell: "exec \"$0\" \"$@\" \(redirections)", ["get", "\(server.url)"])
            #expect(await program.exitCode() == ExitCode.file.rawValue)
        }
        let folder = try TemporaryFolder()
        let file = try SpawnedProgram(
            shell: "exec \"$0\" \"$@\" <&- >&- 2>&-", ["get", "\(server.url)", "-o", folder.path("a")])
        #expect(await file.exitCode() == 0)
        #expect(try folder.read("a") == "content")
    }

    @Test("G1 B5 a closed terminal ends a transfer with exit code 129, and leaves no partial file")
    func hangup() async throws {
        let server = try await MockServer { $0.get("/").reply(.endlessChunks(of: 1000, every: .milliseconds(1))) }
        let folder = try TemporaryFolder()
        let program = try SpawnedProgram(["get", "\(server.url)", "-o", folder.path("a")])
        while try folder.names.isEmpty { await Task.yield() }
        program.signal(SIGHUP)
        #expect(await program.exitCode() == ExitCode.hangup.rawValue)
        #expect(try folder.names.isEmpty)
    }

    @Test("G1 a command that nohup started outlives its terminal")
    func ignoredHangup() async throws {
        let server = try await MockServer { $0.get("/").reply(.endlessChunks(of: 1000, every: .milliseconds(1))) }
        let program = try SpawnedProgram(shell: "trap '' HUP; exec \"$0\" \"$@\"", ["get", "\(server.url)"])
        await program.waitForOutput()
        program.signal(SIGHUP)
        program.signal(SIGTERM)
        #expect(await program.exitCode() == ExitCode.terminated.rawValue)
    }

    @Test("G1 B5 a file beyond the limit of the process is an error, and leaves no partial file")
    func fileSizeLimit() async throws {
        let server = try await MockServer { _ in .bytes(Data(count: 1 << 20)) }
        let folder = try TemporaryFolder()
        let program = try SpawnedProgram(
            shell: "ulimit -f 16; exec \"$0\" \"$@\"", ["get", "\(server.url)", "-o", folder.path("a")])
        #expect(await program.exitCode() == ExitCode.file.rawValue)
        #expect(await program.standardError().contains("File too large"))
        #expect(try folder.names.isEmpty)
    }
}
#endif
