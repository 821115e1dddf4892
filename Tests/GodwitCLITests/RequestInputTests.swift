#if canImport(Glibc)
import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 godwit: what is sent is what was said", .timeLimit(.minutes(15)))
struct RequestInputTests {
    private func echo() async throws -> MockServer {
        try await MockServer {
            $0.any("*").reply { .text("\($0.method) \($0.fields[.contentType] ?? "-") \($0.text)") }
        }
    }

    @Test(
        "G1 piped standard input is the body, and its type follows from its beginning",
        arguments: [
            ([], "{\"a\":1}", "POST application/json {\"a\":1}"), ([], " [1]", "POST application/json  [1]"),
            (["put"], "sea", "PUT text/plain; charset=utf-8 sea"),
            (["--form"], "a=b", "POST application/x-www-form-urlencoded a=b"),
            (["patch", "Content-Type:text/csv"], "a,b", "PATCH text/csv a,b"), ([], "", "GET - "),
            (["get"], "ignored", "GET - "), (["--ignore-stdin"], "ignored", "GET - "),
            (["post", "--ignore-stdin"], "ignored", "POST - "),
            (["a=b"], "ignored", "POST application/json {\"a\":\"b\"}"),
        ])
    func piped(line: [String], input: String, expected: String) async throws {
        let server = try await echo()
        let isVerb = line.first?.allSatisfy(\.isLetter) == true
        let arguments = isVerb ? [line[0], "\(server.url)"] + line.dropFirst() : ["\(server.url)"] + line
        let chunks = input.isEmpty ? [] : [input]
        let run = await Run.godwit(arguments, input: chunks, piped: true)
        #expect(run.output == expected)
        #expect(run.code == .success)
    }

    @Test("G1 an input that is not piped is not read")
    func terminal() async throws {
        let server = try await echo()
        #expect(await Run.godwit(["\(server.url)"], input: ["typed"]).output == "GET - ")
    }

    @Test("G1 the program sends what is piped, and nothing from /dev/null")
    func program() async throws {
        let server = try await echo()
        let program = try SpawnedProgram(["\(server.url)"])
        program.feed("{\"a\":1}")
        #expect(await program.standardOutput() == Data("POST application/json {\"a\":1}".utf8))
        let none = try SpawnedProgram(shell: "exec \"$0\" \"$@\" < /dev/null", ["\(server.url)"])
        #expect(await none.standardOutput() == Data("GET - ".utf8))
    }

    @Test("G1 -v shows the head as sent, with the fields that the transport adds, and -vv the body without secrets")
    func verbose() async throws {
        let server = try await echo()
        let run = await Run.godwit("post", "\(server.url)a?token=S3", "name=Ann", "password=S3", "-vv", "-u", "ann:S3")
        let sent = run.errors.split(separator: "\n").prefix { $0 != ">" }.map(String.init)
        #expect(sent.first == "> POST /a?token=<redacted> HTTP/1.1")
        #expect(sent.contains("> Host: 127.0.0.1:\(server.url.port)"))
        #expect(sent.contains("> Authorization: <redacted>"))
        #expect(sent.contains { $0.hasPrefix("> Accept-Encoding: gzip") })
        #expect(sent.contains("> Content-Length: 30"))
        #expect(run.errors.contains("\n>\n{\"name\":\"Ann\",\"password\":\"<redacted>\"}\n< HTTP/1.1 200 OK\n"))
        #expect(!run.errors.contains("S3"))
        #expect(
            Set(sent.dropFirst().map { String($0.dropFirst(2).prefix { $0 != ":" }).lowercased() })
                == Set(server.requests[0].fields.map { $0.name.canonicalName }))
    }

    @Test("G1 -v shows nothing as sent without a connection")
    func unsent() async {
        let run = await Run.godwit("get", "http://127.0.0.1:1/", "-v")
        #expect(run.code == .unreachable)
        #expect(!run.errors.contains(">"))
    }

    @Test("G1 name=value with get is refused with the way to do it", arguments: ["get", "head"])
    func query(verb: String) async throws {
        let server = try await echo()
        let run = await Run.godwit(verb, "\(server.url)", "page=2")
        #expect(run.code == .usage)
        #expect(run.errors.contains("write page==2 for the query"))
        #expect(server.requests.isEmpty)
    }

    @Test(
        "G1 a password in a URL is refused with the way to do it, and not repeated",
        arguments: [
            ["get", "http://ann:S3@127.0.0.1:1/"], ["ann:S3@127.0.0.1:1/"], ["curl", "http://ann:S3@127.0.0.1:1/"],
        ])
    func password(line: [String]) async {
        let run = await Run.godwit(line)
        #expect(run.code == .usage)
        #expect(run.errors.contains("use -u USER:PASSWORD"))
        #expect(!run.errors.contains("S3"))
    }
}

@Suite("G1 godwit: cookies, sessions and logins between runs", .timeLimit(.minutes(15)))
struct SessionTests {
    private let folder: TemporaryFolder

    init() throws { folder = TemporaryFolder() }

    private func run(_ arguments: String...) async -> Run {
        await Run.godwit(arguments, environment: ["HOME": folder.url.path])
    }

    private func server() async throws -> MockServer {
        try await MockServer { route in
            route.get("/in").reply(.text("in").field(.setCookie, "s=1"))
            route.any("*").reply { request in
                let names: [HTTPField.Name] = [.cookie, .authorization, "X-A", "If-Match"]
                return .text(names.map { request.fields[$0] ?? "-" }.joined(separator: " "))
            }
        }
    }

    @Test("G1 K3 -c keeps session cookies, and -b sends those of a file without saving")
    func jar() async throws {
        let server = try await server()
        let jar = folder.path("jar")
        #expect(await run("\(server.url)in", "-c", jar).code == .success)
        #expect(await run("\(server.url)see", "-c", jar).output == "s=1 - - -")
        #expect(await run("\(server.url)see", "-b", jar).output == "s=1 - - -")
        #expect(await run("\(server.url)see", "-b", "a=b").output == "a=b - - -")
        let netscape = try folder.write(
            "# Netscape HTTP Cookie File\n#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tn\tv\n127.0.0.1\tFALSE\t/x\tFALSE\t0\tm\tw\n",
            to: "curl.txt")
        #expect(await run("\(server.url)see", "-b", netscape).output == "n=v - - -")
        let marked = try folder.write("\u{FEFF}127.0.0.1\tFALSE\t/\tFALSE\t0\tn\tv\n", to: "marked.txt")
        #expect(await run("\(server.url)see", "-b", marked).output == "n=v - - -")
        let wrong = await run("\(server.url)see", "-b", try folder.write("hello", to: "text"))
        #expect(wrong.code == .file)
        #expect(wrong.errors.contains("write -b NAME=VALUE"))
    }

    @Test("G1 --session keeps fields, login and cookies for its host, in files that only the owner can read")
    func session() async throws {
        let server = try await server()
        #expect(await run("\(server.url)in", "--session", "ann", "X-A:1", "If-Match:e", "-u", "a:b").code == .success)
        #expect(await run("\(server.url)see", "--session", "ann").output == "s=1 Basic YTpi 1 -")
        #expect(await run("\(server.url)see", "--session=ann", "X-A:2", "--bearer", "t").output == "s=1 Bearer t 2 -")
        #expect(await run("\(server.url)see", "--session", "ann").output == "s=1 Bearer t 2 -")
        #expect(await run("\(server.url)see", "--session", "bob").output == "- - - -")
        #expect(await run("\(server.url)see").output == "- - - -")
        let other = try await self.server()
        #expect(await run("\(other.url)see", "--session", "ann").output == "- - - -")
        let place = folder.path(".config/godwit/sessions/127.0.0.1_\(server.url.port)")
        for name in ["ann.json", "ann.cookies"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(place)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(place)/ann.json")
        let open = await run("\(server.url)see", "--session", "ann")
        #expect(open.code == .file)
        #expect(open.errors.contains("chmod 600"))
    }

    @Test("G1 --session takes no name that could leave its folder", arguments: ["../a", ".a", "a/b", "", "a b"])
    func badName(_ name: String) async {
        let run = await run("http://127.0.0.1:1/", "--session=\(name)")
        #expect(run.code == .usage)
        #expect(run.errors.contains("--session needs a name"))
    }

    @Test("G1 --session without a home folder, and together with a jar, is a usage error")
    func withoutHome() async {
        #expect(await Run.godwit("http://127.0.0.1:1/", "--session", "a").errors.contains("HOME"))
        #expect(await run("http://127.0.0.1:1/", "--session", "a", "-c", "jar").code == .usage)
    }

    @Test("G1 -n signs in as the netrc file says; -u has precedence; another host gets nothing")
    func netrc() async throws {
        let server = try await server()
        _ = try folder.write(
            "# c\nmachine other login x password y\nmachine 127.0.0.1\n  login ann\n  password p\n", to: ".netrc")
        #expect(await run("\(server.url)see", "-n").output == "- Basic YW5uOnA= - -")
        #expect(await run("\(server.url)see", "-n", "-u", "a:b").output == "- Basic YTpi - -")
        #expect(await run("http://localhost:\(server.url.port)/see", "-n").output == "- - - -")
        let file = try folder.write("default login d password e", to: "n")
        #expect(await run("\(server.url)see", "--netrc-file", file).output == "- Basic ZDpl - -")
        #expect(await run("\(server.url)see", "--netrc-file", folder.path("none")).code == .file)
    }

    @Test("G1 --bearer takes a token or a file with one")
    func bearer() async throws {
        let server = try await server()
        let file = try folder.write("t2\n", to: "token")
        #expect(await run("\(server.url)see", "--bearer", "t1").output == "- Bearer t1 - -")
        #expect(await run("\(server.url)see", "--bearer", "@\(file)").output == "- Bearer t2 - -")
        #expect(await run("\(server.url)see", "--bearer", "@\(folder.path("none"))").code == .file)
    }

    @Test("G1 --digest answers a challenge and never sends the password")
    func digest() async throws {
        let server = try await MockServer { request in
            guard let field = request.fields[.authorization] else {
                return .status(401).field(
                    .wwwAuthenticate, "Digest realm=\"sea\", nonce=\"n1\", qop=\"auth\", algorithm=SHA-256")
            }
            return .text(String(field.prefix { $0 != " " }))
        }
        let run = await run("\(server.url)", "--digest", "-u", "ann:p")
        #expect(run.output == "Digest")
        #expect(server.requests.count == 2)
        #expect(server.requests[0].fields[.authorization] == nil)
    }

    @Test("G1 the config file gives options for all hosts and for one; the command line comes after")
    func config() async throws {
        let server = try await server()
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder.path(".config/godwit"), withIntermediateDirectories: true)
        let text = """
            # comment
            -H 'If-Match: all'

            [127.0.0.1:\(server.url.port)]
            -H "X-A: own"
            -u a:b
            [*.example.com]
            --fail --nonsense
            """
        _ = try folder.write(text, to: ".config/godwit/config")
        #expect(await run("\(server.url)see").output == "- Basic YTpi own all")
        #expect(await run("\(server.url)see", "--bearer", "t", "-u", "c:d").output == "- Basic Yzpk own all")
        #expect(await run("\(server.url)see", "--bearer", "t", "X-A:new").output == "- Bearer t new all")
        #expect(await run("http://localhost:\(server.url.port)/see").output == "- - - all")
        #expect(await run("\(server.url)see", "--no-config").output == "- - - -")
        let unknown = await run("http://a.example.com:1/")
        #expect(unknown.errors.contains("in the config file: unknown option --nonsense; --no-config ignores it"))
        _ = try folder.write("timeout 3\n", to: ".config/godwit/config")
        let wrong = await run("\(server.url)see")
        #expect(wrong.code == .usage)
        #expect(wrong.errors.contains("/config: line 1: an option begins with"))
    }
}
#endif
