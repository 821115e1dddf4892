import GodwitCore
import GodwitTesting
import TestSupport
import Testing

@Suite("X4 cassettes: recording and replaying", .timeLimit(.minutes(15)))
struct CassetteTests {
    private let folder = TemporaryFolder()
    private var file: URL { folder.url.appending(path: "api.json") }

    private func request(
        _ path: String = "/a", _ method: HTTPMethod = .get, _ fields: HTTPFields = [:], body: HTTPBody? = nil,
        delivery: Delivery = .buffered
    ) throws -> HTTPRequest {
        HTTPRequest(
            method: method, url: try HTTPURL("https://api.example.com\(path)"), fields: fields, body: body,
            delivery: delivery)
    }

    private let server = MockTransport { route in
        route.get("/a").replies([.text("one"), .text("two")])
        route.get("/image").reply(.bytes(Data([0xFF, 0x00, 0x80]), contentType: "image/png"))
        route.post("/login").reply { _ in
            var response = MockResponse.json(["access_token": "s3cret", "user": "ann"], status: .created)
            response.fields.append("sid=s3cret; Path=/; HttpOnly", for: .setCookie)
            response.fields.append("999", for: .contentLength)
            return response
        }
        route.post("/echo").reply { .text($0.text) }
        route.get("/gone").fail(.transport(.connectionLost("gone")))
        route.get("/moved").reply(.redirect(to: "/a?code=s3cret"))
        route.any("*").reply { .text($0.target) }
    }

    /// Sends to the server, and records.
    private func record(_ requests: [HTTPRequest], options: Cassette.Options = .init()) async throws {
        let chain = Chain([try Cassette(at: file, mode: .record, options: options)], over: server)
        for request in requests { _ = try await chain.send(request) }
    }

    private func text(_ response: HTTPResponse) async throws -> String {
        String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self)
    }

    private func player(_ matching: Cassette.Matching = .strict) throws -> (Cassette, Chain) {
        let cassette = try Cassette(at: file, matching: matching)
        return (cassette, Chain([cassette], over: MockTransport { _ in throw Unexpected() }))
    }

    @Test("A9 X4 two recorders of one file keep each other's recordings, and replace those of an earlier run")
    func sharedFile() async throws {
        try await record([request("/old"), request("/a")])
        let chains = try (0..<2).map { _ in Chain([try Cassette(at: file, mode: .record)], over: server) }
        for (index, path) in ["/x", "/y", "/x", "/z"].enumerated() {
            _ = try await chains[index % 2].send(request(path))
        }
        let (cassette, chain) = try player()
        #expect(cassette.count == 4)
        for path in ["/x", "/x", "/y", "/z"] { #expect(try await text(chain.send(request(path))) == path) }
        #expect(try folder.names == ["api.json"])
    }

    @Test("X4 recordings are replayed in order: status, header fields and body, text or not")
    func replays() async throws {
        try await record([request("/a"), request("/a"), request("/image")])
        let (cassette, chain) = try player()
        #expect(cassette.count == 3 && !cassette.isRecording)
        #expect(try await text(chain.send(request("/a"))) == "one")
        #expect(cassette.unused == ["GET https://api.example.com/a", "GET https://api.example.com/image"])
        #expect(try await text(chain.send(request("/a"))) == "two")
        let image = try await chain.send(request("/image"))
        #expect(image.head.fields[.contentType] == "image/png" && image.head.status == .ok)
        #expect(try await image.body.collect(upTo: 10) == Data([0xFF, 0x00, 0x80]))
        #expect(cassette.unused.isEmpty)
    }

    @Test("X4 while recording, the caller gets the original response with its secrets")
    func recordingIsTransparent() async throws {
        let cassette = try Cassette(at: file, mode: .record)
        let response = try await Chain([cassette], over: server).send(request("/login", .post, body: "x"))
        #expect(response.head.status == .created && response.head.fields[.setCookie]?.contains("s3cret") == true)
        #expect(try await text(response).contains("s3cret"))
        #expect(cassette.isRecording && cassette.count == 1 && cassette.unused.isEmpty)
    }

    @Test("X4 the file contains no secrets, and requests are compared without theirs")
    func scrubs() async throws {
        func login(_ secret: String) throws -> HTTPRequest {
            try request(
                "/login?api_key=\(secret)", .post,
                [.authorization: "Bearer \(secret)", .contentType: "application/json", "X-Tenant": secret],
                body: .bytes(Data(#"{"password":"\#(secret)","user":"ann"}"#.utf8)))
        }
        var options = Cassette.Options()
        options.redactedFields = ["X-Tenant"]
        try await record([login("s3cret")], options: options)
        let written = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(!written.contains("s3cret"))
        #expect(written.contains("sid=<redacted>; Path=/; HttpOnly"))
        var matching = Cassette.Matching.strict
        matching.fields = [.authorization]
        let chain = try player(matching).1
        let response = try await chain.send(login("other"))
        #expect(try await text(response) == #"{"access_token":"<redacted>","user":"ann"}"#)
        #expect(response.head.fields[.contentLength] == "42")
    }

    @Test("X4 a call's credentials are redacted under any name")
    func callSecrets() async throws {
        let cassette = try Cassette(at: file, mode: .record)
        var call = Call(try request("/b?who=s3cret", .get, ["X-Who": "s3cret"]))
        call.originBoundFields = ["X-Who"]
        call.secretQueryItems = ["who"]
        _ = try await Chain([Handing(call), cassette], over: MockTransport { _ in .text("fine") }).send(request("/b"))
        #expect(try !String(decoding: Data(contentsOf: file), as: UTF8.self).contains("s3cret"))
    }

    @Test("X4 secrets are kept if the options say so")
    func keepsSecrets() async throws {
        var options = Cassette.Options()
        options.secrets = .kept
        try await record([request("/x?api_key=s3cret", .get, [.authorization: "Bearer t0ken"])], options: options)
        let written = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(written.contains("api_key=s3cret") && written.contains("Bearer t0ken"))
    }

    @Test("X4 only the owner can read the file")
    func mode() async throws {
        try await record([request()])
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("X4 record-once records without a file and replays with one")
    func recordOnce() async throws {
        let first = try Cassette(at: file, mode: .recordOnce)
        #expect(first.isRecording)
        _ = try await Chain([first], over: server).send(request())
        let second = try Cassette(at: file, mode: .recordOnce)
        #expect(!second.isRecording)
        let chain = Chain([second], over: MockTransport { _ in throw Unexpected() })
        #expect(try await text(chain.send(request())) == "one")
    }

    @Test("X4 recording replaces an existing file")
    func recordsAnew() async throws {
        try await record([request("/a"), request("/b")])
        try await record([request("/c")])
        #expect(try player().0.unused == ["GET https://api.example.com/c"])
    }

    @Test("X4 recordings are in the order of the requests, not of the responses")
    func order() async throws {
        let gate = Gate()
        let slow = MockTransport { route in
            route.get("/slow").reply { _ in
                try await gate.wait()
                return .text("slow")
            }
            route.get("/fast").reply(.text("fast"))
        }
        let chain = Chain([try Cassette(at: file, mode: .record)], over: slow)
        let first = Task { try await chain.send(request("/slow")) }
        try await slow.waitForRequests()
        _ = try await chain.send(request("/fast"))
        gate.open()
        _ = try await first.value
        #expect(try player().0.unused == ["GET https://api.example.com/slow", "GET https://api.example.com/fast"])
    }

    @Test("X4 an exchange that fails is not recorded")
    func failures() async throws {
        let cassette = try Cassette(at: file, mode: .record)
        let chain = Chain([cassette], over: server)
        await #expect(throws: NetworkError.self) { try await chain.send(request("/gone")) }
        _ = try await chain.send(request("/a"))
        #expect(try player().0.unused == ["GET https://api.example.com/a"])
    }

    @Test("X4 every kind of body is recorded and compared, including single-use streams")
    func streamedContent() async throws {
        func echo() throws -> HTTPRequest {
            try request("/echo", .post, body: .stream(once: ["ab", "cd"].asyncData))
        }
        let cassette = try Cassette(at: file, mode: .record)
        #expect(try await text(Chain([cassette], over: server).send(echo())) == "abcd")
        #expect(try await text(player().1.send(echo())) == "abcd")
    }

    @Test("X4 recorded and replayed responses respect the delivery", arguments: [true, false])
    func deliveries(isRecording: Bool) async throws {
        let target = folder.url.appending(path: "a.txt")
        let requests = [try request(delivery: .streamed), try request(delivery: .file(target))]
        if !isRecording { try await record(requests) }
        let cassette = try Cassette(at: file, mode: isRecording ? .record : .replay)
        let chain = Chain([cassette], over: server)
        let streamed = try await chain.send(requests[0])
        #expect(try await text(streamed) == "one")
        let again = await #expect(throws: NetworkError.self) { try await text(streamed) }
        #expect(again?.kind == .invalidRequest(reason: "a response body can be read only once"))
        _ = try await chain.send(requests[1])
        #expect(try String(decoding: Data(contentsOf: target), as: UTF8.self) == "two")
    }

    @Test("X4 a redirect to a URL with a secret is replayed")
    func redirects() async throws {
        func chain(_ cassette: Cassette) -> Chain { Chain([Redirects(), cassette], over: server) }
        _ = try await chain(Cassette(at: file, mode: .record)).send(request("/moved"))
        let (cassette, _) = try player()
        let response = try await Chain([Redirects(), cassette], over: MockTransport { _ in throw Unexpected() })
            .send(request("/moved"))
        #expect(try await text(response) == "one")
        #expect(cassette.unused.isEmpty)
    }

    @Test("X4 a body over the limit is too large, sent or received, recorded or replayed")
    func bodyLimit() async throws {
        var options = Cassette.Options()
        options.bodyLimit = 4
        let recorder = Chain([try Cassette(at: file, mode: .record, options: options)], over: server)
        for request in [try request("/echo", .post, body: "abcde"), try request("/long-target")] {
            let error = await #expect(throws: NetworkError.self) { try await recorder.send(request) }
            #expect(error?.kind == .tooLarge(limit: 4))
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try await record([request("/echo", .post, body: "abcde")])
        let player = Chain([try Cassette(at: file, options: options)], over: server)
        let error = await #expect(throws: NetworkError.self) {
            try await player.send(request("/echo", .post, body: "abcde"))
        }
        #expect(error?.kind == .tooLarge(limit: 4))
    }

    @Test("X4 a file over the limit is neither written nor read")
    func fileLimit() async throws {
        var options = Cassette.Options()
        options.fileLimit = 100
        let chain = Chain([try Cassette(at: file, mode: .record, options: options)], over: server)
        let error = await #expect(throws: NetworkError.self) { try await chain.send(request()) }
        #expect(error?.kind == .tooLarge(limit: 100))
        try await record([request()])
        let other = #expect(throws: NetworkError.self) { try Cassette(at: file, options: options) }
        #expect(other?.kind == .file(reason: "api.json is not a regular file of at most 100 bytes"))
    }

    @Test("X4 a WebSocket is refused")
    func upgrade() async throws {
        var request = try request()
        request.options.upgrade = ProtocolUpgrade(to: "websocket")
        let chain = Chain([try Cassette(at: file, mode: .record)], over: server)
        let error = await #expect(throws: NetworkError.self) { try await chain.send(request) }
        #expect(error?.kind == .unsupported(feature: "a WebSocket", on: "a Cassette"))
    }

    @Test(
        "X4 an unreadable file throws the reason",
        arguments: [
            (nil, "the cassette api.json does not exist; record it first"),
            ("{", "api.json is not a cassette"),
            (#"{"log":{"version":"1.2"}}"#, "api.json is not a cassette"),
            (
                #"{"format":"godwit-cassette","version":2}"#,
                "api.json has version 2; this Godwit reads 1. Record it again"
            ),
            (
                #"{"format":"godwit-cassette","version":1,"recordings":[{"request":{"method":"GET"}}]}"#,
                "api.json is damaged: recordings[0].request: "
            ),
            (
                #"{"format":"godwit-cassette","version":1,"recordings":[{"request":{"method":"GET","url":"u","fields":["no"]}}]}"#,
                #"api.json is damaged: recordings[0].request.fields: "no" is not a header field"#
            ),
        ] as [(String?, String)])
    func damaged(content: String?, reason: String) throws {
        if let content { try Data(content.utf8).write(to: file) }
        let error = #expect(throws: NetworkError.self) { try Cassette(at: file) }
        guard case .file(let said) = error?.kind else {
            Issue.record("not the error expected: \(String(describing: error))")
            return
        }
        #expect(said.hasPrefix(reason))
    }
}

private struct Unexpected: Error {}

/// Sends another call in the place of the one it gets.
private struct Handing: Middleware {
    let call: Call

    init(_ call: Call) {
        self.call = call
    }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        try await next(self.call)
    }
}

/// Lets wait until it is opened.
private final class Gate: Sendable {
    private let isOpen = Watched(false)

    func open() {
        isOpen.update { $0 = true }
    }

    func wait() async throws {
        try await isOpen.wait { $0 }
    }
}
