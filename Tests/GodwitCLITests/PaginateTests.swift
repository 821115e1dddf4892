import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 P1 godwit paginate", .timeLimit(.minutes(15)))
struct PaginateTests {
    private let server: MockServer

    /// Seven numbers in pages of three, in every way that servers name the next page.
    init() async throws {
        server = try await MockServer { route in
            route.get("/links").optional().reply { request in
                let first = Self.number("at", request) ?? 0
                let reply = MockResponse.json(Self.numbers(first, 3))
                return first < 6
                    ? reply.field(.link, "</x>; rel=next; anchor=\"#x\", </links?at=\(first + 3)>; rel=\"next\"")
                    : reply
            }
            route.get("/urls").optional().reply { request in
                let first = Self.number("at", request) ?? 0
                let next: JSONValue = first < 6 ? .string("?at=\(first + 3)") : nil
                return .json(["count": 7, "next": next, "results": Self.numbers(first, 3), "tags": []])
            }
            route.get("/hal").optional().reply { request in
                let first = Self.number("at", request) ?? 0
                let next: JSONValue = first < 6 ? ["href": .string("/hal?at=\(first + 3)")] : nil
                return .json(["_links": ["next": next], "list": ["a": Self.numbers(first, 3)]])
            }
            route.get("/cursor").optional().reply { request in
                let first = Self.number("after", request) ?? 0
                let next: JSONValue = first < 6 ? .integer(Int64(first + 3)) : nil
                return .json(["data": Self.numbers(first, 3), "meta": ["next_cursor": next]])
            }
            route.get("/pages").optional().reply { request in
                .json(["items": Self.numbers(((Self.number("page", request) ?? 1) - 1) * 3, 3)])
            }
            route.get("/offsets").optional().reply { request in
                .json(Self.numbers(Self.number("start", request) ?? 0, 3))
            }
            route.get("/plain").optional().reply(.json(["rows": [1.50, ["z": 1, "a": "\u{e9}"]]]))
            route.get("/unclear").optional().reply(.json(["here": [1], "there": [2]]))
            route.get("/text").optional().reply(.text("<html>"))
            route.get("/away").optional().reply(.json(["items": [1], "next": "https://evil.example/2"]))
            route.get("/loop").optional().reply(.json(["items": [1], "next": "/loop"]))
            route.get("/breaks").optional().reply { request in
                request.target.contains("at") ? .status(503) : .json(["items": [1], "next": "/breaks?at=1"])
            }
        }
    }

    private static func numbers(_ first: Int, _ count: Int) -> JSONValue {
        .array((first..<max(first, min(first + count, 7))).map { .integer(Int64($0)) })
    }

    private static func number(_ name: String, _ request: MockRequest) -> Int? {
        request.queryValue(name).flatMap(Int.init)
    }

    private func paginate(_ words: String...) async -> Run {
        await Run.godwit(["paginate", "\(server.url)\(words[0])"] + words.dropFirst())
    }

    @Test(
        "G1 paginate prints every element of a list on a line, whatever names the next page",
        arguments: [
            ["links"], ["urls"], ["hal", "--items", ".list.a"], ["cursor", "--cursor", "after"],
            ["cursor", "--cursor", "after", "--next", ".meta.next_cursor", "--items", ".data"],
            ["pages", "--page", "page"], ["pages", "page==1", "--page", "page"],
            ["pages?page=1&x=a%20b", "--page", "page"],
            ["offsets", "--offset", "start"],
        ])
    func all(words: [String]) async {
        let run = await Run.godwit(["paginate", "\(server.url)\(words[0])"] + words.dropFirst())
        #expect(run.code == .success)
        #expect(run.output == "0\n1\n2\n3\n4\n5\n6\n")
        #expect(run.errors == "")
        #expect(server.requests.allSatisfy { $0.target.ranges(of: "page=").count <= 1 })
    }

    @Test("G1 paginate starts at the page of the query, and sends the other items with each page")
    func start() async {
        let run = await paginate("pages?page=2&x=a%20b", "y==1", "--page", "page")
        #expect(run.output == "3\n4\n5\n6\n")
        #expect(server.requests.map(\.target) == [2, 3, 4].map { "/pages?x=a%20b&y=1&page=\($0)" })
    }

    @Test("G1 paginate ends after --max-pages and --max-items, and requests no more")
    func limits() async {
        #expect(await paginate("links", "--max-items", "4").output == "0\n1\n2\n3\n")
        #expect(await paginate("links", "--max-pages", "1").output == "0\n1\n2\n")
        #expect(server.requests.count == 3)
    }

    @Test("G1 paginate --pages prints whole pages, and elements as the server spelled them")
    func pages() async {
        #expect(await paginate("urls", "--pages", "--max-pages", "1").output.hasPrefix("{\"count\":7,"))
        let run = await paginate("plain")
        #expect(run.output == "1.5\n{\"a\":\"\u{e9}\",\"z\":1}\n")
        #expect(run.errors.contains("names no next one; see --next, --cursor, --page and --offset"))
    }

    @Test(
        "G1 paginate says what keeps it from continuing, and prints what came before",
        arguments: [
            ("unclear", "", ExitCode.network, "write --items .PATH; the body has .here, .there"),
            ("text", "", .network, "the page is not JSON"),
            ("away", "1\n", .network, "has another origin, https://evil.example"),
            ("loop", "1\n", .network, "leads back to a page that was read"),
            ("breaks", "1\n", .httpStatus, "503"), ("pages?page=x", "", .usage, "page==x is not a number"),
        ])
    func failures(path: String, output: String, code: ExitCode, words: String) async {
        let run = path.contains("page=x") ? await paginate(path, "--page", "page") : await paginate(path)
        #expect(run.code == code)
        #expect(run.output == output)
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(!server.requests.contains { $0.fields[.host]?.contains("evil") == true })
    }

    @Test("G1 a path of paginate must lead to one value", arguments: ["items", ".a[*]", "..a", ".a["])
    func paths(text: String) async {
        let run = await paginate("links", "--items", text)
        #expect(run.code == .usage && run.errors.contains("--items '\(text)'"))
        #expect(server.requests.isEmpty)
    }

    @Test("G1 G4 paginate and sse keep a session, and save --har")
    func shared() async throws {
        let folder = TemporaryFolder()
        let environment = ["XDG_CONFIG_HOME": folder.path("config")]
        let line = ["paginate", "\(server.url)links", "X-Key:k", "--session", "s", "--har", folder.path("calls.har")]
        #expect(await Run.godwit(line, environment: environment).code == .success)
        let again = ["sse", "\(server.url)text", "--session", "s", "--har", folder.path("events.har")]
        #expect(await Run.godwit(again, environment: environment).code == .network)
        #expect(server.requests.count == 4 && server.requests.allSatisfy { $0.fields["X-Key"] == "k" })
        let archive = try String(contentsOf: URL(filePath: folder.path("calls.har")), encoding: .utf8)
        #expect(archive.ranges(of: "\"startedDateTime\"").count == 3)
        #expect(archive.contains("\"Host\""))
        #expect(FileManager.default.fileExists(atPath: folder.path("events.har")))
    }
}
