#if canImport(Glibc)
import Glibc
import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

/// Devices, pipes, files without a size and long names, as a user types them.
@Suite("G1 files that aren't plain", .timeLimit(.minutes(15)))
struct OddFileTests {
    private static let content = Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
    private static let version = try? String(contentsOf: URL(filePath: "/proc/version"), encoding: .utf8)

    private let folder: TemporaryFolder
    private let server: MockServer

    init() async throws {
        folder = TemporaryFolder()
        server = try await MockServer { route in
            route.get("/big").reply { .ranged(Self.content, for: $0, etag: "\"1\"") }
            route.any("/echo").reply { .bytes($0.body) }
        }
    }

    /// A pipe in the folder, open for reading, so that a writer finds a reader.
    private func pipe() throws -> (path: String, reading: Int32) {
        let path = folder.pipe().path
        return (path, open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    }

    /// What is in a pipe, which this closes.
    private func contents(of descriptor: Int32) -> Data {
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 17)
        let count = read(descriptor, &bytes, bytes.count)
        return Data(bytes.prefix(max(0, count)))
    }

    /// Compared here: `#expect` looks for the differences of two collections, which takes minutes for these.
    private func isContent(_ data: Data) -> Bool { data == Self.content }

    // MARK: Destinations

    @Test(
        "G1 B5 B7 a pipe gets the bytes of a download, is never replaced, and has no hidden files next to it",
        arguments: [
            ["download"], ["download", "--force"], ["download", "--connections", "4"], ["download", "--keep-both"],
            ["download", "--resume"], ["get"], ["get", "--force"],
        ])
    func pipeAsDestination(words: [String]) async throws {
        let (path, reading) = try pipe()
        let run = await Run.godwit([words[0], "\(server.url)big", "-o", path] + words.dropFirst())
        #expect(run.code == .success && run.errors.isEmpty, "\(run.errors)")
        #expect(isContent(contents(of: reading)))
        #expect(try folder.names == ["pipe"])
        #expect(server.requests.map { $0.fields[.range] } == [nil])
    }

    @Test("G1 B5 a pipe without a reader is an error, and nothing is sent", arguments: ["get", "download"])
    func pipeWithoutReader(verb: String) async throws {
        let (path, reading) = try pipe()
        close(reading)
        let run = await Run.godwit(verb, "\(server.url)big", "-o", path)
        #expect(run.code == .file && run.errors.contains("pipe: No such device or address"), "\(run.errors)")
        #expect(server.requestCount == 0)
    }

    @Test("G1 B5 a link is followed: a pipe is written to, and a file is replaced", arguments: ["get", "download"])
    func links(verb: String) async throws {
        let (path, reading) = try pipe()
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "pipe")
        #expect(await Run.godwit(verb, "\(server.url)big", "-o", link, "--force").code == .success)
        #expect(isContent(contents(of: reading)))
        unlink(path)
        _ = try folder.write("old", to: "pipe")
        #expect(await Run.godwit(verb, "\(server.url)big", "-o", link, "--force").code == .success)
        #expect(isContent(try Data(contentsOf: URL(filePath: path))))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "pipe")
        #expect(try folder.names == ["link", "pipe"])
    }

    @Test("G1 B5 content in a pipe that hasn't the expected digest is an error")
    func digest() async throws {
        let (path, reading) = try pipe()
        let wrong = String(repeating: "0", count: 64)
        let run = await Run.godwit("download", "\(server.url)big", "-o", path, "--digest", "sha-256:\(wrong)")
        #expect(run.code == .network && run.errors.contains("digest"), "\(run.errors)")
        #expect(isContent(contents(of: reading)))
    }

    @Test("G1 reports and certificates are written into a pipe, which is not replaced")
    func reports() async throws {
        let (path, reading) = try pipe()
        let requests = try folder.write("GET \(server.url)big\nHTTP 200\n", to: "a.http")
        #expect(await Run.godwit("run", requests, "--report-json", path).code == .success)
        #expect(String(decoding: contents(of: reading), as: UTF8.self).contains("a.http"))
        #expect(try folder.names == ["a.http", "pipe"])
    }

    // MARK: Names

    @Test("G1 B5 names of up to 255 bytes can be written", arguments: ["get", "download"], [241, 250, 255])
    func longNames(verb: String, length: Int) async throws {
        let name = String(repeating: "n", count: length)
        let run = await Run.godwit(verb, "\(server.url)big", "-o", folder.path(name))
        #expect(run.code == .success, "\(run.errors)")
        #expect(try folder.names == [name])
    }

    @Test("G1 B5 a name of 256 bytes fails before anything is sent", arguments: ["get", "download"])
    func tooLongName(verb: String) async throws {
        let run = await Run.godwit(verb, "\(server.url)big", "-o", folder.path(String(repeating: "n", count: 256)))
        #expect(run.code == .file && run.errors.contains("File name too long"), "\(run.errors)")
        #expect(server.requestCount == 0)
        #expect(try folder.names.isEmpty)
    }

    // MARK: Sources

    @Test(
        "G1 B1 a file without a size is sent whole", .enabled(if: version != nil),
        arguments: [
            ["upload", "/proc/version"], ["post", "@/proc/version"], ["post", "--data-binary", "@/proc/version"],
            ["post", "-d", "@/proc/version"], ["post", "--json", "@/proc/version"], ["post", "-F", "f=@/proc/version"],
        ])
    func withoutSize(words: [String]) async throws {
        let url = "\(server.url)echo"
        let run = await Run.godwit(
            words[0] == "upload" ? words + [url] : [words[0], url] + words.dropFirst(), input: ["unused"])
        #expect(run.code == .success, "\(run.errors)")
        let text = try #require(Self.version)
        let sent = words.contains("-d") ? text.filter { $0 != "\n" } : text
        let body = try #require(server.requests.first).text
        #expect(words.contains("-F") ? body.contains(sent) : body == sent)
    }

    @Test("G1 B1 an empty file is sent with its length of 0")
    func empty() async throws {
        let path = try folder.write("", to: "empty")
        #expect(await Run.godwit("upload", path, "\(server.url)echo").code == .success)
        #expect(server.requests.map { $0.fields[.contentLength] } == ["0"])
    }

    @Test("G1 B2 a part of a form is read from standard input, once")
    func partFromInput() async throws {
        let run = await Run.godwit("post", "\(server.url)echo", "-F", "f=@-;filename=a.txt", input: ["some ", "bytes"])
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output.contains("filename=\"a.txt\"") && run.output.contains("some bytes"))
        let twice = await Run.godwit("post", "\(server.url)echo", "-F", "f=@-", "-F", "g=@-", input: ["x"])
        #expect(twice.code == .usage)
    }

    @Test(
        "G1 B1 a pipe is sent to its end",
        arguments: [
            ["upload"], ["post", "@"], ["post", "--data-binary", "@"], ["post", "-d", "@"], ["post", "-F", "f=@"],
            ["post", "--data-urlencode", "@"], ["post", "-d", "", "-d", "@"],
        ])
    func pipeAsSource(words: [String]) async throws {
        let path = folder.pipe("source").path
        // Waits until the command opens the pipe.
        let writer = try ChildProgram(["/bin/sh", "-c", "printf someBytes > \"$0\"", path])
        let url = "\(server.url)echo"
        let last = (words.last ?? "") + path
        let run = await Run.godwit(
            words == ["upload"] ? ["upload", path, url] : [words[0], url] + words.dropFirst().dropLast() + [last])
        // It would wait forever if the pipe was never opened.
        writer.signal(SIGKILL)
        _ = await writer.end()
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output.contains("someBytes"))
    }

    @Test("G1 S7 passwords come from a pipe, as of <(…), and no other user's rights of it are asked for")
    func passwordsFromPipe() async throws {
        let path = folder.pipe("netrc").path
        let script = "printf 'machine 127.0.0.1 login ann password s3cret' > \"$0\""
        let writer = try ChildProgram(["/bin/sh", "-c", script, path])
        let run = await Run.godwit("get", "\(server.url)echo", "--netrc-file", path)
        writer.signal(SIGKILL)
        _ = await writer.end()
        #expect(run.code == .success, "\(run.errors)")
        let login = Data("ann:s3cret".utf8).base64EncodedString()
        #expect(server.requests.map { $0.fields[.authorization] } == ["Basic \(login)"])
        unlink(path)
        _ = try folder.write("machine 127.0.0.1 login ann password s3cret", to: "netrc")
        #expect(chmod(path, 0o622) == 0)
        let refused = await Run.godwit("get", "\(server.url)echo", "--netrc-file", path)
        #expect(refused.code == .file && refused.errors.contains("can be written by other users"), "\(refused.errors)")
    }

    @Test("G1 B1 a pipe that has no writer keeps a command waiting only until it is canceled")
    func pipeWithoutWriter() async throws {
        let path = folder.pipe("source").path
        let line = ["upload", path, "\(server.url)echo"]
        #expect(await Run.canceled(line, whileReading: path).code == .interrupted)
    }

    @Test("G1 B9 a resumable upload of a file without a size is refused", .enabled(if: version != nil))
    func resumableWithoutSize() async throws {
        let run = await Run.godwit("upload", "/proc/version", "\(server.url)echo", "--resume")
        #expect(run.code == .file, "\(run.errors)")
        #expect(server.requestCount == 0)
    }
}

/// The same in a process of its own.
@Suite(
    "G1 descriptors, signals and limits of the program", .serialized, .timeLimit(.minutes(15)),
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

    @Test(
        "G1 a signal ends the wait for a pipe that has no writer",
        arguments: [
            ["upload", "PIPE", "URL"], ["post", "URL", "-d", "", "-d", "@PIPE"],
            ["get", "URL", "--netrc-file", "PIPE"],
            ["get", "URL", "--bearer", "@PIPE"], ["get", "URL", "-b", "PIPE"],
            ["get", "https://127.0.0.1", "--cert", "PIPE"],
            ["mock", "PIPE"],
        ])
    func pipeWithoutWriter(words: [String]) async throws {
        let server = try await MockServer { _ in .text("x") }
        let folder = TemporaryFolder()
        let pipe = folder.pipe().path
        let line = words.map { $0.replacing("PIPE", with: pipe).replacing("URL", with: "\(server.url)") }
        let program = try SpawnedProgram(line)
        // A writer that never writes: when it has opened the pipe, so has the command.
        let script = "exec > \"$0\"; kill -INT \"$1\"; exec sleep 100"
        let writer = try ChildProgram(["/bin/sh", "-c", script, pipe, "\(program.number)"])
        #expect(await program.exitCode() == ExitCode.interrupted.rawValue)
        writer.signal(SIGKILL)
        _ = await writer.end()
    }

    @Test("G1 B5 an unread pipe as destination holds up no signal")
    func unreadPipe() async throws {
        let server = try await MockServer { _ in .bytes(Data(count: 1 << 20)) }
        let folder = TemporaryFolder()
        let pipe = folder.pipe().path
        for verb in ["get", "download"] {
            let reading = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            defer { close(reading) }
            let program = try SpawnedProgram([verb, "\(server.url)", "-o", pipe])
            // The first bytes show that it writes.
            var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            while poll(&entry, 1, 0) == 0, !Task.isCancelled { await Task.yield() }
            program.signal(SIGINT)
            #expect(await program.exitCode() == ExitCode.interrupted.rawValue)
        }
    }

    @Test("G1 a body that can't be written because standard output is closed is an error")
    func closedDescriptors() async throws {
        let server = try await MockServer { _ in .text("content") }
        for redirections in ["<&- >&-", ">&-", "<&- >&- 2>&-"] {
            let program = try SpawnedProgram(shell: "exec \"$0\" \"$@\" \(redirections)", ["get", "\(server.url)"])
            let errors = await program.standardError()
            #expect(await program.exitCode() == ExitCode.file.rawValue)
            #expect(errors.contains("cannot write the output") != redirections.contains("2>"))
        }
        let folder = TemporaryFolder()
        let file = try SpawnedProgram(
            shell: "exec \"$0\" \"$@\" <&- >&- 2>&-", ["get", "\(server.url)", "-o", folder.path("a")])
        #expect(await file.exitCode() == 0)
        #expect(try folder.read("a") == "content")
    }

    @Test("G1 B5 a closed terminal ends a transfer with exit code 129, and leaves no partial file")
    func hangup() async throws {
        let server = try await MockServer { $0.get("/").reply(.endlessChunks(of: 1000, every: .milliseconds(1))) }
        let folder = TemporaryFolder()
        let program = try SpawnedProgram(["get", "\(server.url)", "-o", folder.path("a")])
        while try folder.names.isEmpty, !Task.isCancelled { await Task.yield() }
        program.signal(SIGHUP)
        #expect(await program.exitCode() == 129)
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
        let folder = TemporaryFolder()
        let program = try SpawnedProgram(
            shell: "ulimit -f 16; exec \"$0\" \"$@\"", ["get", "\(server.url)", "-o", folder.path("a")])
        #expect(await program.standardError().contains("File too large"))
        #expect(await program.exitCode() == ExitCode.file.rawValue)
        #expect(try folder.names.isEmpty)
    }
}
#endif
