import Godwit
import GodwitTesting
import TestSupport
import Testing

@Suite("X3 MockServer: responses on the wire", .timeLimit(.minutes(15)))
struct MockServerAnswerTests {
    private func get(_ path: String, version: String = "HTTP/1.1") -> String {
        "GET \(path) \(version)\r\nHost: x\r\n\r\n"
    }

    @Test("X3 a text is sent with its length and no other header field")
    func text() async throws {
        let server = try await MockServer { $0.get("/a").reply(.text("hello")) }
        let answer = try await RawClient(server.url).exchange(get("/a"), until: "hello")
        #expect(
            answer == "HTTP/1.1 200 \r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n\r\nhello")
    }

    @Test("X3 a JSON literal and an Encodable become JSON with sorted keys")
    func json() async throws {
        struct Article: Encodable {
            var title = "Tides"
            var id = 1
        }
        let server = try await MockServer {
            $0.get("/literal").reply(json: ["title": "Tides", "id": 1, "tags": ["a", 2, nil, true, 0.5]])
            $0.get("/value").reply(json: Article(), status: .created)
        }
        let client = try RawClient(server.url)
        let literal = await client.exchange(get("/literal"), until: "}")
        #expect(literal.hasSuffix("\r\n\r\n{\"id\":1,\"tags\":[\"a\",2,null,true,0.5],\"title\":\"Tides\"}"))
        let value = await client.exchange(get("/value"), until: "}")
        #expect(value.hasPrefix("HTTP/1.1 201 \r\nContent-Type: application/json\r\n"))
        #expect(value.hasSuffix("\r\n\r\n{\"id\":1,\"title\":\"Tides\"}"))
    }

    @Test("X3 chunks use the chunked coding, with trailers")
    func chunks() async throws {
        var response = MockResponse.chunks([Data("abc".utf8), Data(), Data("0123456789abcdef".utf8)])
        response.trailers = ["Digest": "x"]
        let scripted = response
        let server = try await MockServer { $0.get("/").reply(scripted) }
        let answer = try await RawClient(server.url).exchange(get("/"), until: "\r\nDigest: x\r\n\r\n")
        #expect(answer.contains("Transfer-Encoding: chunked\r\n"))
        #expect(
            answer.hasSuffix("\r\n\r\n3\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\nDigest: x\r\n\r\n"))
    }

    @Test("X3 a stream of unknown length is chunked; one of known length has Content-Length")
    func streams() async throws {
        let chunks = AsyncStream<Data> { continuation in
            continuation.yield(Data("ab".utf8))
            continuation.yield(Data("cd".utf8))
            continuation.finish()
        }
        let server = try await MockServer {
            $0.get("/unknown").reply(.stream(once: chunks))
            $0.get("/known").reply(MockResponse(body: .stream(length: 4) { ["ab", "cd"].asyncData }))
        }
        let client = try RawClient(server.url)
        #expect(await client.exchange(get("/unknown"), until: "0\r\n\r\n").hasSuffix("2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n"))
        #expect(
            await client.exchange(get("/known"), until: "cd") == "HTTP/1.1 200 \r\nContent-Length: 4\r\n\r\nabcd")
    }

    @Test("X3 a file is sent")
    func file() async throws {
        let folder = TemporaryFolder()
        let url = folder.url.appending(path: "a.txt")
        try Data("from a file".utf8).write(to: url)
        let server = try await MockServer { $0.get("/").reply(.file(at: url, contentType: "text/plain")) }
        let answer = try await RawClient(server.url).exchange(get("/"), until: "from a file")
        #expect(answer.contains("Content-Length: 11\r\n"))
    }

    @Test("X3 HEAD is answered like GET without the body")
    func head() async throws {
        let server = try await MockServer { $0.get("/").reply(.text("hello")) }
        let client = try RawClient(server.url)
        let answer = await client.exchange("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", until: "\r\n\r\n")
        #expect(answer.contains("Content-Length: 5\r\n"))
        #expect(await client.exchange(get("/"), until: "hello").hasPrefix("HTTP/1.1 200"))
    }

    @Test(
        "X3 a catch-all route matches HEAD only where it would match GET",
        arguments: [("/get", "5", "200"), ("/both", "0", "204"), ("/other", "9", "404"), ("/late", "9", "404")])
    func headBesideCatchAll(path: String, length: String, status: String) async throws {
        let server = try await MockServer {
            $0.get("/both").reply(.text("hello"))
            $0.get("/get").reply(.text("hello"))
            $0.head("/both").reply(.status(204))
            $0.any("*").reply(.text("catch-all", status: .notFound))
            // Neither is reached by GET.
            $0.get("/late").reply(.text("late"))
        }
        let client = try RawClient(server.url)
        let answer = await client.exchange("HEAD \(path) HTTP/1.1\r\nHost: x\r\n\r\n", until: "\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("Content-Length: \(length)\r\n") || status == "204")
        #expect(answer.hasSuffix("\r\n\r\n"))
        // Nothing of a content is between this answer and the one before.
        #expect(await client.exchange(get("/get"), until: "hello").hasPrefix("HTTP/1.1 200"))
        await server.stop()
    }

    @Test("X3 a client receives the header fields of GET and no body for HEAD", arguments: [false, true])
    func headFields(isMock: Bool) async throws {
        let routes: @Sendable (MockRoutes) -> Void = {
            $0.get("/file").reply(.bytes(Data(count: 5000)).field(.etag, "\"v1\""))
            $0.any("*").reply(.status(.notFound))
        }
        let server = try await MockServer(routes: routes)
        let mock = APIClient(baseURL: server.url, transport: MockTransport(routes: routes))
        let api = isMock ? mock : APIClient(baseURL: server.url)
        for method in [HTTPMethod.head, .get] {
            let url = try HTTPURL("\(server.url)file")
            let response = try await api.send(HTTPRequest(method: method, url: url))
            #expect(response.head.fields[.contentLength] == "5000")
            #expect(response.head.fields[.etag] == "\"v1\"")
            #expect(try await response.body.collect(upTo: 10_000).count == (method == .head ? 0 : 5000))
        }
        await server.stop()
    }

    @Test("X3 equal chunks end after their count, endless ones only at a fault")
    func equalChunks() async throws {
        let server = try await MockServer {
            $0.get("/finite").reply(.chunks(of: 4, count: 3))
            $0.get("/none").reply(.chunks(of: 4, count: 0))
            $0.get("/endless").reply(.endlessChunks(of: 4, every: .zero).dropped(after: .bytes(6)))
        }
        let client = try RawClient(server.url)
        let finite = await client.exchange(get("/finite"), until: "0\r\n\r\n")
        #expect(finite.hasSuffix("\r\n\r\n" + String(repeating: "4\r\n....\r\n", count: 3) + "0\r\n\r\n"))
        #expect(await client.exchange(get("/none"), until: "0\r\n\r\n").hasSuffix("\r\n\r\n0\r\n\r\n"))
        #expect(await client.exchange(get("/endless"), until: "..\r\n2\r\n..\r\n").contains("4\r\n....\r\n2\r\n..\r\n"))
        await server.stop()
    }

    @Test("X3 a 204 and a 304 have neither body nor length", arguments: [204, 304])
    func noContent(status: Int) async throws {
        let server = try await MockServer {
            $0.get("/none").reply(.status(status))
            $0.get("/next").reply(.text("next"))
        }
        let answer = try await RawClient(server.url).exchange(get("/none") + get("/next"), until: "next")
        #expect(answer.hasPrefix("HTTP/1.1 \(status) \r\n\r\nHTTP/1.1 200 "))
    }

    @Test("X3 interim responses precede the response")
    func interim() async throws {
        var response = MockResponse.text("final")
        response.interim = [HTTPResponseHead(status: try #require(HTTPStatus(103)), fields: [.link: "</a>"])]
        let scripted = response
        let server = try await MockServer { $0.get("/").reply(scripted) }
        let answer = try await RawClient(server.url).exchange(get("/"), until: "final")
        #expect(answer.hasPrefix("HTTP/1.1 103 \r\nLink: </a>\r\n\r\nHTTP/1.1 200 \r\n"))
    }

    @Test("X3 a redirect sends its Location unchanged")
    func redirect() async throws {
        let server = try await MockServer { $0.get("/").reply(.redirect(to: "/b c", status: .seeOther)) }
        let answer = try await RawClient(server.url).exchange(get("/"), until: "\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 303 \r\nLocation: /b c\r\n"))
    }

    @Test(
        "X3 raw bytes are sent unchanged, then the connection ends",
        arguments: [
            "HTTP/1.1 two hundred\r\n\r\n", "HTTP/1.1 200 \r\nX: a",
            "HTTP/1.1 200 \r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            "HTTP/1.1 101 Switching Protocols\r\n\r\n", "",
        ])
    func raw(text: String) async throws {
        let server = try await MockServer { $0.get("/").reply(.raw(text)) }
        let client = try RawClient(server.url)
        await client.send(get("/"))
        let answer = await client.readToEnd()
        #expect(answer.text == text)
        #expect(answer.ending == 0)
    }

    @Test("X3 a raw response can leave the connection open")
    func rawOpen() async throws {
        var response = MockResponse.raw("HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\na")
        response.closesConnection = false
        let scripted = response
        let server = try await MockServer { $0.get("/").reply(scripted) }
        let client = try RawClient(server.url)
        #expect(await client.exchange(get("/"), until: "\r\n\r\na") == "HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\na")
        #expect(await client.exchange(get("/"), until: "\r\n\r\na") == "HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\na")
        #expect(server.connectionCount == 1)
    }

    @Test("X3 a declared length is sent unchanged; after a wrong one the connection ends")
    func declaredLength() async throws {
        let server = try await MockServer { $0.get("/").reply(.text("short").framed(.length(100))) }
        let client = try RawClient(server.url)
        await client.send(get("/"))
        let answer = await client.readToEnd()
        #expect(answer.text.hasSuffix("Content-Length: 100\r\n\r\nshort"))
        #expect(answer.ending == 0)
    }

    @Test("X3 framing by closing uses neither length nor chunks")
    func untilClose() async throws {
        let server = try await MockServer { $0.get("/").reply(.text("all").framed(.untilClose)) }
        let client = try RawClient(server.url)
        await client.send(get("/"))
        let answer = await client.readToEnd()
        #expect(
            answer.text == "HTTP/1.1 200 \r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\nall")
        #expect(answer.ending == 0)
    }

    @Test("X3 HTTP/1.0 gets no chunks, and a closed connection unless it asks for keep-alive")
    func http10() async throws {
        let server = try await MockServer {
            $0.get("/chunks").reply(.chunks([Data("ab".utf8)]))
            $0.get("/text").reply(.text("text"))
        }
        let closing = try RawClient(server.url)
        await closing.send(get("/chunks", version: "HTTP/1.0"))
        let answer = await closing.readToEnd()
        #expect(answer.text.hasSuffix("Connection: close\r\n\r\nab"))
        let keeping = try RawClient(server.url)
        let request = "GET /text HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"
        #expect(await keeping.exchange(request, until: "text").contains("Connection: keep-alive\r\n"))
        #expect(await keeping.exchange(request, until: "text").contains("Connection: keep-alive\r\n"))
    }

    @Test(
        "X3 Range gets a part, a 416 after the end, and the whole body if If-Range fails",
        arguments: [
            ("Range: bytes=2-4\r\n", "206", "bytes 2-4/10", "234"),
            ("Range: bytes=7-\r\n", "206", "bytes 7-9/10", "789"),
            ("Range: bytes=-2\r\n", "206", "bytes 8-9/10", "89"),
            ("Range: bytes=8-99\r\n", "206", "bytes 8-9/10", "89"),
            ("Range: bytes=10-\r\n", "416", "bytes */10", ""),
            ("Range: bytes=2-4\r\nIf-Range: \"old\"\r\n", "200", nil, "0123456789"),
            ("Range: lines=2-4\r\n", "200", nil, "0123456789"), ("", "200", nil, "0123456789"),
        ])
    func ranged(fields: String, status: String, contentRange: String?, content: String) async throws {
        let server = try await MockServer {
            $0.get("/").reply { .ranged(Data("0123456789".utf8), for: $0, etag: "\"new\"").closing() }
        }
        let client = try RawClient(server.url)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
        let answer = await client.readToEnd().text
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.hasSuffix("\r\n\r\n" + content))
        #expect(answer.contains("Content-Range: ") == (contentRange != nil))
        if let contentRange { #expect(answer.contains("Content-Range: \(contentRange)\r\n")) }
    }
}
