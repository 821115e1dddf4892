import Godwit
import GodwitTesting
import TestSupport
import Testing

@Suite("X4 G4 HTTP archives as cassettes and servers", .timeLimit(.minutes(15)))
struct HARCassetteTests {
    private let folder = TemporaryFolder()
    private var file: URL { folder.url.appending(path: "calls.har") }

    /// An archive as Chromium writes it: with members that Godwit doesn't know, and without some that it knows.
    private static let browser = """
        {"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"pages":[{"id":"page_1"}],"entries":[
        {"_initiator":{"type":"script"},"startedDateTime":"2026-01-01T00:00:02.000Z","time":1,
         "request":{"method":"GET","url":"https://api.example.com/items?page=2&token=s3cret",
           "headers":[{"name":":authority","value":"api.example.com"},{"name":"accept","value":"*/*"}]},
         "response":{"status":200,"headers":[{"name":"content-encoding","value":"br"},
           {"name":"content-length","value":"7"},{"name":"set-cookie","value":"a=1; Path=/\\nb=2"}],
           "content":{"size":9,"mimeType":"application/json","text":"[\\"second\\"]"}},
         "_webSocketMessages":[{"type":"send","data":"x"}]},
        {"startedDateTime":"2026-01-01T00:00:01.000Z",
         "request":{"method":"GET","url":"https://api.example.com/items?page=2&token=s3cret"},
         "response":{"status":200,"content":{"mimeType":"image/png","text":"/wAB","encoding":"base64"}}},
        {"request":{"method":"POST","url":"https://api.example.com/form","postData":{"mimeType":"",
           "params":[{"name":"a","value":"x y"},{"name":"b"}]}},"startedDateTime":"2026-01-01T00:00:03Z",
         "response":{"status":303,"headers":[{"name":"Location","value":"https://api.example.com/items?page=2"}]}},
        {"startedDateTime":"2026-01-01T00:00:04Z","request":{"method":"GET","url":"data:text/plain,hi"},
         "response":{"status":200}},
        {"startedDateTime":"2026-01-01T00:00:05Z","request":{"method":"GET","url":"https://api.example.com/lost"},
         "response":{"status":0,"_error":"net::ERR_FAILED"}}
        ]}}
        """

    private func write(_ text: String) throws {
        try Data(text.utf8).write(to: file)
    }

    @Test("X4 G4 a browser's archive is read: sorted, decoded, without what isn't HTTP or got no response")
    func browser() async throws {
        try write(Self.browser)
        let exchanges = try Cassette(har: file).exchanges
        #expect(exchanges.map(\.request.method) == [.get, .get, .post])
        #expect(exchanges.map(\.response.head.status.code) == [200, 200, 303])
        #expect(try await exchanges[0].response.body.collect(upTo: 10) == Data([0xFF, 0, 1]))
        #expect(exchanges[0].response.head.fields[.contentType] == "image/png")
        let fields = exchanges[1].response.head.fields
        #expect(!fields.contains("Content-Encoding") && !fields.contains(.contentLength))
        #expect(fields.values(of: .setCookie) == ["a=1; Path=/", "b=2"])
        let form = try await exchanges[2].request.body?.collect(upTo: 100)
        #expect(form == Data("a=x+y&b=".utf8))
        #expect(exchanges[1].request.fields[.accept] == "*/*")
        #expect(exchanges[1].request.url.query == "page=2&token=%3Credacted%3E")
    }

    @Test("X4 G4 Base64 with line breaks is decoded; an entry whose body isn't Base64 is left out and named")
    func wrapped() async throws {
        let bytes = Data((0..<200).map { UInt8($0) })
        let lines = bytes.base64EncodedString().split(by: 76).joined(separator: "\\r\\n")
        try write(Self.browser.replacing("/wAB", with: lines))
        #expect(try await Cassette(har: file).exchanges[0].response.body.collect(upTo: 1000) == bytes)
        try write(Self.browser.replacing("/wAB", with: "/w:B"))
        let cassette = try Cassette(har: file)
        #expect(cassette.leftOut == ["entry 2: a body isn't valid Base64"])
        #expect(cassette.count == 2)
    }

    @Test("X4 G4 a URL with a space is read as it was sent; an odd entry is left out and named, the others count")
    func oddEntries() throws {
        let entries = [
            #"{"request":{"method":"GET","url":"https://a.example/x y?q=a b"},"response":{"status":200}}"#,
            #"{"request":{"method":"GET","url":7},"response":{"status":200}}"#,
            #"{"request":{"method":"GET","url":"https://a b/"},"response":{"status":200}}"#,
            #"{"request":{"method":"GET","url":"data:text/plain,x"},"response":{"status":200}}"#,
        ]
        try write(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#)
        let cassette = try Cassette(har: file)
        #expect(cassette.unused == ["GET https://a.example/x%20y?q=a%20b"])
        #expect(cassette.leftOut.map { $0.prefix(8) } == ["entry 2:", "entry 3:"])
        #expect(cassette.leftOut[1].contains("host"))
    }

    @Test("X4 G4 a cassette of an archive replays it, and compares requests without their secrets")
    func cassette() async throws {
        try write(Self.browser)
        let chain = Chain([try Cassette(har: file, matching: .lenient)], over: MockTransport { _ in .status(500) })
        let request = try HTTPRequest(url: "https://api.example.com/items?page=2&token=other")
        #expect(try await chain.send(request).body.collect(upTo: 10).count == 3)
        #expect(try await chain.send(request).body.collect(upTo: 100) == Data(#"["second"]"#.utf8))
        let other = try HTTPRequest(url: "https://api.example.com/items?page=3&token=other")
        await #expect(throws: NetworkError.self) { try await chain.send(other) }
    }

    @Test("X3 G4 a server of an archive answers in turn, then repeats the last response")
    func server() async throws {
        try write(Self.browser)
        let server = try await MockServer(har: file)
        let api = APIClient(baseURL: server.url)
        var bodies: [Data] = []
        for _ in 1...3 {
            bodies.append(try await api.send(Endpoint<Data>.get("items", query: ["token": "x", "page": 2])))
        }
        #expect(bodies == [Data([0xFF, 0, 1]), Data(#"["second"]"#.utf8), Data(#"["second"]"#.utf8)])
        var post = try HTTPRequest(method: .post, url: "\(server.url)form")
        post.options.redirects = .block
        let created = try await api.send(post)
        #expect(created.head.status == .seeOther && created.head.fields[.location] == "/items?page=2")
        #expect(server.issues.isEmpty)
    }

    @Test(
        "X3 G4 a server of an archive is strict: another query, path or method gets a 404 that names the nearest route",
        arguments: ["items?page=2", "items?page=3&token=x", "items?page=2&token=x&more=1", "item", "form"])
    func strict(target: String) async throws {
        try write(Self.browser)
        let server = try await MockServer(har: file)
        let response = try await APIClient(baseURL: server.url).send(HTTPRequest(url: "\(server.url)\(target)"))
        #expect(response.head.status == .notFound)
        let text = String(decoding: try await response.body.collect(upTo: 10_000), as: UTF8.self)
        #expect(text.contains("did you mean"))
    }

    @Test("X3 routes of an archive stand beside others; a host can be chosen; a segment with a colon is no parameter")
    func routes() async throws {
        try write(
            #"{"log":{"entries":[{"request":{"method":"GET","url":"https://a.com/:id"},"response":{"status":201}},"#
                + #"{"request":{"method":"GET","url":"https://b.com/x"},"response":{"status":202}}]}}"#)
        let cassette = try Cassette(har: file)
        let server = try await MockServer { route in
            route.get("/own").reply(.status(204))
            route.replay(cassette, host: "A.com")
        }
        func status(_ path: String) async throws -> Int {
            try await APIClient(baseURL: server.url).send(HTTPRequest(url: "\(server.url)\(path)")).head.status.code
        }
        #expect(try await status("own") == 204)
        #expect(try await status(":id") == 201)
        #expect(try await status("x") == 404)
        #expect(try await status("7") == 404)
    }

    @Test("G4 what a recorder wrote is read, also without its end")
    func torn() async throws {
        let recorder = HARRecorder(file: file)
        let chain = Chain([recorder], over: MockTransport { request in .json(["path": "\(request.path)"]) })
        for number in 1...3 { _ = try await chain.send(HTTPRequest(url: "https://a.com/\(number)?api_key=s3cret")) }
        try recorder.flush()
        #expect(try Cassette(har: file).exchanges.map(\.request.url.path) == ["/1", "/2", "/3"])
        let whole = try Data(contentsOf: file)
        // The end of the archive has 44 bytes.
        for cut in [1, 5, 20, 44, 45, 300] {
            try whole.dropLast(cut).write(to: file)
            #expect(try Cassette(har: file).exchanges.count == (cut <= 44 ? 3 : 2), "\(cut)")
        }
    }

    @Test(
        "X4 what is no archive is an error that says why",
        arguments: [
            ("{}", "is not an HTTP archive"), ("[1", "is not an HTTP archive"), ("", "is not an HTTP archive"),
            (#"{"log":{"entries":[{"request":{"method":"GET","url":7}}]}}"#, "entry 1"),
            (#"{"log":{"entries":[{"request":{"#, "is not an HTTP archive"),
        ])
    func damaged(text: String, words: String) throws {
        try write(text)
        let error = #expect(throws: NetworkError.self) { try Cassette(har: file) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        var options = Cassette.Options()
        options.fileLimit = 1
        try write("{ }")
        #expect(throws: NetworkError.self) { try Cassette(har: file, options: options) }
        #expect(throws: NetworkError.self) { try Cassette(har: folder.url.appending(path: "missing.har")) }
    }

    @Test("X3 routes can be replaced while a server runs, and each response is reported")
    func replaced() async throws {
        let seen = Counter()
        var options = MockServer.Options()
        options.onResponse = { request, status in if request.path == "/a", status == .ok { _ = seen.next() } }
        let server = try await MockServer(options) { $0.get("/a").reply(.text("old")) }
        let api = APIClient(baseURL: server.url)
        #expect(try await api.send(Endpoint<String>.get("a")) == "old")
        server.setRoutes { $0.get("/a").reply(.text("new")) }
        #expect(server.issues.count == 1)
        #expect(try await api.send(Endpoint<String>.get("a")) == "new")
        #expect(server.issues.isEmpty && server.connectionCount == 1)
        #expect(seen.next() == 3)
    }
}

extension String {
    /// Pieces of so many characters.
    fileprivate func split(by count: Int) -> [Substring] {
        stride(from: 0, to: self.count, by: count).map { dropFirst($0).prefix(count) }
    }
}
