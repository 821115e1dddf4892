import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 godwit cookies and cache", .timeLimit(.minutes(15)))
struct StoredStateTests {
    private let folder: TemporaryFolder
    private let server: MockServer

    init() async throws {
        folder = TemporaryFolder()
        server = try await MockServer { route in
            route.get("/in").optional().reply(
                .text("in").field(.setCookie, "sid=s3cret; Path=/; HttpOnly; SameSite=Lax"))
            route.get("/theme").optional().reply(
                .text("dark").field(.setCookie, "theme=dark; Path=/in; Max-Age=3600"))
            route.get("/fresh").optional().reply(.text("hello").field(.cacheControl, "max-age=3600"))
            route.get("/stale").optional().reply(
                .text("bye").field(.cacheControl, "max-age=60").field("Age", "7260").field(.etag, "\"1\""))
        }
    }

    private func jar() async -> String {
        let file = folder.path("jar")
        for path in ["in", "theme"] { _ = await Run.godwit("\(server.url)\(path)", "-c", file) }
        return file
    }

    @Test("G1 C1 within stale-while-revalidate a command validates before it ends, and the next finds it fresh")
    func validates() async throws {
        let numbers = Watched(0)
        let server = try await MockServer { request in
            let number = numbers.update { number in
                number += 1
                return number
            }
            // The first one is stale when it comes.
            return .text("\(number)").field(.cacheControl, "max-age=60, stale-while-revalidate=3600")
                .field("Age", number == 1 ? "100" : "0")
        }
        let outputs = await [
            Run.godwit("get", "\(server.url)", "--cache", folder.path("c")).output,
            Run.godwit("get", "\(server.url)", "--cache", folder.path("c")).output,
            Run.godwit("get", "\(server.url)", "--cache", folder.path("c")).output,
        ]
        #expect(outputs == ["1", "1", "2"])
        #expect(server.requests.count == 2)
    }

    @Test("G1 K2 cookies lists the cookies of a file, and values only on request")
    func list() async {
        let file = await jar()
        let run = await Run.godwit("cookies", file)
        #expect(run.code == .success)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.first == "sid 127.0.0.1/ session HttpOnly SameSite=Lax")
        #expect(lines.last?.hasPrefix("theme 127.0.0.1/in until 20") == true)
        #expect(await Run.godwit("cookies", file, "--values").output.contains("sid=s3cret 127"))
        let json = await Run.godwit("cookies", file, "\(server.url)", "--json-output").output
        #expect(
            json == """
                {"name":"sid","domain":"127.0.0.1","hostOnly":true,"path":"/","secure":false,"httpOnly":true,"sameSite":"Lax"}

                """)
    }

    @Test("G1 K2 cookies deletes by name, by URL and all, and the file stays private")
    func delete() async throws {
        let file = await jar()
        let run = await Run.godwit("cookies", file, "--delete", "sid")
        #expect(run.code == .success && run.output == "" && run.errors == "godwit: deleted 1 of 2 cookies\n")
        #expect(await Run.godwit("cookies", file).output.hasPrefix("theme "))
        #expect(await Run.godwit("cookies", file, "\(server.url)", "--clear").errors.contains("deleted 0 of 0"))
        #expect(await Run.godwit("cookies", file, "--clear").errors.contains("deleted 1 of 1"))
        #expect(await Run.godwit("cookies", file).output == "")
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }

    @Test("G1 C7 -v says what the cache did, and so does the report")
    func cacheStatus() async {
        let arguments = ["\(server.url)fresh", "--cache", folder.path("cache"), "-v"]
        #expect(await Run.godwit(arguments).errors.contains("\n* cache: Godwit; fwd=miss; stored\n"))
        #expect(await Run.godwit(arguments).errors.hasPrefix("* cache: Godwit; hit; ttl=3"))
        let report = await Run.godwit(arguments + ["--json-output"]).output
        #expect(report.contains("\"cacheStatus\":\"Godwit; hit; ttl=3"))
    }

    @Test("G1 K3 cookies --netscape is read by -b, and is not changed")
    func netscape() async throws {
        let text = await Run.godwit("cookies", await jar(), "--netscape").output
        let lines = text.split(separator: "\n")
        #expect(lines[0] == "# Netscape HTTP Cookie File")
        #expect(lines[1] == "#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\ts3cret")
        let values = lines[2].split(separator: "\t")
        #expect(values.prefix(4) == ["127.0.0.1", "FALSE", "/in", "FALSE"] && values.suffix(2) == ["theme", "dark"])
        #expect(values.count == 7 && Int(values[4]).map { $0 > 1_700_000_000 } == true)
        let file = try folder.write(text, to: "curl.txt")
        #expect(await Run.godwit("cookies", file).output.split(separator: "\n").count == 2)
        let run = await Run.godwit("cookies", file, "--clear")
        #expect(run.code == .usage && run.errors.contains("in curl's format, which is only read"))
    }

    @Test("G1 K3 cookies reads the cookies of a session, and nothing of another host")
    func session() async {
        let environment = ["XDG_CONFIG_HOME": folder.path("config")]
        let url = "\(server.url)in"
        for path in ["in", "theme"] {
            _ = await Run.godwit("\(server.url)\(path)", "--session", "ann", environment: environment)
        }
        let run = await Run.godwit("cookies", "--session", "ann", url, environment: environment)
        #expect(run.output.split(separator: "\n").count == 2)
        let other = await Run.godwit("cookies", "--session", "ann", "example.com", environment: environment)
        #expect(other.code == .file && other.errors.contains("the session ann has no cookies for example.com"))
        #expect(await Run.godwit("cookies", "--session", "../x", url, environment: environment).code == .usage)
        #expect(await Run.godwit("cookies", "--session", "ann", environment: environment).code == .usage)
    }

    @Test("G1 C1 cache lists what --cache stored, with age and freshness, and removes it")
    func cache() async {
        let store = folder.path("cache")
        for path in ["fresh", "stale"] { _ = await Run.godwit("\(server.url)\(path)", "--cache", store) }
        let run = await Run.godwit("cache", store)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2)
        // The machine may be busy for some seconds.
        #expect(lines.first?.hasPrefix("200  5 B  age ") == true)
        #expect(lines.first?.hasSuffix("s  fresh for 59m  \(server.url)fresh") == true)
        #expect(lines.last == "200  3 B  age 2h  stale for 2h  \(server.url)stale")
        let json = await Run.godwit("cache", store, "\(server.url)fresh", "--json-output").output
        #expect(json.hasPrefix("{\"url\":\"\(server.url)fresh\",\"status\":200,\"type\":\"text/plain"))
        #expect(await Run.godwit("cache", store, "\(server.url)fresh", "--clear").errors.contains("removed "))
        #expect(await Run.godwit("cache", store).output.split(separator: "\n").count == 1)
        #expect(await Run.godwit("cache", store, "--clear").code == .success)
        #expect(await Run.godwit("cache", store).output == "")
    }

    @Test(
        "G1 cookies and cache refuse what does not exist, and make nothing",
        arguments: [
            (["cookies"], ExitCode.usage), (["cookies", "NONE"], .file), (["cache"], .usage),
            (["cache", "NONE"], .file),
            (["cookies", "NONE", "ftp://x"], .usage), (["cache", "NONE", "a b"], .usage),
            (["cache", "a", "b", "c"], .usage),
        ])
    func missing(words: [String], code: ExitCode) async {
        let path = folder.path("none")
        let run = await Run.godwit(words.map { $0 == "NONE" ? path : $0 })
        #expect(run.code == code && run.output == "" && run.errors.hasPrefix("godwit: "))
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
