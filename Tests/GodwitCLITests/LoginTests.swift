import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

/// Against Authlib's server, which `script/servers` starts.
@Suite(
    "G1 A5 godwit login, with a real authorization server", .timeLimit(.minutes(15)),
    .enabled(if: AuthorizationServer.issuer != nil, "needs the servers of script/servers"))
struct LoginTests {
    private let folder: TemporaryFolder
    private let issuer: String

    init() throws {
        folder = TemporaryFolder()
        issuer = try #require(AuthorizationServer.issuer)
    }

    private var file: String { folder.path("token") }

    private func stored() throws -> AccessToken {
        try #require(try FileTokenStore(at: URL(filePath: file)).load())
    }

    /// Runs `login` while a browser opens what it prints.
    private func signIn(_ arguments: String...) async -> Run {
        let (output, errors) = (BrowsingOutput(), CapturedOutput())
        let command = Command(input: ScriptedInput([]), output: output, errors: errors, environment: [:])
        let code = await command.run(["login", "--client-id", "reader", "--store", file] + arguments)
        return Run(code: code, output: output.text, errors: errors.text)
    }

    @Test("G1 A5 login prints the page, waits for the browser, and saves a token that request uses")
    func browser() async throws {
        let run = await signIn("--issuer", issuer, "--scope", "articles offline")
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output.hasPrefix("Open this page to sign in:\n\(issuer)/authorize?response_type=code&"))
        #expect(run.output.hasSuffix("Signed in. Use the token with: --token-file \(file)\n"))
        // A file that others may read would be refused here.
        let token = try stored()
        #expect(!run.output.contains(token.access))
        let used = await Run.godwit("get", "\(issuer)/articles", "--token-file", file, "-v")
        #expect(used.code == .success)
        #expect(used.output.contains("\"reader\""))
        #expect(!used.errors.contains(token.access))
    }

    @Test("G1 A3 request refreshes a rejected token and saves the new one")
    func refreshing() async throws {
        _ = await signIn(
            "--authorization-url", "\(issuer)/authorize", "--token-url", "\(issuer)/token", "--scope", "articles")
        var token = try stored()
        token.access = "worn-out"
        try FileTokenStore(at: URL(filePath: file)).save(token)
        let run = await Run.godwit("get", "\(issuer)/articles", "--token-file", file)
        #expect(run.code == .success, "\(run.errors)")
        #expect(try stored().access != "worn-out")
        #expect(try stored().refresh != token.refresh)
    }

    @Test("G1 A5 if the user refuses: exit code 22, the server's words, and no token saved")
    func refused() async throws {
        let run = await signIn(
            "--authorization-url", "\(issuer)/authorize?login_hint=nobody", "--token-url", "\(issuer)/token")
        #expect(run.code == .httpStatus)
        #expect(run.errors.contains("the authorization server says access_denied"))
        #expect(try folder.names == [])
    }

    @Test("G1 A5 --client-credentials takes the secret from a file or the environment, and request asks again")
    func clientCredentials() async throws {
        let secret = try folder.write("posted\n", to: "secret")
        let run = await Run.godwit(
            "login", "--issuer", issuer, "--client-id", "poster", "--client-secret-file", secret, "--secret-in-form",
            "--client-credentials", "--scope", "articles", "--store", file)
        #expect(run.code == .success, "\(run.errors)")
        let other = await Run.godwit(
            "login", "--issuer", issuer, "--client-id", "service", "--client-credentials", "--scope", "articles",
            "--store", file, environment: ["GODWIT_CLIENT_SECRET": "s3cret-1"])
        #expect(other.code == .success, "\(other.errors)")
        try FileTokenStore(at: URL(filePath: file)).save(AccessToken(access: "worn-out"))
        let used = await Run.godwit(
            "get", "\(issuer)/articles", "--token-file", file, environment: ["GODWIT_CLIENT_SECRET": "s3cret-1"])
        #expect(used.code == .success, "\(used.errors)")
        #expect(used.output.contains("\"service\""))
        let names = try folder.names.filter { $0 != "secret" }
        for name in names where name != "token" { #expect(try !folder.read(name).contains("s3cret")) }
    }

    @Test("G1 A5 without the secret, the program is refused")
    func wrongSecret() async throws {
        let run = await Run.godwit(
            "login", "--issuer", issuer, "--client-id", "service", "--client-credentials", "--store", file)
        #expect(run.code == .httpStatus)
        #expect(try folder.names == [])
    }

    #if canImport(Glibc)
    @Test(
        "G1 A5 --open opens the page in the desktop's browser",
        .enabled(if: SpawnedProgram.path != nil, "the godwit binary was not built"))
    func opening() async throws {
        let browser = try folder.write("#!/bin/sh\nexec curl --silent --location \"$1\"\n", to: "xdg-open")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: browser)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let program = try SpawnedProgram(
            ["login", "--issuer", issuer, "--client-id", "reader", "--open", "--store", file],
            environment: ["PATH=\(folder.url.path):\(path)"])
        #expect(await program.exitCode() == 0)
        let output = String(decoding: await program.standardOutput(), as: UTF8.self)
        #expect(output.split(separator: "\n").count == 3, "\(output)")
        #expect(try stored().refresh != nil)
    }
    #endif
}

@Suite("G1 godwit login: the command line", .timeLimit(.minutes(15)))
struct LoginOptionTests {
    @Test(
        "G1 missing and contradictory options are named",
        arguments: [
            ([], "--client-id is missing"), (["--client-id", "a"], "--store is missing: the file for the token"),
            (["--client-id", "a", "--store", "f"], "--issuer or --token-url is missing"),
            (["--client-id", "a", "--store", "f", "--token-url", "x"], "--authorization-url is missing"),
            (["--client-id", "a", "--store", "f", "--token-url", "x", "--device"], "--device-url is missing"),
            (
                ["--client-id", "a", "--store", "f", "--token-url", "x", "--issuer", "y"],
                "--issuer discovers the URLs; don't pass them too"
            ),
            (["word"], "unexpected argument \"word\""), (["--timeout", "0"], "--timeout needs a number"),
        ] as [([String], String)])
    func usage(arguments: [String], message: String) async {
        let errors = CapturedOutput()
        let command = Command(input: ScriptedInput([]), output: CapturedOutput(), errors: errors)
        #expect(await command.run(["login"] + arguments) == .usage)
        #expect(errors.text.contains(message), "\(errors.text)")
    }

    @Test("G1 --help lists every option, and no option takes the secret itself")
    func help() async {
        for run in [await Run.godwit("login", "--help"), await Run.godwit("help", "login")] {
            #expect(run.code == .success)
            for option in ["--issuer URL", "--client-secret-file FILE", "--device", "--store FILE", "Exit codes:"] {
                #expect(run.output.contains(option))
            }
            #expect(!run.output.contains("--client-secret "))
        }
        #expect(await Run.godwit("--help").output.contains("\n  login "))
        #expect(await Run.godwit("login", "--client-secret", "x").code == .usage)
    }

    @Test("G1 A5 --device shows the code and waits until it is entered")
    func device() async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { route in
            route.post("/login/device").reply(json: [
                "device_code": "s3cret", "user_code": "WDJB\u{1B}[2J", "verification_uri": "https://example.com/device",
                "expires_in": 60, "interval": 0,
            ])
            route.post("/login/token").replies([
                .json(["error": "authorization_pending"], status: .badRequest), .json(["access_token": "at"]),
            ])
        }
        let run = await Run.godwit(
            "login", "--device", "--device-url", "\(server.url)login/device", "--token-url", "\(server.url)login/token",
            "--client-id", "tv", "--store", folder.path("token"))
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output.contains("and enter WDJB") && run.output.contains("\nhttps://example.com/device\n"))
        #expect(!run.output.contains("\u{1B}") && !run.output.contains("s3cret"))
        #expect(Self.paths(server) == ["/login/device", "/login/token", "/login/token"])
    }

    @Test("G1 A5 without an answer in time: exit code 4")
    func timeout() async throws {
        let folder = TemporaryFolder()
        let run = await Run.godwit(
            "login", "--authorization-url", "https://example.com/a", "--token-url", "https://example.com/t",
            "--client-id", "a", "--store", folder.path("token"), "--timeout", "0.01")
        #expect(run.code == .timedOut)
    }

    @Test("G1 A2 a missing token file, or one that others can read, is refused before anything is sent")
    func tokenFile() async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { _ in .text("content") }
        let loose = try folder.write("{\"access\":\"s3cret\",\"type\":\"Bearer\"}", to: "loose")
        let run = await Run.godwit("get", "\(server.url)login", "--token-file", loose)
        #expect(run.code == .file)
        #expect(run.errors.contains("chmod 600"))
        let missing = await Run.godwit("get", "\(server.url)login", "--token-file", folder.path("none"))
        #expect(missing.code == .file)
        #expect(missing.errors.contains("godwit login --store"))
        #expect(Self.paths(server) == [])
    }

    @Test("G1 A1 the token is sent only to the origin of the URL")
    func redirected() async throws {
        let folder = TemporaryFolder()
        let other = try await MockServer { .text($0.fields[.authorization] ?? "none") }
        let server = try await MockServer { _ in .redirect(to: "\(other.url)") }
        try FileTokenStore(at: folder.url.appending(path: "token")).save(AccessToken(access: "s3cret"))
        let run = await Run.godwit("get", "\(server.url)login", "--token-file", folder.path("token"))
        #expect(run.output == "none")
        #expect(server.requests.filter { $0.path == "/login" }.map { $0.fields[.authorization] } == ["Bearer s3cret"])
    }
}

extension LoginOptionTests {
    /// What this suite asked for: on a busy machine other programs' clients may find a server on the port of an old one.
    private static func paths(_ server: MockServer) -> [String] {
        server.requests.map(\.path).filter { $0.hasPrefix("/login") }
    }
}

private enum AuthorizationServer {
    static let issuer = ProcessInfo.processInfo.environment["GODWIT_TEST_OAUTH"]
}

/// An output whose reader opens each page that is printed in a browser.
private final class BrowsingOutput: OutputSink {
    private let captured = CapturedOutput()

    var isTerminal: Bool { false }
    var text: String { captured.text }

    func write(_ data: Data) async throws(OutputError) {
        try await captured.write(data)
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        guard let page = lines.first(where: { $0.hasPrefix("http") }) else { return }
        Task { _ = await Run.godwit("get", String(page)) }
    }
}
