#if canImport(Glibc)
import Glibc
import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

/// Runs what docs/cli.md says.
@Suite(
    "G1 docs/cli.md", .serialized, .timeLimit(.minutes(15)),
    .enabled(if: SpawnedProgram.path != nil, "the godwit binary was not built"))
struct CommandPageTests {
    private static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    /// The path of HTTPie; `nil` if it isn't installed.
    private static let httpie: String? = {
        guard let python = ProcessInfo.processInfo.environment["GODWIT_TEST_PYTHON"] else { return nil }
        let path = URL(filePath: python).deletingLastPathComponent().appending(path: "http").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// The rows of the table after a mark, cell by cell, without backticks.
    private static func rows(after mark: String) -> [[String]] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/cli.md")
        guard let text = try? String(contentsOf: file, encoding: .utf8), let start = text.firstRange(of: mark) else {
            return []
        }
        let lines = text[start.upperBound...].split(separator: "\n").drop { !$0.hasPrefix("|") }
        return lines.prefix { $0.hasPrefix("|") }.dropFirst(2).map { line in
            let cells = line.dropFirst().dropLast().replacing("\\|", with: "\u{0}").split(separator: "|")
            return cells.map { cell in
                let plain = cell.replacing("\u{0}", with: "|").drop { $0 == " " }
                let trimmed = plain.reversed().drop { $0 == " " }.reversed()
                return String(trimmed).split(separator: "`", omittingEmptySubsequences: false).joined()
            }
        }
    }

    private static func server() async throws -> MockServer {
        try await MockServer { route in
            route.get("/r").reply(.redirect(to: "/a"))
            route.get("/loop").reply(.redirect(to: "/loop"))
            route.get("/in").reply(.text("in").field(.setCookie, "s=1"))
            route.get("/missing").reply(.status(404))
            route.get("/json").reply(.bytes(Data("{\"a\":1}".utf8), contentType: "application/json"))
            route.get("/named").reply(.text("n").field(.contentDisposition, "attachment; filename=\"named.txt\""))
            route.get("/digest").reply { request in
                if request.fields[.authorization]?.hasPrefix("Digest ") == true { return .text("in") }
                return .status(401).field(.wwwAuthenticate, "Digest realm=\"sea\", nonce=\"n\", qop=\"auth\"")
            }
            route.any("*").reply(.text("ok"))
        }
    }

    private struct Outcome {
        let code: Int32
        let output: String
        let errors: String
        let files: [String]
    }

    /// Makes `http` a command that reads no configuration of the user and asks no server for updates.
    ///
    /// - Returns: The lines of a shell that know the command, and run the line.
    private static func shell(for line: String, _ settings: TemporaryFolder) throws -> String {
        guard let httpie, line.contains("http ") else { return "godwit() { \"$0\" \"$@\"; }\n\(line)" }
        _ = try settings.write("{\"disable_update_warnings\": true}", to: "config.json")
        // Without a terminal, HTTPie sends its input as the body, also if it is empty, and its -d writes to the output.
        let isPiped = line.contains("| http ")
        let command = "'\(httpie)' \(isPiped ? "" : "--ignore-stdin")"
        let whole = line.hasPrefix("http -d ") ? "script -qec \"\(command) \(line.dropFirst(5))\" /dev/null" : line
        return "export HTTPIE_CONFIG_DIR='\(settings.url.path)'; http() { \(command) \"$@\"; }\n\(whole)"
    }

    /// Runs a line in a folder of its own, in a shell that knows godwit as a command.
    private static func run(_ line: String, against server: MockServer, withNetrc: Bool = false) async throws -> Outcome
    {
        let (folder, settings) = (TemporaryFolder(), TemporaryFolder())
        _ = try folder.write("{\"a\":1}", to: "a.json")
        if withNetrc { _ = try folder.write("machine localhost login ann password pw\n", to: ".netrc") }
        let shell = """
            cd '\(folder.url.path)' && export HOME="$PWD" && unset XDG_CONFIG_HOME http_proxy
            \(try shell(for: line.replacing("8080", with: "\(server.url.port)"), settings))
            """
        let program = try SpawnedProgram(shell: shell, [])
        program.feed("")
        let output = String(decoding: await program.standardOutput(), as: UTF8.self)
        let errors = await program.standardError()
        return Outcome(
            code: await program.exitCode(), output: output, errors: errors, files: try folder.names.sorted())
    }

    /// What two programs have to agree on.
    private static func essence(_ request: MockRequest?) -> [String] {
        guard let request else { return [] }
        let fields = request.fields
        let form = fields[.contentType]?.hasPrefix("multipart/") == true
        var body = request.text
        if let json = JSONValue(parsing: Data(body.utf8)) {
            // The description of a dictionary has no order.
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            body = (try? encoder.encode(json)).map { String(decoding: $0, as: UTF8.self) } ?? body
        }
        if form { body = body.contains("{\"a\":1}") ? "a.json" : body }
        let digest = fields[.authorization]?.hasPrefix("Digest ") == true
        let isTyped = form && request.text.contains("Content-Type: text/x")
        // curl -T sends a file without its type. HTTPie names a type also without a body.
        let hasType = request.method != .put && !request.text.isEmpty
        let type = hasType ? fields[.contentType]?.prefix { $0 != ";" } : nil
        let agent = fields["User-Agent"].map { $0 == "x" ? "x" : "default" }
        return [
            "\(request.method)", request.path,
            request.queryItems.map { "\($0.name)=\($0.value)" }.joined(separator: "&"),
            body.replacing("+", with: "%20"),
            digest ? "digest" : fields[.authorization] ?? "-", fields["X-A"] ?? "-", fields[.cookie] ?? "-",
            fields["Referer"] ?? "-", type.map(String.init) ?? "-", fields[.host] == "x.test" ? "x.test" : "-",
            agent ?? "-", isTyped ? "text/x" : "-",
        ]
    }

    @Test("G1 the page has forty tasks, and a line with godwit is never the longest")
    func lengths() {
        let rows = Self.rows(after: "<!-- tasks -->")
        #expect(rows.count >= 40)
        for row in rows where row.count == 4 {
            let longest = max(row[1].count, row[2].count)
            #expect(row[3].count <= longest, "\(row[0])")
        }
        #expect(rows.allSatisfy { $0.count == 4 })
    }

    private static let tasks = rows(after: "<!-- tasks -->")

    @Test("G1 each task works, and the server receives what it receives from curl", arguments: tasks)
    func likeCurl(row: [String]) async throws {
        try #require(row.count == 4)
        let line = Self.hasCurl && !row[1].contains("| jq") ? row[1] : ""
        try await Self.compare(row, with: line)
    }

    @Test(
        "G1 for each task, the server receives what it receives from HTTPie",
        .enabled(
            if: httpie != nil, "NOT COMPARED: needs HTTPie: script/setup --servers; script/servers start DIR; . DIR/env"
        ),
        arguments: tasks.filter { $0.count == 4 && !$0[2].isEmpty })
    func likeHTTPie(row: [String]) async throws {
        try await Self.compare(row, with: row[2])
    }

    /// Runs the task with godwit, and with another tool if the line isn't empty.
    private static func compare(_ row: [String], with line: String) async throws {
        let (server, other) = (try await server(), try await Self.server())
        // HTTPie reads the file for each task, curl and godwit on request.
        let withNetrc = row[0].contains("netrc")
        async let toOther = line.isEmpty ? nil : run(line, against: other, withNetrc: withNetrc)
        let own = try await run(row[3], against: server, withNetrc: withNetrc)
        #expect(own.code == 0, "\(own.errors)")
        #expect(!server.requests.isEmpty)
        guard let theirs = try await toOther else { return }
        #expect(theirs.code == 0, "\(theirs.errors)")
        #expect(server.requests.count == other.requests.count)
        // Two downloads at a time arrive in either order.
        let received = server.requests.map(essence).map { $0.joined(separator: " ") }.sorted()
        let expected = other.requests.map(essence).map { $0.joined(separator: " ") }.sorted()
        #expect(received.last == expected.last)
        if row[0].hasPrefix("Save") || row[0].contains("download") { #expect(own.files == theirs.files) }
    }

    @Test(
        "G1 each mistake prints what the page says, and exits as it says", arguments: rows(after: "<!-- mistakes -->"))
    func mistake(row: [String]) async throws {
        try #require(row.count == 3)
        let server = try await Self.server()
        let run = try await Self.run(row[0], against: server)
        let printed = run.errors.replacing("\(server.url.port)", with: "8080")
        let pieces = row[1].split(separator: "…", omittingEmptySubsequences: false)
        var rest = printed[...]
        for piece in pieces {
            guard let range = rest.firstRange(of: piece) else {
                Issue.record("\(row[0]) printed \(printed)")
                return
            }
            rest = rest[range.upperBound...]
        }
        #expect(!row[1].isEmpty && printed.hasPrefix("godwit: "))
        #expect("\(run.code)" == row[2], "\(printed)")
    }

    @Test("G1 the page has thirty mistakes")
    func mistakes() {
        #expect(Self.rows(after: "<!-- mistakes -->").count >= 30)
    }
}
#endif
