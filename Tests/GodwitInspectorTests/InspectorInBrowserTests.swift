#if canImport(Glibc)
import Glibc
import Godwit
import GodwitInspector
import GodwitTesting
import TestSupport
import Testing

/// Asked for by `script/test --browser`, which installs the browser.
private let browser = ProcessInfo.processInfo.environment["GODWIT_TEST_BROWSER"]

@Suite("G4 Inspector page in Chromium", .enabled(if: browser != nil), .serialized, .timeLimit(.minutes(15)))
struct InspectorInBrowserTests {
    private struct View: Decodable {
        let calls: Int, shown: Int, rows: Int, text: String, detail: String, elsewhere: [String]
    }

    private struct Report: Decodable {
        let load: Double, filter: Double, filtered: View, opened: View, closed: Bool
        let copied: [String]?, revealed: String?, compared: String?, values: String
    }

    @Test("G4 10,000 calls are listed and filtered; only the rows that can be seen exist")
    func many() async throws {
        let page = try await InspectorPage()
        for start in stride(from: 1, through: 10_000, by: 500) {
            page.store.add(Self.calls(start..<start + 500), from: "load (1)", dropped: 0)
        }
        let report = try await opened(page, calls: 10_000, filter: "status:5xx host:api7")
        print("10,000 calls: loaded in \(report.load) ms, filtered in \(report.filter) ms")
        #expect(report.filtered.calls == 10_000 && report.filtered.shown == 100 && report.filtered.rows < 80)
        #expect(report.opened.detail.contains("https://api7.example.com/articles/") && report.closed)
        await page.stop()
    }

    @Test("G4 real traffic is shown with its bodies, errors and streams, and nothing is loaded from elsewhere")
    func real() async throws {
        let scene = try await TrafficScene()
        let report = try await opened(scene.page, calls: scene.count, filter: "missing", folder: "scene")
        #expect(report.filtered.shown == 1 && report.filtered.text.contains("404"))
        #expect(report.opened.detail.contains("HTTP 404 from GET") && report.opened.detail.contains("No such tide"))
        #expect(!report.opened.detail.contains("s3cret") && report.opened.detail.contains("reveal"))
        #expect(report.opened.elsewhere.isEmpty)
        await scene.stop()
    }

    @Test("G4 V5 the values of query stores are a table, with what is stale, edited and failed")
    func values() async throws {
        let page = try await InspectorPage()
        page.store.add(Self.calls(1..<3), from: "reader (1)", dropped: 0)
        page.store.add(Data(Self.values.utf8), from: "reader (1)", dropped: 0)
        let report = try await opened(page, calls: 2, filter: "", folder: "values")
        for text in [
            "reader (1): store 1, 5 values, 1 not shown", "/articles/42", "stale", "edited", "failed: http.404",
        ] {
            #expect(report.values.contains(text), "\(text) in \(report.values)")
        }
        await page.stop()
    }

    private static let values =
        #"{"call":0,"time":1,"values":{"store":1,"omitted":1,"values":["#
        + [
            #""url":"https://api.example.com/articles","type":"Article","state":"complete","isStale":false,"count":57"#,
            #""url":"https://api.example.com/articles/42","type":"Article","state":"loaded","isStale":true"#,
            #""url":"https://api.example.com/articles/43","type":"Article","state":"failed: http.404","isStale":false"#,
            #""url":"https://api.example.com/me","type":"User","state":"loading","isStale":false"#,
        ]
        .map { #"{"method":"GET","isEdited":true,"loaders":2,"date":1800000000000,\#($0)}"# }.joined(separator: ",")
        + "]}}"

    @Test("G4 a call is copied as curl, Swift and HAR without its secrets, revealed, and compared with another one")
    func actions() async throws {
        let scene = try await TrafficScene()
        let report = try await opened(scene.page, calls: scene.count, filter: "/articles")
        #expect(report.filtered.shown == 2)
        let copied = try #require(report.copied)
        #expect(copied.count == 3 && !copied.contains { $0.contains("s3cret") })
        #expect(copied.first?.hasPrefix("curl 'http://127.0.0.1:") == true)
        #expect(copied.dropFirst().first?.contains("Endpoint<Data>.get(\"articles\", query: [\"page\": \"2\"") == true)
        let archive = try JSONDocument(parsing: Data((copied.last ?? "").utf8)).root
        #expect(archive["log"]?["entries"]?[0]?["request"]?["method"]?.string == "GET")
        #expect(report.revealed?.contains("s3cret") == true)
        #expect(report.compared?.contains("left: the marked call") == true)
        #expect(report.compared?.contains("Response body") == true)
        await scene.stop()
    }

    @Test(
        "G4 every kind of call can be opened", .enabled(if: ProcessInfo.processInfo.environment["GODWIT_SHOTS"] != nil))
    func pictures() async throws {
        let scene = try await TrafficScene()
        _ = try await opened(scene.page, calls: scene.count, filter: "", folder: "all")
        await scene.stop()
    }

    /// Two hosts' worth of variety: every hundredth call of a host fails.
    private static func calls(_ numbers: Range<Int>) -> Data {
        let lines = numbers.flatMap { number -> [String] in
            let (host, status) = (number % 10, number % 100 == 7 ? 503 : 200)
            let url = "https://api\(host).example.com/articles/\(number)?page=2"
            return [
                #"{"call":\#(number),"time":\#(number),"started":{"method":"GET","url":"\#(url)","fields":[]}}"#,
                #"{"call":\#(number),"time":\#(number),"sent":{"exchange":\#(number),"method":"GET","url":"\#(url)","#
                    + #""fields":[["Host","api.example.com"]]}}"#,
                #"{"call":\#(number),"time":\#(number + 80),"answered":{"exchange":\#(number),"status":\#(status),"#
                    + #""fields":[["Content-Type","application/json"]],"body":{"size":12,"text":"{\"a\":[1,2]}"},"#
                    + #""metrics":{"dns":5,"connect":10,"tls":30,"firstByte":70,"total":80,"bytesSent":0,"#
                    + #""bytesReceived":12,"reused":false}}}"#,
                #"{"call":\#(number),"time":\#(number + 80),"finished":{"status":\#(status),"fields":[],"#
                    + #""source":"network","url":"\#(url)","redirects":0,"attempts":1}}"#,
            ]
        }
        return Data(lines.joined(separator: "\n").utf8)
    }

    private func opened(
        _ page: InspectorPage, calls: Int, filter: String, folder: String? = nil
    ) async throws -> Report {
        let script = URL(filePath: #filePath).appending(path: "../../../script/browser.d/inspector.py").standardized
        var line = ["/usr/bin/python3", script.path, browser ?? "", page.url.absoluteString, "\(calls)", filter]
        if let folder, let shots = ProcessInfo.processInfo.environment["GODWIT_SHOTS"] {
            line.append("\(shots)/\(folder)")
            mkdir("\(shots)/\(folder)", 0o700)
        }
        let files = TemporaryFolder()
        let output = files.url.appending(path: "out")
        let errors = files.url.appending(path: "err")
        let shell = ["/bin/sh", "-c", #"exec "$@" >"$0/out" 2>"$0/err""#, files.url.path]
        let tools = try ChildProgram(shell + line)
        let code = await tools.end()
        #expect(code == 0, "\((try? String(contentsOf: errors, encoding: .utf8)) ?? "")")
        return try JSONDecoder().decode(Report.self, from: Data(contentsOf: output))
    }
}

/// A server, a client and a page with one call of each kind.
struct TrafficScene {
    let page: InspectorPage
    let count = 11
    private let server: MockServer

    init() async throws {
        server = try await MockServer(routes: Self.routes)
        page = try await InspectorPage()
        let inspector = page.inspector
        let api = APIClient(baseURL: server.url) {
            $0.inspector = inspector
            $0.clock = ImmediateClock()
            $0.cache = .memory(limit: 1 << 20)
            $0.defaultFields = [.authorization: "Bearer s3cret"]
        }
        _ = try await api.send(Endpoint<Data>.get("articles", query: ["page": "2", "access_token": "s3cret"]))
        _ = try await api.send(Endpoint<Data>.get("articles", query: ["page": "2", "access_token": "s3cret"]))
        try await api.send(Endpoint<Void>.post("login", body: .form(["name": "Ann Sea", "password": "s3cret"])))
        try await api.send(Endpoint<Void>.put("notes/1", body: .json(["title": "Neap tide", "secret": "s3cret"])))
        _ = try await api.send(Endpoint<Data>.get("picture.png"))
        _ = try await api.send(Endpoint<Data>.get("old"))
        _ = try? await api.send(Endpoint<Data>.get("missing"))
        _ = try? await api.send(Endpoint<Data>.get("closed").options { $0.retry = .never })
        var events = 0
        for try await _ in api.events(Endpoint<Void>.get("live")) {
            events += 1
            if events == 3 { break }
        }
        let socket = try await api.webSocket("chat")
        try await socket.send(#"{"type":"subscribe","channel":"tides"}"#)
        _ = try await socket.receive()
        await socket.close()
        _ = try await api.send(Endpoint<Data>.get("bytes"))
        while page.store.current(after: 0).calls.count(where: { $0.duration != nil }) < count {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    func stop() async {
        await page.stop()
        await server.stop()
    }

    private static func routes(_ route: MockRoutes) {
        let articles: JSONValue = [
            "page": 2, "next": nil,
            "articles": [
                ["id": 1, "title": "Spring tides", "tags": ["sea", "moon"], "isPublished": true, "score": 4.5],
                ["id": 2, "title": "Neap tides", "tags": [], "author": ["name": "Ann", "token": "s3cret"]],
            ],
        ]
        route.get("/articles").reply(MockResponse.json(articles).field(.cacheControl, "max-age=60"))
        route.post("/login").reply(json: ["access_token": "s3cret", "expires_in": 3600])
        route.put("/notes/1").reply(.status(.noContent))
        route.get("/picture.png").reply(.bytes(picture, contentType: "image/png"))
        route.get("/old").reply(.redirect(to: "/new"))
        route.get("/new").replies([.status(503), .text("ebb and flow")])
        route.get("/missing").reply(
            .json(["title": "No such tide", "detail": "The tide of 31 February does not exist"], status: .notFound))
        route.get("/closed").reply(.close)
        route.get("/live").reply(.events(["one", "two", "three"], every: .milliseconds(20)))
        route.webSocket("/chat") { socket in
            for try await message in socket.messages { try await socket.send(message) }
        }
        route.get("/bytes").reply(.bytes(Data((0...255).map { UInt8($0) })))
    }

    /// A red square of 8 by 8.
    private static let picture =
        Data(
            base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9h"
                + "AAAAAElFTkSuQmCC") ?? Data()
}
#endif
