import Godwit
import GodwitCommand
import TestSupport
import Testing

@Suite("G2 godwit generate: files", .timeLimit(.minutes(15)))
struct GenerateCommandTests {
    private let folder: TemporaryFolder
    private let document: String
    private static let api = """
        {"openapi": "3.1.0", "info": {"title": "Harbor", "version": "1"}, "servers": [{"url": "https://api.example.com"}],
        "paths": {"/boats": {"get": {"operationId": "listBoats", "responses": {"200": {"description": "All",
        "content": {"application/json": {"schema": {"type": "array", "items": {"type": "string"}}}}}}}}}}
        """

    init() throws {
        folder = TemporaryFolder()
        document = try folder.write(Self.api, to: "api.json")
    }

    private var output: String { folder.path("Out") }

    private func generate(_ arguments: String...) async -> Run {
        await Run.godwit(["generate", "--openapi", document, "--into", output] + arguments)
    }

    private func names(in place: String = "Out") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path(place)).sorted()
    }

    @Test("G2 a new folder becomes a package, and the same run again changes nothing")
    func package() async throws {
        let run = await generate()
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output.hasPrefix("\(output): ") && run.output.contains(" files written"), "\(run.output)")
        #expect(try names().contains("Package.swift"))
        let before = try names()
        let again = await generate()
        #expect(again.code == .success)
        #expect(again.output.hasPrefix("\(output): up to date, "), "\(again.output)")
        #expect(try names() == before)
    }

    @Test("G2 --check and --dry-run write nothing and print the changes; only --check exits with 1")
    func check() async throws {
        for (option, code) in [("--check", ExitCode.outdated), ("--dry-run", .success)] {
            let run = await generate(option)
            #expect(run.code == code)
            #expect(run.output.contains("add     Package.swift\n") && run.output.contains(" files to write"))
            #expect(try !folder.names.contains("Out"))
        }
        _ = await generate()
        let run = await generate("--check")
        #expect(run.code == .success)
        #expect(run.output.hasPrefix("\(output): up to date, "), "\(run.output)")
        try Data(Self.api.replacing("Harbor", with: "Haven").utf8).write(to: URL(filePath: document))
        #expect(await generate("--check").code == .outdated)
    }

    @Test("G2 --breaking says what callers must change in the words of their code, and exits with 1 only then")
    func breaking() async throws {
        _ = await generate()
        for arguments in [["--breaking"], ["--check", "--breaking"], ["--breaking", "--check"]] {
            let run = await Run.godwit(["generate", "--openapi", document, "--into", output] + arguments)
            #expect(run.code == .success)
            #expect(run.output == "\(output): nothing breaks its callers\n")
        }
        let added = Self.api.replacing(
            #""operationId": "listBoats""#,
            with:
                #""operationId": "listBoats", "parameters": [{"name": "port", "in": "query", "schema": {"type": "string"}}]"#
        )
        try Data(added.utf8).write(to: URL(filePath: document))
        #expect(await generate("--check").code == .outdated)
        try Data(added.replacing(#""name": "port","#, with: #""name": "port", "required": true,"#).utf8)
            .write(to: URL(filePath: document))
        let run = await generate("--breaking")
        #expect(run.code == .outdated)
        #expect(run.output.hasPrefix("`Endpoint.listBoats` is a function now: `listBoats(port:)`\n"), "\(run.output)")
        #expect(run.output.contains("`listBoats` needs `port:`, of type `String` (HarborRepository, "), "\(run.output)")
        #expect(run.output.hasSuffix("\(output): 3 changes break its callers\n"), "\(run.output)")
        let mixed = await generate("--dry-run", "--breaking")
        #expect(mixed.code == .usage && mixed.errors.contains("--dry-run can't be combined with --check or --breaking"))
    }

    @Test("G2 an edited file is kept and named; --force replaces it")
    func edited() async throws {
        _ = await generate()
        let original = try folder.read("Out/GENERATED.md")
        _ = try folder.write("mine", to: "Out/GENERATED.md")
        let run = await generate()
        #expect(run.code == .success)
        #expect(
            run.output.contains("1 kept\nkept: GENERATED.md was edited; replace it with --force\n"), "\(run.output)")
        #expect(try folder.read("Out/GENERATED.md") == "mine")
        #expect(await generate("--check").code == .success)
        #expect(await generate("--force").code == .success)
        #expect(try folder.read("Out/GENERATED.md") == original)
    }

    @Test("G2 below the Sources of a package, and beside files of something else, only sources are written")
    func folders() async throws {
        for place in ["App/Sources/App/API", "Other"] {
            let path = folder.path(place)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            if place == "Other" { _ = try folder.write("mine", to: "Other/App.swift") }
            if place != "Other" { _ = try folder.write("", to: "App/Package.swift") }
            let run = await Run.godwit("generate", "--openapi", document, "--into", path)
            #expect(run.code == .success, "\(run.errors)")
            #expect(try !names(in: place).contains("Package.swift"))
            #expect(try names(in: place).contains(".godwit-generated"))
        }
        let run = await Run.godwit("generate", "--openapi", document, "--into", folder.path("App"))
        #expect(run.code == .usage)
        #expect(run.errors.contains("is another package; name a folder below its Sources with --into"))
    }

    @Test("G2 what a folder was at first, it stays")
    func sameLayout() async throws {
        _ = await generate("--folder")
        #expect(try !names().contains("Package.swift"))
        #expect(await generate("--check").code == .success)
        #expect(await generate("--package", "--check").output.contains("add     Package.swift\n"))
    }

    @Test("G2 each kind of failure has its exit code, one line, and no file")
    func failures() async throws {
        let broken = try folder.write("{", to: "broken.json")
        let one = try folder.write("{\"id\": 1}", to: "one.json")
        let other = try folder.write("{\"id\": {\"a\": \"b\"}}", to: "other.json")
        for (source, code, words) in [
            (["--openapi", broken], ExitCode.document, "broken.json:1:2"),
            (["--openapi", folder.path("missing.json")], .file, "cannot read "),
            (["--sample", "GET /a => \(one),\(other)"], .contradiction, ""),
        ] {
            let run = await Run.godwit(["generate", "--into", output] + source)
            #expect(run.code == code, "\(run.errors)")
            #expect(run.errors.hasPrefix("godwit: ") && run.errors.contains(words), "\(run.errors)")
            #expect(run.errors.count { $0 == "\n" } == 1)
            #expect(try !folder.names.contains("Out"))
        }
    }

    @Test("G2 a folder that can't be made: exit code 7 with the path")
    func impossibleFolder() async throws {
        let run = await Run.godwit("generate", "--openapi", document, "--into", document)
        #expect(run.code == .file)
        #expect(run.errors == "godwit: \(document): this isn't a folder\n")
    }

    @Test("G2 the document can come from standard input")
    func standardInput() async throws {
        let run = await Run.godwit(
            ["generate", "--openapi", "-", "--into", output],
            input: [String(Self.api.prefix(40)), String(Self.api.dropFirst(40))])
        #expect(run.code == .success, "\(run.errors)")
        #expect(try names().contains("Package.swift"))
    }
}
