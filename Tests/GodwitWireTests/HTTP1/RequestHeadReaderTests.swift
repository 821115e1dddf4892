import GodwitWire
import Testing

@Suite("HTTP/1 requests, piece by piece")
struct RequestHeadReaderTests {
    /// Reads heads from bytes in pieces: what is known of each, or the status of a refusal, which is the last.
    private static func read(_ text: String, pieces size: Int = .max, limit: Int = 1000) -> [String] {
        var reader = RequestHeadReader(limit: limit)
        var outcome: [String] = []
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let piece = Array(bytes.prefix(size))
            bytes = bytes.dropFirst(size)
            let fault = piece.withUnsafeBytes { piece -> RequestFault? in
                var rest = piece
                while true {
                    switch reader.read(&rest) {
                    case .incomplete: return nil
                    case .refused(let fault): return fault
                    case .complete(let head):
                        let isKept = head.keepsAlive ? "kept" : "closed"
                        outcome.append("\(head.method) \(head.target) \(head.framing) \(isKept) \(head.fields.count)")
                    }
                }
            }
            if let fault { return outcome + ["\(fault.status.code)"] }
        }
        return outcome
    }

    @Test(
        "X3 a head says what its body and its connection are",
        arguments: [
            ("GET /?a=b HTTP/1.1\r\nHost: h\r\n\r\n", "GET /?a=b none kept 1"),
            ("\r\n\r\n\r\nGET / HTTP/1.1\r\nHost:\r\n\r\n", "GET / none kept 1"),
            ("GET / HTTP/1.0\r\n\r\n", "GET / none closed 0"),
            ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET / none kept 1"),
            ("OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: x, close\r\n\r\n", "OPTIONS * none closed 2"),
            ("CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n", "CONNECT h:443 none kept 1"),
            ("GET http://h/ HTTP/1.1\r\nhost: h\r\nX: \t a \r\n\r\n", "GET http://h/ none kept 2"),
            ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n", "PUT / none kept 2"),
            ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 7, 7\r\n\r\n", "PUT / length(7) kept 2"),
            ("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n", "PUT / chunked kept 2"),
        ])
    func heads(_ text: String, _ expected: String) {
        for size in 1...text.utf8.count {
            #expect(Self.read(text + text, pieces: size) == [expected, expected])
        }
    }

    @Test(
        "X3 a head in which two readers could differ is refused",
        arguments: [
            ("GET /\r\n\r\n", 400), ("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            ("GET / HTTP/1.1 \r\nHost: h\r\n\r\n", 400), ("G\u{1}T / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", 400), ("GET a HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            ("GET /\u{e9} HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /#b HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            ("GET * HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("CONNECT / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", 400),
            ("GET / HTTP/1.1\nHost: h\n\n", 400), ("GET / HTTP/1.1\r\nHost: h\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: h\r\n\n", 400), ("\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: h\r\nX : 1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n Host: h\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: h\r\nx\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: +1\r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
            ("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding:\r\n\r\n", 501),
            ("PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("GET /\(String(repeating: "a", count: 1000)) HTTP/1.1\r\nHost: h\r\n\r\n", 431),
            (String(repeating: "a", count: 1001), 431),
        ])
    func refused(_ text: String, _ status: Int) {
        for size in 1...text.utf8.count {
            #expect(Self.read(text, pieces: size) == ["\(status)"])
        }
    }

    @Test("X3 what can't become a request is refused at once", arguments: ["\u{16}\u{3}\u{1}", "\r\n\0", " GET", "{"])
    func notHTTP(_ text: String) {
        #expect(Self.read(text) == ["400"])
    }

    @Test("X3 each beginning of a head asks for more, up to the limit")
    func beginnings() {
        let head = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
        for count in 0..<head.utf8.count {
            #expect(Self.read(String(decoding: head.utf8.prefix(count), as: UTF8.self)) == [])
        }
        #expect(Self.read(head, limit: head.utf8.count) == ["GET / none kept 1"])
        #expect(Self.read(head, limit: head.utf8.count - 1) == ["431"])
    }
}
