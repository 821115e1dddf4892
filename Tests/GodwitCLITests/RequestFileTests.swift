import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 godwit request: files", .timeLimit(.minutes(15)))
struct RequestFileTests {
    private let folder: TemporaryFolder
    private let server: MockServer

    init() async throws {
        folder = TemporaryFolder()
        server = try await MockServer { route in
            route.get("/a.txt").reply(.text("content"))
            route.get("/missing").reply(.text("no such thing", status: .notFound))
            route.get("/cut").reply(.text("content").dropped(after: .bytes(3)))
        }
    }

    @Test("G1 --output writes the body to a new file, and nothing to standard output")
    func output() async throws {
        let run = await Run.godwit("get", "\(server.url)a.txt", "-o", folder.path("a"))
        #expect(run.code == .success)
        #expect(run.output.isEmpty && run.errors.isEmpty)
        #expect(try folder.read("a") == "content")
        #expect(try folder.names == ["a"])
    }

    @Test("G1 --output refuses a file that exists, before anything is sent; --force replaces it")
    func existing() async throws {
        let path = try folder.write("old", to: "a")
        let refused = await Run.godwit("get", "\(server.url)a.txt", "-o", path)
        #expect(refused.code == .file)
        #expect(refused.errors == "godwit: \(path) exists; replace it with --force\n")
        #expect(server.requestCount == 0)
        #expect(try folder.read("a") == "old")
        let forced = await Run.godwit("get", "\(server.url)a.txt", "-o", path, "--force")
        #expect(forced.code == .success)
        #expect(try folder.read("a") == "content")
        #expect(try folder.names == ["a"])
    }

    @Test("G1 an interrupted download leaves no partial file and does not change the old one")
    func brokenOff() async throws {
        let path = try folder.write("old", to: "a")
        let run = await Run.godwit("get", "\(server.url)cut", "-o", path, "--force")
        #expect(run.code == .network)
        #expect(try folder.read("a") == "old")
        #expect(try folder.names == ["a"])
    }

    @Test("G1 the body of an HTTP error goes to standard output, and no file is made")
    func httpError() async throws {
        let run = await Run.godwit("get", "\(server.url)missing", "-o", folder.path("a"))
        #expect(run.code == .httpStatus)
        #expect(run.output == "no such thing")
        #expect(try folder.names.isEmpty)
    }

    @Test("G1 a missing folder is a file error")
    func missingFolder() async throws {
        let run = await Run.godwit("get", "\(server.url)a.txt", "-o", folder.path("none/a"))
        #expect(run.code == .file)
        #expect(run.errors.hasPrefix("godwit: file: "))
    }

    @Test("G1 the object of --json-output names the file")
    func report() async throws {
        let run = await Run.godwit("get", "\(server.url)a.txt", "-o", folder.path("a"), "--json-output")
        #expect(run.output.hasSuffix(",\"file\":\"\(folder.path("a"))\"}\n"))
    }

    @Test("G1 a device is written to and not replaced")
    func device() async throws {
        let run = await Run.godwit("get", "\(server.url)a.txt", "-o", "/dev/null", "--force")
        #expect(run.code == .success)
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(type == .typeCharacterSpecial)
    }

    @Test(
        "G1 -d leaves out the line breaks of a file and of standard input, as curl does; --data-binary keeps them",
        arguments: [
            ("-d", "@FILE", "a=1&b=2"), ("--data-ascii", "-", "a=1&b=2"), ("--data-binary", "@FILE", "a=1&\r\nb=2\n"),
            ("--data-binary", "-", "a=1&\r\nb=2\n"), ("-d", "a\nb", "a\nb"),
        ])
    func lineBreaks(option: String, value: String, sent: String) async throws {
        try Data("a=1&\r\nb=2\n".utf8).write(to: URL(filePath: folder.path("form")))
        let input = ScriptedInput(["a=1&\r\n", "\n", "b=2\n"])
        let command = Command(input: input, output: CapturedOutput(), errors: CapturedOutput())
        let value = value.replacing("FILE", with: folder.path("form"))
        _ = await command.run(["curl", "\(server.url)a.txt", option, value])
        #expect(server.requests.last?.text == (value == "-" ? sent.replacing("&\r\nb", with: "&\r\n\nb") : sent))
    }

    @Test(
        "G1 an unreadable body file is a file error, and nothing is sent",
        arguments: [["@none"], ["a=@none"], ["--json", "@none"], ["--multipart", "a@none"], ["-d", "@none"]])
    func unreadable(items: [String]) async throws {
        let missing = items.map { $0.replacing("none", with: folder.path("none")) }
        let errors = CapturedOutput()
        let command = Command(input: ScriptedInput([]), output: CapturedOutput(), errors: errors)
        #expect(await command.run(["post", "\(server.url)a.txt"] + missing) == .file)
        #expect(server.requestCount == 0)
        #expect(errors.text.contains("none"))
    }
}
