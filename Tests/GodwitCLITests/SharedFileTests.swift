#if canImport(Glibc)
import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

/// Each command is a process of its own. The server answers when it has the requests of all.
@Suite(
    "A9 G1 eight commands on one file", .timeLimit(.minutes(15)),
    .enabled(if: SpawnedProgram.path != nil, "the godwit binary was not built"))
struct SharedFileTests {
    private static let count = 8

    private let folder: TemporaryFolder

    init() throws { folder = TemporaryFolder() }

    private struct Outcome {
        var codes: [Int32] = []
        var outputs: [String] = []
        var errors: [String] = []
    }

    /// Runs the commands at once.
    private func run(_ lines: [[String]], environment: [String] = []) async throws -> Outcome {
        let programs = try lines.map { try SpawnedProgram($0, environment: environment) }
        var outcome = Outcome()
        for program in programs {
            outcome.outputs.append(String(decoding: await program.standardOutput(), as: UTF8.self))
            outcome.errors.append(await program.standardError())
            outcome.codes.append(await program.exitCode())
        }
        return outcome
    }

    // MARK: Tokens

    private var tokenFile: FileTokenStore { FileTokenStore(at: URL(filePath: folder.path("token"))) }

    private func signIn(_ token: AccessToken, at tokenURL: String) throws {
        try tokenFile.save(token)
        try note(tokenURL)
    }

    /// Writes the record of `godwit login`.
    private func note(_ tokenURL: String) throws {
        let record = #"{"tokenURL":"\#(tokenURL)","clientID":"reader","isSecretInForm":false}"#
        try PrivateFile(URL(filePath: folder.path("token.client"))).replace(with: Data(record.utf8))
    }

    @Test(
        "A9 A3 a server that rotates refresh tokens gets one refresh, and no one is signed out",
        arguments: [false, true])
    func oneRefresh(isExpired: Bool) async throws {
        let api = RotatingAPI(waitingFor: isExpired ? 0 : Self.count)
        let server = try await api.start()
        try signIn(
            AccessToken(access: "ended", refresh: api.refresh, expiry: isExpired ? .distantPast : nil),
            at: "\(server.url)token")
        let line = ["get", "\(server.url)articles", "--token-file", folder.path("token")]
        let outcome = try await run(Array(repeating: line, count: Self.count))
        #expect(outcome.codes == Array(repeating: 0, count: Self.count), "\(outcome.errors)")
        #expect(outcome.outputs == Array(repeating: "welcome", count: Self.count))
        #expect(api.refreshCount == 1)
        #expect(try tokenFile.load() == api.token)
        #expect(try folder.names == ["token", "token.client"])
        await server.stop()
    }

    @Test("A9 A3 a refused refresh removes nothing that another program has stored meanwhile")
    func refused() async throws {
        let store = tokenFile
        let server = try await MockServer { routes in
            routes.post("/token").reply { _ in
                try store.save(AccessToken(access: "signed-in", refresh: "r2"))
                return .json(["error": "invalid_grant"], status: .badRequest)
            }
            routes.get("/articles").reply { request in
                request.fields[.authorization] == "Bearer signed-in"
                    ? .text("welcome") : .text("who?", status: .unauthorized)
            }
        }
        try signIn(AccessToken(access: "ended", refresh: "r1"), at: "\(server.url)token")
        let outcome = try await run([["get", "\(server.url)articles", "--token-file", folder.path("token")]])
        #expect(outcome.codes == [0] && outcome.outputs == ["welcome"], "\(outcome.errors)")
        #expect(try tokenFile.load()?.access == "signed-in")
        await server.stop()
    }

    @Test("A9 A5 after a sign-in at another server, the first one gets no refresh token of the second")
    func otherServer() async throws {
        let (store, folder) = (tokenFile, folder)
        let asked = Watched<[String]>([])
        let second = try await MockServer { routes in
            routes.post("/token").reply { request in
                asked.update { $0.append("second \(request.text.contains("refresh_token=r2"))") }
                return .json(["access_token": "fresh", "refresh_token": "r3", "token_type": "bearer"])
            }
        }
        let secondURL = "\(second.url)token"
        let first = try await MockServer { routes in
            routes.post("/token").reply { _ in
                asked.update { $0.append("first") }
                return .json(["error": "invalid_grant"], status: .badRequest)
            }
            routes.get("/articles").reply { request in
                if request.fields[.authorization] == "Bearer fresh" { return .text("welcome") }
                try store.save(AccessToken(access: "ended", refresh: "r2", expiry: .distantPast))
                let record = #"{"tokenURL":"\#(secondURL)","clientID":"reader","isSecretInForm":false}"#
                try PrivateFile(URL(filePath: folder.path("token.client"))).replace(with: Data(record.utf8))
                return .text("who?", status: .unauthorized)
            }
        }
        try signIn(AccessToken(access: "ended", refresh: "r1"), at: "\(first.url)token")
        let outcome = try await run([["get", "\(first.url)articles", "--token-file", folder.path("token")]])
        #expect(outcome.codes == [0], "\(outcome.errors)")
        #expect(asked.value == ["second true"])
        await first.stop()
        await second.stop()
    }

    // MARK: Cookies and sessions

    /// A server that answers when it has the requests of all commands.
    private func meetingServer() async throws -> MockServer {
        let arrived = Watched(0)
        return try await MockServer { routes in
            routes.get("/:name").reply { request in
                let name = request.parameters["name"] ?? ""
                arrived.update { $0 += 1 }
                try await arrived.wait { $0 >= Self.count }
                return .text(name).field(.setCookie, "\(name)=1; Path=/; Max-Age=600")
            }
        }
    }

    private var names: [String] { (0..<Self.count).map { "c\($0)" } }

    @Test("A9 K3 each command's cookie is in the jar")
    func cookies() async throws {
        let server = try await meetingServer()
        let jar = folder.path("jar")
        let outcome = try await run(names.map { ["get", "\(server.url)\($0)", "-c", jar] })
        #expect(outcome.codes == Array(repeating: 0, count: Self.count), "\(outcome.errors)")
        let kept = await Run.godwit("cookies", jar).output.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(Set(kept.map(String.init)) == Set(names))
        #expect(try folder.names == ["jar"])
        await server.stop()
    }

    @Test("A9 each command's header field and cookie are in the session")
    func session() async throws {
        let server = try await meetingServer()
        let outcome = try await run(
            names.map { ["get", "\(server.url)\($0)", "X-\($0):1", "--session", "ann"] },
            environment: ["XDG_CONFIG_HOME=\(folder.url.path)"])
        #expect(outcome.codes == Array(repeating: 0, count: Self.count), "\(outcome.errors)")
        let host = "127.0.0.1_\(try HTTPURL("\(server.url)").port)"
        let text = try folder.read("godwit/sessions/\(host)/ann.json")
        for name in names { #expect(text.contains("\"X-\(name)\"")) }
        let cookies = try folder.read("godwit/sessions/\(host)/ann.cookies")
        for name in names { #expect(cookies.contains("\"\(name)\"")) }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("godwit/sessions/\(host)")).sorted()
                == ["ann.cookies", "ann.json"])
        await server.stop()
    }

    @Test("A9 K3 a slow command that never touched a cookie doesn't write its old value")
    func slow() async throws {
        let (arrived, gate) = (Watched(false), Watched(false))
        let server = try await MockServer { routes in
            routes.get("/old").reply(.text("").field(.setCookie, "sid=old; Path=/; Max-Age=600"))
            routes.get("/new").reply(.text("").field(.setCookie, "sid=new; Path=/; Max-Age=600"))
            routes.get("/slow").reply { _ in
                arrived.update { $0 = true }
                try await gate.wait { $0 }
                return .text("").field(.setCookie, "theme=dark; Path=/; Max-Age=600")
            }
        }
        let jar = folder.path("jar")
        #expect(await Run.godwit("get", "\(server.url)old", "-c", jar).code == .success)
        let slow = try SpawnedProgram(["get", "\(server.url)slow", "-c", jar])
        try await arrived.wait { $0 }
        #expect(await Run.godwit("get", "\(server.url)new", "-c", jar).code == .success)
        gate.update { $0 = true }
        #expect(await slow.exitCode() == 0)
        let kept = await Run.godwit("cookies", jar, "--values").output
        #expect(kept.contains("sid=new ") && kept.contains("theme=dark "), "\(kept)")
        await server.stop()
    }
}
#endif
