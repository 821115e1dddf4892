import GodwitCore
import GodwitTesting
import Testing

@Suite("X3 MockServer: what is not HTTP is refused", .timeLimit(.minutes(15)))
struct MockServerStrictnessTests {
    @Test(
        "X3 an invalid request gets a status, a reason, and the end of the connection",
        arguments: [
            ("GET /\r\n\r\n", 400), ("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            ("G@T / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", 400), ("GET a HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            ("GET /\u{e9} HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /a#b HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", 400),
            ("GET / HTTP/1.1\nHost: h\n\n", 400), ("GET / HTTP/1.1\r\nHost: h\r\nX : 1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: h\r\n: a\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
            ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxy\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1000000000000000\r\n", 400),
            ("GET /" + String(repeating: "a", count: 70_000) + " HTTP/1.1\r\nHost: h\r\n\r\n", 431),
            ("GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: a\r\n", count: 20_000) + "\r\n", 431),
        ])
    func refused(request: String, status: Int) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("served")) }
        let client = try RawClient(server.url)
        await client.send(request)
        let answer = await client.readToEnd()
        #expect(answer.text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.text.contains("Connection: close\r\n"))
        #expect(answer.text.hasSuffix("\r\n\r\n") == false)
        #expect(answer.ending == 0)
        client.hangUp()
        try await server.waitUntilConnectionsClose()
    }

    @Test(
        "X3 valid requests are served",
        arguments: [
            "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET http://other/ HTTP/1.1\r\nHost: h\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nX:\t a\t\r\n\r\n", "BREW / HTTP/1.1\r\nHost: h\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab",
        ])
    func served(request: String) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("served")) }
        #expect(try await RawClient(server.url).exchange(request, until: "served").hasPrefix("HTTP/1.1 200"))
    }
}
