import GodwitCore
import GodwitTesting
import Testing

@Suite("X3 MockServer: received and recorded requests", .timeLimit(.minutes(15)))
struct MockServerRequestTests {
    @Test("X3 a request is recorded with method, target, path, query, header fields, body and connection")
    func recorded() async throws {
        let server = try await MockServer { $0.any("*").reply(.status(204)) }
        let client = try RawClient(server.url)
        await client.send(
            "POST /a%20b?x=1&y=a%2Fb+c&z HTTP/1.1\r\nHost: h\r\nX-A:  1 \r\nx-a: 2\r\n"
                + "Content-Length: 9\r\n\r\n{\"id\": 7}")
        let request = try #require(try await server.waitForRequests().first)
        #expect(request.method == .post)
        #expect(request.target == "/a%20b?x=1&y=a%2Fb+c&z")
        #expect(request.path == "/a%20b")
        #expect(request.url?.absoluteString == "http://h/a%20b?x=1&y=a%2Fb+c&z")
        #expect(request.query == "x=1&y=a%2Fb+c&z")
        #expect(request.queryItems.map(\.name) == ["x", "y", "z"])
        #expect(request.queryValue("y") == "a/b c")
        #expect(request.queryValue("z") == "")
        #expect(request.queryValue("w") == nil)
        #expect(request.fields.values(of: "X-A") == ["1", "2"])
        #expect(request.text == "{\"id\": 7}")
        #expect(try request.decoded(as: [String: Int].self) == ["id": 7])
        #expect(request.bodyByteCount == 9)
        #expect(request.arrival == .complete)
        #expect(request.connection == 1)
    }

    @Test("X3 a chunked body is assembled, with its trailers")
    func chunked() async throws {
        let server = try await MockServer { $0.any("*").reply(.status(204)) }
        let client = try RawClient(server.url)
        await client.send(
            "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n3;a=b\r\nabc\r\n1A\r\n"
                + "abcdefghijklmnopqrstuvwxyz\r\n0\r\nX-T: 1\r\n\r\n")
        let request = try #require(try await server.waitForRequests().first)
        #expect(request.text == "abcabcdefghijklmnopqrstuvwxyz")
        #expect(request.trailers["X-T"] == "1")
    }

    @Test("X3 a request in single bytes is parsed like one in a single piece")
    func bytewise() async throws {
        let server = try await MockServer { $0.post("/a").reply(.text("ok")) }
        let client = try RawClient(server.url)
        let text = "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"
        for byte in text.utf8 { await client.send(Data([byte])) }
        #expect(await client.read(until: "ok").text.hasPrefix("HTTP/1.1 200"))
        #expect(server.requests.first?.text == "ab")
    }

    @Test("X3 pipelined requests are answered in order")
    func pipelined() async throws {
        let server = try await MockServer { $0.get("/:n").reply { .text("<\($0.parameters["n"] ?? "")>") } }
        let client = try RawClient(server.url)
        let requests = (1...20).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined()
        let answer = await client.exchange(requests, until: "<20>")
        #expect(answer.matches(of: /<\d+>/).map { String($0.output) } == (1...20).map { "<\($0)>" })
        #expect(server.requests.map(\.path) == (1...20).map { "/\($0)" })
        #expect(server.connectionCount == 1)
    }

    @Test("X3 a client that waits for 100 Continue gets it before its body is read")
    func expectContinue() async throws {
        let server = try await MockServer { $0.post("/").reply { .text("got \($0.text)") } }
        let client = try RawClient(server.url)
        let head = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        #expect(await client.exchange(head, until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(server.requests.first?.arrival == .underway)
        #expect(await client.exchange("ab", until: "got ab").hasPrefix("HTTP/1.1 200"))
    }

    @Test("X3 body bytes over the limit are counted and not kept")
    func bodyLimit() async throws {
        var options = MockServer.Options()
        options.bodyLimit = 10
        let server = try await MockServer(options) { $0.any("*").reply(.status(204)) }
        let client = try RawClient(server.url)
        await client.send(
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 200000\r\n\r\n" + String(repeating: "x", count: 200_000))
        let request = try #require(try await server.waitForRequests().first)
        #expect(request.body.count == 10)
        #expect(request.bodyByteCount == 200_000)
    }

    @Test("X3 the recorder keeps the latest requests and counts all")
    func recordLimit() async throws {
        var options = MockServer.Options()
        options.recordLimit = 3
        let server = try await MockServer(options) { $0.any("*").reply(.text(".")) }
        let client = try RawClient(server.url)
        for number in 1...200 {
            _ = await client.exchange("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n", until: "\r\n\r\n.")
        }
        #expect(server.requests.map(\.path) == ["/198", "/199", "/200"])
        #expect(server.requestCount == 200)
        try await server.waitForRequests(count: 200)
    }

    @Test("X3 a client that disconnects within its body leaves an aborted request")
    func aborted() async throws {
        let server = try await MockServer { $0.any("*").reply(.status(204)) }
        let client = try RawClient(server.url)
        await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc")
        client.hangUp()
        let request = try #require(try await server.waitForRequests().first)
        #expect(request.arrival == .aborted)
        #expect(request.bodyByteCount == 3)
        try await server.waitUntilConnectionsClose()
    }

    @Test("X3 an early route answers before the body, then reads it and keeps the connection")
    func early() async throws {
        let server = try await MockServer {
            $0.post("/early").early().reply(.text("early"))
            $0.get("/next").reply(.text("next"))
        }
        let client = try RawClient(server.url)
        _ = await client.exchange("POST /early HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n", until: "early")
        #expect(server.requests.first?.arrival == .underway)
        let next = await client.exchange("abcGET /next HTTP/1.1\r\nHost: h\r\n\r\n", until: "next")
        #expect(next.hasPrefix("HTTP/1.1 200"))
        #expect(server.requests.first?.text == "abc")
        #expect(server.requests.first?.arrival == .complete)
    }

    @Test("X3 an early response that closes ends the connection")
    func earlyClosing() async throws {
        let server = try await MockServer { $0.post("/").early().reply(.status(413).closing()) }
        let client = try RawClient(server.url)
        await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nabc")
        let answer = await client.readToEnd()
        #expect(answer.text.hasPrefix("HTTP/1.1 413"))
        #expect(answer.ending == 0)
        #expect(try await server.waitForRequests().first?.arrival == .aborted)
    }

    @Test("X3 an early response to a client that waits for 100 Continue ends the connection")
    func earlyExpect() async throws {
        let server = try await MockServer { $0.post("/").early().reply(.status(401)) }
        let client = try RawClient(server.url)
        await client.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        let answer = await client.readToEnd()
        #expect(answer.text.hasPrefix("HTTP/1.1 401"))
        #expect(!answer.text.contains(" 100 "))
        #expect(answer.ending == 0)
    }

    @Test("X3 slow reading uses the clock, whether the body arrives with its head or later", arguments: [true, false])
    func slowReading(together: Bool) async throws {
        let clock = TestClock()
        var options = MockServer.Options()
        options.clock = clock
        let server = try await MockServer(options) { $0.post("/").readBody(bytesPerSecond: 100).reply(.text("done")) }
        let client = try RawClient(server.url)
        let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 30\r\n\r\n"
        let content = String(repeating: "x", count: 30)
        for part in together ? [head + content] : [head, content] { await client.send(part) }
        for count in stride(from: Int64(10), through: 30, by: 10) {
            try await clock.waitForSleepers()
            #expect(server.requests.first?.bodyByteCount == count)
            clock.advance(by: .milliseconds(100))
        }
        #expect(await client.read(until: "done").text.hasPrefix("HTTP/1.1 200"))
    }
}
