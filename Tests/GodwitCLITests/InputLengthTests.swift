#if canImport(Glibc)
import Glibc
import Godwit
import GodwitCommand
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("G1 godwit: the length of a body that is read from an input", .timeLimit(.minutes(15)))
struct InputLengthTests {
    private let folder: TemporaryFolder
    private let server: MockServer

    init() async throws {
        folder = TemporaryFolder()
        var options = MockServer.Options()
        options.bodyLimit = 16 << 20
        server = try await MockServer(options) { .text("\($0.body.count)") }
    }

    /// The fields that say how long the body is.
    private func framing() throws -> [String?] {
        let fields = try #require(server.requests.first).fields
        return [fields[.contentLength], fields[.transferEncoding]]
    }

    @Test(
        "G1 B1 a body from standard input that fits into memory has a length",
        arguments: [
            ["-d", "@-"], ["-d", "-"], ["--data-binary", "@-"], ["--json", "-"], ["@-"], ["-F", "f=@-"], [],
        ])
    func input(words: [String]) async throws {
        let run = await Run.godwit(
            ["post", "\(server.url)"] + words, input: ["[\"so", "me\"]"], piped: words.isEmpty)
        #expect(run.code == .success, "\(run.errors)")
        #expect(try framing() == [run.output, nil])
    }

    @Test(
        "G1 B1 a body from a pipe that fits into memory has a length",
        arguments: [["-d", "@"], ["--data-binary", "@"], ["--json", "@"], ["@"], ["-F", "f=@"]])
    func pipe(words: [String]) async throws {
        let path = folder.pipe().path
        let writer = try ChildProgram(["/bin/sh", "-c", "printf someBytes > \"$0\"", path])
        let run = await Run.godwit(["post", "\(server.url)"] + words.dropLast() + [(words.last ?? "") + path])
        writer.signal(SIGKILL)
        _ = await writer.end()
        #expect(run.code == .success, "\(run.errors)")
        #expect(try framing() == [run.output, nil])
        let isPart = words.contains("-F")
        let text = try #require(server.requests.first).text
        #expect(isPart ? text.contains("filename=\"pipe\"") && text.contains("someBytes") : text == "someBytes")
    }

    @Test(
        "G1 B1 a file without a size has a length",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/version")),
        arguments: [["-d", "@/proc/version"], ["@/proc/version"], ["-F", "f=@/proc/version"]])
    func withoutSize(words: [String]) async throws {
        let run = await Run.godwit(["post", "\(server.url)"] + words)
        #expect(run.code == .success, "\(run.errors)")
        #expect(try framing() == [run.output, nil])
    }

    @Test("G1 B1 an input of more than 8 MiB is streamed in chunks, to its end", arguments: [["-d", "@-"], []])
    func long(words: [String]) async throws {
        let chunk = String(repeating: "x", count: 3 << 20)
        let run = await Run.godwit(
            ["post", "\(server.url)"] + words, input: [chunk, chunk, chunk], piped: words.isEmpty)
        #expect(run.output == "\(9 << 20)", "\(run.errors)")
        #expect(try framing() == [nil, "chunked"])
    }

    @Test(
        "G1 B1 -m limits the wait for a body too",
        arguments: [["-d", "@PIPE"], ["@PIPE"], ["-d", "a", "-d", "@PIPE"], ["-Gd", "@PIPE"], ["X-A:@PIPE"]])
    func timeLimit(words: [String]) async throws {
        let path = folder.pipe().path
        let clock = TestClock()
        let line = ["post", "\(server.url)", "-m", "5"] + words.map { $0.replacing("PIPE", with: path) }
        let run = Task { await Run.godwit(line, clock: clock) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        let outcome = await run.value
        #expect(outcome.code == .timedOut, "\(outcome.errors)")
        #expect(outcome.errors.contains("--timeout SECONDS"))
        #expect(server.requestCount == 0)
    }

    @Test("G1 B1 what a body's reading took is taken from -m")
    func timeLeft() async throws {
        let clock = TestClock()
        let sent = Recorded()
        let input = AdvancingInput(clock: clock, by: .seconds(2))
        var command = Command(input: input, output: CapturedOutput(), errors: CapturedOutput(), environment: [:]) { _ in
            sent
        }
        command.clock = clock
        #expect(await command.run(["post", "http://127.0.0.1/", "-m", "5", "-d", "@-"]) == .success)
        #expect(sent.limit == .seconds(3))
    }

    @Test(
        "G1 B1 a canceled command reads a pipe no longer",
        arguments: [["-d", "@PIPE"], ["a=@PIPE"], ["-F", "f=@PIPE"]])
    func canceled(words: [String]) async throws {
        let path = folder.pipe().path
        let line = ["post", "\(server.url)"] + words.map { $0.replacing("PIPE", with: path) }
        #expect(await Run.canceled(line, whileReading: path).code == .interrupted)
    }
}

/// An input whose only chunk takes some time.
private final class AdvancingInput: InputSource {
    private let clock: TestClock
    private let chunks = ScriptedInput(["hi"])
    private let duration: Duration

    init(clock: TestClock, by duration: Duration) {
        (self.clock, self.duration) = (clock, duration)
    }

    func read() async throws -> Data? {
        guard let chunk = try await chunks.read() else { return nil }
        clock.advance(by: duration)
        return chunk
    }
}

/// Answers 200, and keeps the time limit of the call.
private final class Recorded: HTTPTransport {
    private let state = Mutex<Duration?>(nil)

    var limit: Duration? { state.withLock(\.self) }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        state.withLock { $0 = request.options.timeouts.call }
        return HTTPResponse(head: HTTPResponseHead(status: .ok), request: request)
    }
}
#endif
