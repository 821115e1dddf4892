import Godwit
import GodwitCommand
import GodwitTesting
import Synchronization
import Testing

@Suite("G1 godwit request: options that reach the transport", .timeLimit(.minutes(15)))
struct RequestOptionTests {
    /// Answers 200 and keeps what it was made for and asked.
    private final class Recorder: HTTPTransport {
        private let state = Mutex<(HTTPRequest?, ServerAccess?)>((nil, nil))

        var record: (HTTPRequest?, ServerAccess?) { state.withLock(\.self) }

        func made(for access: ServerAccess) -> Recorder {
            state.withLock { $0.1 = access }
            return self
        }

        func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
            state.withLock { $0.0 = request }
            return HTTPResponse(head: HTTPResponseHead(status: .ok), request: request)
        }
    }

    private func recorded(_ arguments: String...) async throws -> (HTTPRequest, ServerAccess) {
        let recorder = Recorder()
        let errors = CapturedOutput()
        let command = Command(input: ScriptedInput([]), output: CapturedOutput(), errors: errors) {
            recorder.made(for: $0)
        }
        #expect(await command.run(arguments) == .success, "\(errors.text)")
        let (request, access) = recorder.record
        return (try #require(request), try #require(access))
    }

    @Test("G1 time limits are seconds, with or without a fraction")
    func timeouts() async throws {
        let (request, _) = try await recorded("get", "http://a/", "--timeout", "1.5", "--connect-timeout=2")
        #expect(request.options.timeouts.call == .milliseconds(1500))
        #expect(request.options.timeouts.connect == .seconds(2))
        let (plain, _) = try await recorded("get", "http://a/")
        #expect(plain.options.timeouts == Timeouts())
    }

    @Test("G1 the options describe the access to the server")
    func access() async throws {
        let (_, access) = try await recorded(
            "get", "a", "-xhttp://p:1", "--unix-socket", "/s", "--cacert", "/c.pem", "--http1")
        var expected = ServerAccess()
        expected.proxy = "http://p:1"
        expected.unixSocketPath = "/s"
        expected.authorities = "/c.pem"
        expected.onlyHTTP1 = true
        #expect(access == expected)
        #expect(try await recorded("get", "a").1 == ServerAccess())
    }

    private static let pins = (0..<3).map { Pin.sha256([UInt8](repeating: $0, count: 32)) }

    @Test("S2 S4 pins and a certificate apply to the URL's host")
    func security() async throws {
        let texts = Self.pins.map { "sha256//" + $0.description.dropFirst("sha256/".count) }
        let (_, access) = try await recorded(
            "get", "https://A.example:8443/", "--pin", texts[0], "--pinnedpubkey", "\(texts[1]);\(texts[2])", "-E",
            "/c.pem",
            "--key", "/k.pem")
        var expected = ServerAccess()
        expected.host = "a.example"
        expected.pins = Self.pins
        expected.certificate = "/c.pem"
        expected.key = "/k.pem"
        #expect(access == expected)
    }

    @Test(
        "S2 S4 invalid pins and keys are a usage error",
        arguments: [
            (["--pin", "sha256//abc"], "\"sha256//abc\""), (["--pin", "nonsense"], "sha256//"),
            (["--key", "/k.pem"], "--key needs --cert"),
        ])
    func faults(options: [String], words: String) async {
        let errors = CapturedOutput()
        let command = Command(input: ScriptedInput([]), output: CapturedOutput(), errors: errors)
        #expect(await command.run(["get", "https://a.example/"] + options) == .usage)
        #expect(errors.text.contains(words))
    }

    @Test("S2 S4 pins and certificates with plain http are refused", arguments: ["--cert=/c.pem", "--pin=\(pins[0])"])
    func plainHTTP(option: String) async {
        let errors = CapturedOutput()
        let command = Command(input: ScriptedInput([]), output: CapturedOutput(), errors: errors)
        #expect(await command.run(["get", "http://a.example/", option]) == .usage)
        #expect(errors.text.contains("https"))
    }

    @Test(
        "G1 a URL without a scheme is https, or http for a loopback host",
        arguments: [
            ("api.example.com/v1", "https://api.example.com/v1"), ("localhost/a", "http://localhost/a"),
            ("127.0.0.1:8080", "http://127.0.0.1:8080/"), ("[::1]:8080/a", "http://[::1]:8080/a"),
            (":8080/a", "http://localhost:8080/a"), (":/a", "http://localhost/a"),
            ("localhost.example.com", "https://localhost.example.com/"),
            ("127.example.com:80", "https://127.example.com:80/"), ("http://a.example/", "http://a.example/"),
        ])
    func shortURL(text: String, url: String) async throws {
        #expect(try await recorded("get", text).0.url.absoluteString == url)
    }

    @Test("G1 short options can be combined, and -- ends the options")
    func spelling() async throws {
        let (request, _) = try await recorded("request", "-qiXPUT", "--", "http://a/", "--odd=1")
        #expect(request.method == .put)
        #expect(try await request.body?.collect(upTo: 100) == Data(#"{"--odd":"1"}"#.utf8))
    }
}
