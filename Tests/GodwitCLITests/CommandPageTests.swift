#if canImport(Glibc)
import Glibc
import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

/// Runs what docs/cli.md says.
@Suite(
    "G1 docs/cli.md", .serialized, .timeLimit(.minutes(5)),
    .enabled(if: SpawnedProgram.path != nil, "the godwit binary was not built"))
struct CommandPageTests {
    private static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

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

    /// Runs a line in a folder of its own, in a shell that knows godwit as a command.
    private static func run(_ line: String, against server: MockServer, withNetrc: Bool = true) async throws -> Outcome
    {
        let folder = try TemporaryFolder()
        _ = try folder.write("{\"a\":1}", to: "a.json")
        if withNetrc { _ = try folder.write("machine localhost login ann password pw\n", to: ".netrc") }
        let shell = """
            godwit() { "$0" "$@"; }
            cd '\(folder.url.path)' && export HOME="$PWD" && unset XDG_CONFIG_HOME http_proxy
            \(line.replacing("8080", with: "\(server.url.port)"))
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
        if let json = JSONValue(parsing: Data(body.utf8)) { body = "\(json)" }
        if form { body = body.contains("{\"a\":1}") ? "a.json" : body }
        let digest = fields[.authorization]?.hasPrefix("Digest ") == true
        // curl -T sends a file without its type.
        let isJSON = request.method != .put && fields[.contentType]?.hasPrefix("application/json") == true
        return [
            "\(request.method)", request.path,
            request.queryItems.map { "\($0.name)=\($0.value)" }.joined(separator: "&"),
            body.replacing("+", with: "%20"),
            digest ? "digest" : fields[.authorization] ?? "-", fields["X-A"] ?? "-", fields[.cookie] ?? "-",
            fields["Referer"] ?? "-", isJSON ? "json" : "-", fields[.host] == "x.test" ? "x.test" : "-",
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

    @Test(
        "G1 each task works, and the server receives what it receives from curl",
        arguments: rows(after: "<!-- tasks -->"))
    func task(row: [String]) async throws {
        try #require(row.count == 4)
        let server = try await Self.server()
        let own = try await Self.run(row[3], against: server)
        #expect(own.code == 0, "\(own.errors)")
        #expect(!server.requests.isEmpty)
        guard Self.hasCurl, !row[1].isEmpty, !row[1].contains("| jq") else { return }
        let other = try await Self.server()
        let curl = try await Self.run(row[1], against: other)
        #expect(curl.code == 0, "\(curl.errors)")
        #expect(server.requests.count == other.requests.count)
        // Two downloads at a time arrive in either order.
        let received = server.requests.map(Self.essence).map { $0.joined(separator: " ") }.sorted()
        let expected = other.requests.map(Self.essence).map { $0.joined(separator: " ") }.sorted()
        #expect(received.last == expected.last)
        if row[0].hasPrefix("Save") || row[0].contains("download") { #expect(own.files == curl.files) }
    }

    @Test(
        "G1 each mistake prints what the page says, and exits as it says", arguments: rows(after: "<!-- mistakes -->"))
    func mistake(row: [String]) async throws {
        try #require(row.count == 3)
        let server = try await Self.server()
        let run = try await Self.run(row[0], against: server, withNetrc: false)
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
