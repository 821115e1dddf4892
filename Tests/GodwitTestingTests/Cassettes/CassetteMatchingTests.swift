import GodwitCore
import GodwitTesting
import TestSupport
import Testing

@Suite("X4 cassettes: matching", .timeLimit(.minutes(15)))
struct CassetteMatchingTests {
    private let folder = TemporaryFolder()
    private var file: URL { folder.url.appending(path: "api.json") }

    private func request(
        _ target: String, _ method: HTTPMethod = .get, _ fields: HTTPFields = [:], body: HTTPBody? = nil
    ) throws -> HTTPRequest {
        HTTPRequest(
            method: method, url: try HTTPURL("https://api.example.com\(target)"), fields: fields, body: body)
    }

    private func cassette(_ matching: Cassette.Matching, _ recorded: HTTPRequest...) async throws -> Chain {
        let numbers = Numbers()
        let server = MockTransport { _ in .text("\(numbers.next())") }
        let recorder = Chain([try Cassette(at: file, mode: .record)], over: server)
        for request in recorded { _ = try await recorder.send(request) }
        return Chain([try Cassette(at: file, matching: matching)], over: server)
    }

    private func send(_ request: HTTPRequest, to chain: Chain) async throws -> String {
        String(decoding: try await chain.send(request).body.collect(upTo: 100), as: UTF8.self)
    }

    private func mismatch(_ request: HTTPRequest, _ chain: Chain) async throws -> CassetteMismatch {
        let error = await #expect(throws: NetworkError.self) { try await chain.send(request) }
        let mismatch = try #require(error?.underlying as? CassetteMismatch)
        #expect(error?.kind == .invalidRequest(reason: mismatch.description))
        #expect(error?.isRetryable == false)
        return mismatch
    }

    @Test("X4 strict matching uses each recording once, in order")
    func strict() async throws {
        let chain = try await cassette(.strict, request("/1"), request("/2"))
        let early = try await mismatch(request("/2"), chain)
        #expect(early.recording == 1 && early.outOfTurn == 2 && !early.isUsedUp)
        #expect(early.differences.map(\.part) == [.url])
        // What did not fit has used nothing.
        #expect(try await send(request("/1"), to: chain) == "1")
        #expect(try await send(request("/2"), to: chain) == "2")
        let late = try await mismatch(request("/2"), chain)
        #expect(late.isUsedUp && late.outOfTurn == 2 && late.differences.isEmpty)
        #expect(late.description.contains("every recording was used"))
    }

    @Test("X4 lenient matching uses recordings in any order, each in turn, and repeats the last one")
    func lenient() async throws {
        let chain = try await cassette(.lenient, request("/1"), request("/2"), request("/1"))
        var said: [String] = []
        for target in ["/2", "/1", "/1", "/1", "/2"] { said.append(try await send(request(target), to: chain)) }
        #expect(said == ["2", "1", "3", "3", "2"])
    }

    @Test("X4 the error names the closest recording and the differences")
    func closest() async throws {
        let chain = try await cassette(
            .lenient, request("/users?page=1"), request("/articles?page=1"), request("/articles?page=1", .delete))
        let found = try await mismatch(request("/articles?page=2"), chain)
        #expect(found.recording == 2 && found.outOfTurn == nil)
        #expect(
            found.description == """
                no recording answers GET https://api.example.com/articles?page=2
                recording 2 (GET https://api.example.com/articles?page=1) is the closest:
                  url: recorded https://api.example.com/articles?page=1, \
                sent https://api.example.com/articles?page=2
                """)
        let method = try await mismatch(request("/users?page=1", .put), chain)
        #expect(method.recording == 1)
        #expect(method.differences == [.init(.method, recorded: "GET", sent: "PUT")])
    }

    @Test("X4 a long body is shown from its first difference")
    func excerpt() async throws {
        let beginning = String(repeating: "a", count: 5000)
        let chain = try await cassette(.strict, request("/", .post, body: .bytes(Data("\(beginning)b".utf8))))
        let found = try await mismatch(request("/", .post, body: .bytes(Data("\(beginning)c".utf8))), chain)
        let difference = try #require(found.differences.first)
        #expect(difference.part == .body)
        #expect(difference.recorded == "…" + String(repeating: "a", count: 40) + "b")
        #expect(difference.sent?.hasSuffix("ac") == true)
    }

    @Test("X4 the error of an empty cassette says so")
    func empty() async throws {
        try Data(#"{"format":"godwit-cassette","version":1,"recordings":[]}"#.utf8).write(to: file)
        let chain = Chain([try Cassette(at: file)], over: MockTransport { _ in .status(200) })
        let found = try await mismatch(request("/"), chain)
        #expect(found.recording == nil && !found.isUsedUp)
        #expect(found.description == "no recording answers GET https://api.example.com/\nthe cassette is empty")
    }

    @Test("X4 only chosen fields are compared")
    func fields() async throws {
        var matching = Cassette.Matching.lenient
        matching.fields = [.accept]
        let chain = try await cassette(matching, request("/", .get, [.accept: "text/plain", "X-Request-ID": "1"]))
        #expect(try await send(request("/", .get, [.accept: "text/plain", "X-Request-ID": "2"]), to: chain) == "1")
        let found = try await mismatch(request("/"), chain)
        #expect(found.differences == [.init(.field(.accept), recorded: "text/plain", sent: nil)])
        #expect(found.description.hasSuffix("  field Accept: recorded text/plain, sent nothing"))
    }

    @Test("X4 query items are ignored by their decoded names")
    func query() async throws {
        var matching = Cassette.Matching.lenient
        matching.ignoredQueryItems = ["at time"]
        let chain = try await cassette(matching, request("/?at%20time=1&page=2"), request("/b?at%20time=1"))
        #expect(try await send(request("/?page=2&at%20time=7"), to: chain) == "1")
        #expect(try await send(request("/b"), to: chain) == "2")
        #expect(try await mismatch(request("/?page=3"), chain).recording == 1)
    }

    @Test(
        "X4 bodies are compared: JSON by value, multipart without its boundary, anything else by bytes",
        arguments: [
            ("application/json", #"{"a":1,"b":[true]}"#, "application/json", #"{ "b" : [true], "a": 1.0 }"#, true),
            ("application/json", #"{"a":1}"#, "application/json", #"{"a":2}"#, false),
            ("application/json", #"{"a":1}"#, "application/json", "no JSON", false),
            ("text/plain", #"{"a":1}"#, "text/plain", #"{ "a":1}"#, false),
            ("application/json", "{\"a\":1,\"b\":[2]}", "application/json", "{\"b\":[2.0], \"a\":1}", true),
            ("application/json", "9007199254740993", "application/json", "9007199254740992", false),
            ("application/json", "{\"\u{E1}\":1}", "application/json", "{\"a\u{301}\":1}", false),
            ("application/json", "[1]", "application/json", "[1,2]", false),
            ("application/json", "{\"a\":1}", "application/json", "{\"a\":1,\"b\":2}", false),
            (
                "multipart/form-data; boundary=x1", "--x1\r\na\r\n--x1--", "multipart/form-data; boundary=y22",
                "--y22\r\na\r\n--y22--", true
            ),
            (
                "multipart/form-data; boundary=x1", "--x1\r\na\r\n--x1--", "multipart/form-data; boundary=y22",
                "--y22\r\nb\r\n--y22--", false
            ),
        ])
    func content(_ recordedType: String, _ recorded: String, _ type: String, _ content: String, fits: Bool) async throws
    {
        let chain = try await cassette(
            .strict, request("/", .post, [.contentType: recordedType], body: .bytes(Data(recorded.utf8))))
        let request = try request("/", .post, [.contentType: type], body: .bytes(Data(content.utf8)))
        if fits {
            #expect(try await send(request, to: chain) == "1")
        } else {
            #expect(try await mismatch(request, chain).differences.map(\.part) == [.body])
        }
    }

    @Test("X4 bodies can be ignored")
    func ignoredContent() async throws {
        var matching = Cassette.Matching.strict
        matching.content = .ignored
        let chain = try await cassette(matching, request("/", .post, body: "a"))
        #expect(try await send(request("/", .post, body: "b"), to: chain) == "1")
    }
}

/// 1, 2, 3 …
private final class Numbers: Sendable {
    private let last = Watched(0)

    func next() -> Int {
        last.update { last in
            last += 1
            return last
        }
    }
}
