#if canImport(Glibc)
import Glibc
import Godwit
import GodwitCommand
import GodwitInspector
import GodwitTesting
import GodwitUI
import Synchronization
import TestSupport
import Testing

@Suite("G4 Inspector page", .timeLimit(.minutes(15)))
struct InspectorPageTests {
    /// Waits until the page has a call that meets a condition.
    private func call(
        on page: InspectorPage, where isMet: (CallSummary) -> Bool
    ) async throws -> CallSummary {
        var revision: UInt64 = 0
        while true {
            let changes = try await page.store.changes(after: revision)
            if let call = changes.calls.first(where: isMet) { return call }
            revision = changes.revision
        }
    }

    private func details(_ call: CallSummary, of page: InspectorPage) throws -> String {
        String(decoding: try #require(page.store.details(of: call.number)), as: UTF8.self)
    }

    @Test("G4 GODWIT_INSPECT shows the calls of a program that knows nothing of it, also of one that ends at once")
    func otherProgram() async throws {
        let program = try #require(ChildProgram.built("godwit"))
        let server = try await MockServer { $0.get("/tide").reply(json: ["tide": "ebb"]) }
        let page = try await InspectorPage()
        let line = ["/usr/bin/env", "GODWIT_INSPECT=\(page.url)", program.path, "get", "\(server.url)tide", "-q"]
        // A program waits for 2 s for its notes to arrive: on a busy machine, more than one may have to run.
        for _ in 0..<10 where !page.store.current(after: 0).calls.contains(where: { $0.duration != nil }) {
            let child = try ChildProgram(line)
            #expect(await child.end() == 0)
        }
        let call = try await call(on: page) { $0.duration != nil }
        #expect(call.url == "\(server.url)tide" && call.status == 200)
        await page.stop()
        await server.stop()
    }

    @Test("G4 V5 the values of a query store appear on a page over its socket, and are removed with the page's calls")
    @MainActor
    func values() async throws {
        let server = try await MockServer { $0.get("/tide").reply(json: ["tide": "ebb"]) }
        let page = try await InspectorPage()
        let queries = QueryStore(APIClient(baseURL: server.url) { $0.inspector = page.inspector })
        let tide = Loader(queries, Endpoint<[String: String]>.get("tide"))
        await tide.load()
        var changes = page.store.current(after: 0)
        while changes.stores.first?.content.values.first?.state != "loaded" {
            changes = try await page.store.changes(after: changes.revision)
        }
        let shown = try JSONDocument(parsing: page.store.current(after: 0).json).root
        #expect(shown["stores"]?[0]?["content"]?["values"]?[0]?["url"]?.string == "\(server.url)tide")
        page.store.removeAll()
        #expect(page.store.current(after: changes.revision).stores.first?.content.values.isEmpty == true)
        #expect(tide.value == ["tide": "ebb"])
        await page.stop()
        await server.stop()
    }

    @Test("G4 calls of two clients appear on a page over its socket, live")
    func live() async throws {
        let server = try await MockServer { route in
            route.get("/tide").reply(json: ["tide": "ebb"])
            route.get("/moon").reply(.status(500))
        }
        let page = try await InspectorPage()
        let clients = ["tide", "moon"].map { path in
            (
                path,
                APIClient(baseURL: server.url) {
                    $0.inspector = page.inspector; $0.retry.maximumAttempts = 1
                }
            )
        }
        for (path, client) in clients { _ = try? await client.send(Endpoint<Data>.get(EndpointPath(path))) }
        let tide = try await call(on: page) { $0.url.hasSuffix("/tide") && $0.duration != nil }
        #expect(tide.status == 200 && tide.type == "application/json" && tide.size == 14 && tide.sent == 1)
        let moon = try await call(on: page) { $0.url.hasSuffix("/moon") && $0.error != nil }
        #expect(moon.status == 500 && moon.error?.hasPrefix("HTTP 500 from GET") == true)
        await page.stop()
        await server.stop()
    }

    @Test("G4 a mock server shows its requests, its responses and its faults on a page, without secrets")
    func mockServer() async throws {
        let page = try await InspectorPage()
        var options = MockServer.Options()
        options.inspector = page.inspector
        let server = try await MockServer(options) { route in
            route.post("/tide").reply(json: ["tide": "ebb", "token": "s3cret"])
            route.get("/stream").reply(.chunks([Data("one\n".utf8), Data("two".utf8)]))
            route.get("/cut").reply(.chunks([Data("one\n".utf8), Data("two".utf8)]), dropAfter: .bytes(5))
            route.get("/reset").reply(.reset)
        }
        let api = APIClient(baseURL: server.url) { $0.retry.maximumAttempts = 1 }
        _ = try await api.send(Endpoint<Data>.post("tide", body: .json(["height": 3])).header("X-Api-Key", "k3y"))
        let tide = try await call(on: page) { $0.url.hasSuffix("/tide") && $0.duration != nil }
        #expect(tide.status == 200 && tide.method == "POST" && tide.source == "server" && tide.size == 31)
        let shown = try details(tide, of: page)
        #expect(
            shown.contains("height") && shown.contains("ebb") && !shown.contains("s3cret") && !shown.contains("k3y"))
        _ = try await api.send(Endpoint<Data>.get("stream"))
        let stream = try await call(on: page) { $0.url.hasSuffix("/stream") && $0.source != nil }
        #expect(stream.size == 7 && stream.chunks >= 2)
        for (path, error) in [("cut", "closed after 5 bytes of the body"), ("reset", "reset without a response")] {
            _ = try? await api.send(Endpoint<Data>.get(EndpointPath(path)))
            let call = try await call(on: page) { $0.url.hasSuffix(path) && $0.error != nil }
            #expect(call.error?.hasSuffix(error) == true, "\(call.error ?? "")")
        }
        await server.stop()
        await page.stop()
    }

    @Test("G4 the page answers only with its token, on a name of this machine, from its own origin")
    func doors() async throws {
        let page = try await InspectorPage()
        let api = APIClient(baseURL: page.url) { $0.retry.maximumAttempts = 1 }
        let index = try await api.response(for: Endpoint<Data>.get(""))
        #expect(String(decoding: index.value, as: UTF8.self).contains("<title>Godwit inspector</title>"))
        #expect(index.head.fields["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(index.head.fields["Referrer-Policy"] == "no-referrer")
        for name in ["style.css", "main.js", "list.js", "detail.js", "bodies.js", "export.js"] {
            #expect(try await api.send(Endpoint<Data>.get(EndpointPath(name))).count > 500)
        }
        let root = "http://127.0.0.1:\(page.url.port)/"
        let stranger = APIClient(baseURL: root) { $0.retry.maximumAttempts = 1 }
        for path in ["", "live", "wrong-token/", "wrong-token/main.js"] {
            await #expect { try await stranger.send(Endpoint<Data>.get(EndpointPath(path))) } throws: { error in
                (error as? NetworkError)?.kind == .notFound
            }
        }
        for (name, value) in [("Host", "rebound.example.com"), ("Origin", "http://rebound.example.com")] {
            let host = name == "Host" ? "" : "Host: 127.0.0.1\r\n"
            let head = "GET \(page.url.path) HTTP/1.1\r\n\(host)\(name): \(value)\r\n\r\n"
            #expect(try await RawRequest.status(head, port: page.url.port) == 400)
        }
        await page.stop()
    }

    @Test("G4 any program can send lines of events; lines that can't be read are skipped")
    func ingest() async throws {
        let page = try await InspectorPage()
        let api = APIClient(baseURL: page.url)
        let lines = """
            {"call":1,"time":1000,"started":{"method":"GET","url":"http://a/b","fields":[["A","b"]]}}
            nonsense
            {"call":1,"time":1250,"finished":{"status":200,"fields":[],"source":"network","url":"http://a/b",\
            "redirects":0,"attempts":1}}
            """
        try await api.send(
            Endpoint<Void>.post("ingest", query: ["program": "other", "pid": "7", "dropped": "3"], body: .text(lines)))
        let changes = page.store.current(after: 0)
        #expect(changes.calls.count == 1 && changes.dropped == 3)
        #expect(changes.calls.first?.program == "other (7)" && changes.calls.first?.duration == 250)
        await page.stop()
    }

    @Test("G4 a hidden value is revealed one by one, by the program that sent it")
    func reveal() async throws {
        let server = try await MockServer { $0.get("/tide").reply(.text("ebb")) }
        let page = try await InspectorPage()
        let api = APIClient(baseURL: server.url) {
            $0.inspector = page.inspector
            $0.defaultFields = [.authorization: "Bearer s3cret"]
        }
        _ = try await api.send(Endpoint<Data>.get("tide", query: ["token": "s3cret-2"]))
        let seen = try await call(on: page) { $0.duration != nil }
        let hidden = try details(seen, of: page)
        #expect(!hidden.contains("s3cret"))
        let exchange = try #require(hidden.firstMatch(after: #""exchange":"#))
        let command = #"{"call":\#(seen.call),"exchange":\#(exchange),"part":"request:Authorization"}"#
        let control = APIClient(baseURL: page.url)
        try await control.send(Endpoint<Void>.post("command", query: ["to": "\(seen.program)"], body: .text(command)))
        _ = try await call(on: page) { $0.number == seen.number && $0.revision > seen.revision }
        let revealed = try details(seen, of: page)
        #expect(revealed.contains("Bearer s3cret") && !revealed.contains("s3cret-2"))
        await page.stop()
        await server.stop()
    }

    @Test("G4 nothing is revealed or sent again if the inspector doesn't allow it")
    func refused() async throws {
        let server = try await MockServer { $0.get("/tide").reply(.text("ebb")) }
        let page = try await InspectorPage()
        let api = APIClient(baseURL: server.url) {
            $0.inspector = page.inspector
            $0.inspector?.revealsSecrets = false
            $0.inspector?.allowsReplay = false
            $0.defaultFields = [.authorization: "Bearer s3cret"]
        }
        _ = try await api.send(Endpoint<Data>.get("tide"))
        let seen = try await call(on: page) { $0.duration != nil }
        let exchange = try #require(try details(seen, of: page).firstMatch(after: #""exchange":"#))
        let control = APIClient(baseURL: page.url)
        let reveal = #"{"call":\#(seen.call),"exchange":\#(exchange),"part":"request:Authorization"}"#
        for command in [#"{"replay":\#(seen.call)}"#, reveal] {
            try await control.send(
                Endpoint<Void>.post("command", query: ["to": "\(seen.program)"], body: .text(command)))
        }
        _ = try await call(on: page) { $0.number == seen.number && $0.revision > seen.revision }
        #expect(try details(seen, of: page).contains(#""values":[]"#) && server.requestCount == 1)
        await page.stop()
        await server.stop()
    }

    @Test("G4 a replay goes through the client that sent the call, with its credentials")
    func replay() async throws {
        let server = try await MockServer { $0.post("/notes").reply(.status(.created)) }
        let page = try await InspectorPage()
        let api = APIClient(baseURL: server.url) {
            $0.inspector = page.inspector
            $0.defaultFields = [.authorization: "Bearer s3cret"]
        }
        try await api.send(Endpoint<Void>.post("notes", body: .json(["title": "Neap"])))
        let seen = try await call(on: page) { $0.duration != nil }
        let control = APIClient(baseURL: page.url)
        try await control.send(
            Endpoint<Void>.post("command", query: ["to": "\(seen.program)"], body: .text(#"{"replay":\#(seen.call)}"#)))
        let again = try await call(on: page) { $0.replayOf == seen.call && $0.duration != nil }
        #expect(again.status == 201)
        #expect(server.requests.map(\.text) == [#"{"title":"Neap"}"#, #"{"title":"Neap"}"#])
        #expect(server.requests.allSatisfy { $0.fields[.authorization] == "Bearer s3cret" })
        withExtendedLifetime(api) {}
        await page.stop()
        await server.stop()
    }

    @Test("G4 the page keeps a bounded number of calls and bytes, the latest")
    func bounds() {
        let store = CallStore(callLimit: 3, byteLimit: 1 << 20)
        for number in 1...5 { store.add(Self.start(number), from: "p", dropped: 0) }
        #expect(store.current(after: 0).calls.map(\.call) == [3, 4, 5] && store.current(after: 0).first == 3)
        let small = CallStore(callLimit: 1000, byteLimit: 10_000)
        for number in 1...100 { small.add(Self.start(number), from: "p", dropped: 0) }
        #expect(
            (1..<10).contains(small.count) && small.bytes <= 10_000 && small.current(after: 0).calls.last?.call == 100)
        small.removeAll()
        #expect(small.count == 0 && small.current(after: 0).first == 101)
    }

    @Test("S7 one call can't fill the page: its beginning and its latest events are kept, whatever it sends")
    func largeCall() throws {
        let limit = 1 << 20
        let store = CallStore(byteLimit: limit)
        for number in 1...2 { store.add(Self.start(number), from: "p", dropped: 0) }
        let text = String(repeating: "x", count: 10_000)
        for number in 0..<300 {
            let message = #"{"isSent":false,"size":10000,"text":"\#(number) \#(text)"}"#
            store.add(Data(#"{"call":2,"time":1,"message":\#(message)}"#.utf8), from: "p", dropped: 0)
            #expect(store.bytes <= limit)
        }
        let call = try #require(store.current(after: 0).calls.last)
        #expect(call.messages == 300 && call.droppedEvents > 200)
        let shown = String(decoding: try #require(store.details(of: call.number)), as: UTF8.self)
        #expect(shown.contains(#""text":"299 x"#) && shown.contains(#""started":"#) && shown.utf8.count < limit)
        for number in 3...2000 {
            let url = "http://a/" + String(repeating: "u", count: 20_000)
            let start = #"{"call":\#(number),"time":1,"started":{"method":"GET","url":"\#(url)","fields":[]}}"#
            store.add(Data(start.utf8), from: "p", dropped: 0)
        }
        #expect(store.bytes <= limit && store.current(after: 0).calls.last?.call == 2000)
        let values =
            #"[{"method":"GET","url":"\#(text)","type":"T","state":"loaded","isStale":false,"isEdited":false,"loaders":1}]"#
        for number in 0..<500 {
            let line = #"{"call":0,"time":1,"values":{"store":\#(number),"omitted":0,"values":\#(values)}}"#
            store.add(Data(line.utf8), from: "p", dropped: 0)
        }
        #expect(store.current(after: 0).stores.count <= 50)
    }

    @Test("S7 whoever listens where a page was gets neither token nor traffic, and its commands are not obeyed")
    func impostor() async throws {
        let token = "abcdefghijklmnopqrstuvwx"
        let asked = Watched<[MockRequest]>([])
        let impostor = try await MockServer { request in
            asked.update { $0.append(request) }
            return .bytes(Data(#"{"replay":1,"call":1,"exchange":1,"part":"request:Authorization"}"#.utf8))
        }
        let server = try await MockServer { $0.get("/tide").reply(.text("ebb")) }
        let api = APIClient(baseURL: server.url) {
            $0.inspector = .page(at: "http://127.0.0.1:\(impostor.url.port)/\(token)/")
            $0.defaultFields = [.authorization: "Bearer s3cret"]
        }
        for _ in 0..<3 { _ = try await api.send(Endpoint<Data>.get("tide")) }
        try await asked.wait { !$0.isEmpty }
        for _ in 0..<3 { _ = try await api.send(Endpoint<Data>.get("tide")) }
        try await asked.wait { $0.count > 1 }
        for request in asked.value {
            #expect(request.path == "/proof" && request.body.isEmpty)
            #expect(!"\(request.target) \(request.fields)".contains(token))
        }
        #expect(server.requestCount == 6)
        await impostor.stop()
        await server.stop()
    }

    @Test("S7 a page proves itself for its own port only, and by its secret or its token only")
    func proof() async throws {
        let page = try await InspectorPage()
        let folder = TemporaryFolder()
        let file = try page.publish(variables: ["XDG_CACHE_HOME": folder.url.path])
        let published = try #require(PageAddress(try String(contentsOf: file, encoding: .utf8)))
        let printed = try #require(PageAddress(page.url.absoluteString))
        let nonce = String(repeating: "7", count: 32)
        let root = APIClient(baseURL: "http://127.0.0.1:\(page.url.port)/") { $0.retry.maximumAttempts = 1 }
        let answers = try await root.send(Endpoint<String>.get("proof", query: ["nonce": nonce])).split(separator: "\n")
        #expect(answers.map(String.init) == [published.proof(of: nonce), printed.proof(of: nonce)])
        #expect(published.path == printed.path && published.proof(of: nonce) != printed.proof(of: nonce))
        let elsewhere = try #require(PageAddress("http://127.0.0.1:1\(page.url.path)"))
        #expect(!answers.contains(Substring(elsewhere.proof(of: nonce))))
        await #expect(throws: NetworkError.self) { try await root.send(Endpoint<String>.get("proof")) }
        await page.stop()
    }

    private static func start(_ number: Int) -> Data {
        Data(#"{"call":\#(number),"time":1,"started":{"method":"GET","url":"http://a/\#(number)","fields":[]}}"#.utf8)
    }

    @Test("G4 programs find the page by a file that only the user can read, which is withdrawn at the end")
    func file() async throws {
        let folder = TemporaryFolder()
        let page = try await InspectorPage()
        let file = try page.publish(variables: ["XDG_CACHE_HOME": folder.url.path])
        var status = stat()
        #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix(page.url.absoluteString))
        let other = try await InspectorPage()
        try other.publish(variables: ["XDG_CACHE_HOME": folder.url.path])
        page.withdraw(file)
        #expect(FileManager.default.fileExists(atPath: file.path))
        other.withdraw(file)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(throws: NetworkError.self) { try page.publish(variables: [:]) }
        await page.stop()
        await other.stop()
    }

    @Test("G4 calls continue and nothing waits if no page is running")
    func absent() async throws {
        let server = try await MockServer { $0.get("/tide").reply(.text("ebb")) }
        let api = APIClient(baseURL: server.url) {
            $0.inspector = .page(at: "http://127.0.0.1:9/abcdefghijklmnopqrst/")
        }
        for _ in 0..<20 { #expect(try await api.send(Endpoint<Data>.get("tide")).count == 3) }
        await server.stop()
    }
}

extension String {
    /// The digits after a text.
    fileprivate func firstMatch(after text: String) -> String? {
        firstRange(of: text).map { String(self[$0.upperBound...].prefix { $0.isNumber }) }
    }
}
#endif
