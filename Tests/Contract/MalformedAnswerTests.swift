import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Contract: answers that are not what they should be", .timeLimit(.minutes(15)))
struct MalformedAnswerTests {
    /// An answer, the label of the error it makes, and words its description must have, in one of several spellings (`|`):
    /// libcurl's differ between 7.x and 8.x.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let answer: MockResponse
        let error: String
        let words: String

        init(_ name: String, _ answer: MockResponse, _ error: String, _ words: String) {
            self.name = name
            self.answer = answer
            self.error = error
            self.words = words
        }

        /// Bytes as they are.
        init(_ name: String, raw: String, _ error: String, _ words: String) {
            self.init(name, .raw(raw), error, words)
        }

        var testDescription: String { name }
    }

    static let ok = "HTTP/1.1 200 OK\r\n"
    static let body = Data(repeating: 0x61, count: 1000)

    static let framing: [Case] = [
        Case(
            "a body cut short", .bytes(body).dropped(after: .bytes(400)), "transport.connection_lost",
            "remaining|missing"),
        Case(
            "chunks cut short", .bytes(body).framed(.chunked).dropped(after: .bytes(400)), "transport.connection_lost",
            ""),
        Case("a reset in the body", .bytes(body).reset(after: .bytes(400)), "transport.connection_lost", "reset"),
        Case(
            "a reset in chunks", .bytes(body).framed(.chunked).reset(after: .bytes(400)), "transport.connection_lost",
            "reset"),
        Case(
            "a bad chunk size", raw: ok + "Transfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n",
            "invalid_response", "chunk"),
        Case(
            "a chunk size that overflows",
            raw: ok + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffffff\r\nabc\r\n", "invalid_response", "chunk"),
        Case(
            "a chunk without its line end", raw: ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabcde\r\n0\r\n\r\n",
            "invalid_response", "chunk"),
        Case(
            "two different lengths|Content-Length", raw: ok + "Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello!!",
            "invalid_response",
            "two different lengths|Content-Length"),
        Case(
            "a list of two lengths", raw: ok + "Content-Length: 5, 7\r\n\r\nhello!!", "invalid_response",
            "two different lengths|Content-Length"),
        Case(
            "an overflowing length", raw: ok + "Content-Length: 99999999999999999999\r\n\r\nhello", "invalid_response",
            "is not a length"),
        Case("a negative length", raw: ok + "Content-Length: -5\r\n\r\nhello", "invalid_response", "Content-Length"),
        Case("a length in words", raw: ok + "Content-Length: five\r\n\r\nhello", "invalid_response", "Content-Length"),
        Case(
            "an unknown transfer coding", raw: ok + "Transfer-Encoding: nonsense\r\n\r\nhello", "invalid_response",
            "transfer coding \"nonsense\"|Transfer-Encoding (nonsense)"),
        Case(
            "a compressed transfer", raw: ok + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "invalid_response",
            "transfer coding|Transfer-Encoding"),
    ]

    static let heads: [Case] = [
        Case("a status line without number", raw: "HTTP/1.1 two hundred\r\n\r\n", "invalid_response", ""),
        Case("a status of four digits", raw: "HTTP/1.1 2000 OK\r\n\r\n", "invalid_response", ""),
        Case("a status below 100", raw: "HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n", "invalid_response", ""),
        Case("garbage", raw: "\u{1}\u{2}\u{3}garbage\r\n\r\n", "invalid_response", "HTTP/0.9|Invalid status line"),
        Case("another protocol", raw: "220 mail.example ESMTP\r\n", "invalid_response", "HTTP/0.9|Invalid status line"),
        Case("HTTP/0.9", raw: "<html>hello</html>", "invalid_response", "HTTP/0.9|Invalid status line"),
        Case(
            "a header line of 1 MiB", raw: ok + "X-Big: \(String(repeating: "a", count: 1 << 20))\r\n\r\n", "too_large",
            "limit"),
        Case(
            "too many fields in all",
            raw: ok + (0..<400).map { "X-\($0): \(String(repeating: "a", count: 1000))\r\n" }.joined() + "\r\n",
            "too_large", "limit"),
        Case("NUL in a field", raw: ok + "X: a\u{0}b\r\nContent-Length: 0\r\n\r\n", "invalid_response", ""),
        Case(
            "CR in a field", raw: ok + "X: a\rb\r\nContent-Length: 0\r\n\r\n", "invalid_response", "CR|Carriage return"),
        Case("a line without colon", raw: ok + "nonsense\r\nContent-Length: 0\r\n\r\n", "invalid_response", ""),
        Case(
            "a space before the colon", raw: ok + "X : 1\r\nContent-Length: 0\r\n\r\n", "invalid_response", "field name"
        ),
        Case("a fold before any field", raw: ok + " folded\r\nContent-Length: 0\r\n\r\n", "invalid_response", ""),
        Case("an end inside the header", raw: ok + "Content-Length: 5\r\nX-More: y", "transport.connection_lost", ""),
        Case("an end between header lines", raw: ok + "Content-Length: 5\r\n", "transport.connection_lost", ""),
        Case("an end inside a header without a length", raw: ok + "X: y\r\n", "transport.connection_lost", "header"),
        Case("an end after the status line", raw: ok, "transport.connection_lost", "header"),
        Case("an end inside the status line", raw: "HTTP/1.1 2", "", ""),
        Case(
            "a protocol switch that nobody asked for",
            raw: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nbytes",
            "invalid_response",
            "switched protocols"),
        Case("only an interim answer", raw: "HTTP/1.1 103 Early Hints\r\n\r\n", "transport.connection_lost", ""),
        Case("a close without answer", .close, "transport.connection_lost", ""),
        Case("a reset without answer", .reset, "transport.connection_lost", "reset"),
    ]

    static let codings: [Case] = [
        coded("gzip cut short", "gzip", Codings.gzip(body).dropLast(9), "transport.connection_lost", "incomplete"),
        coded(
            "gzip without its checksum", "gzip", Codings.gzip(body).dropLast(8), "transport.connection_lost",
            "incomplete"),
        coded(
            "gzip of its first byte", "gzip", Codings.gzip(body).prefix(1), "transport.connection_lost", "incomplete"),
        coded("gzip with a wrong checksum", "gzip", broken(Codings.gzip(body), at: 5), "invalid_response", "damaged"),
        coded("gzip with a wrong length", "gzip", broken(Codings.gzip(body), at: 1), "invalid_response", "damaged"),
        coded("garbage as gzip", "gzip", Data("this is not gzip at all".utf8), "invalid_response", "damaged"),
        coded(
            "garbage behind gzip", "gzip", Codings.gzip(body) + Data("garbage".utf8), "invalid_response",
            "after the end"),
        coded(
            "a second member cut short", "gzip", Codings.gzip(body) + Codings.gzip(body).prefix(20),
            "transport.connection_lost", "incomplete"),
        coded(
            "deflate cut short", "deflate", Codings.zlib(body).dropLast(2), "transport.connection_lost", "incomplete"),
        coded("garbage as deflate", "deflate", Data(repeating: 0xFF, count: 50), "invalid_response", "damaged"),
        coded("br cut short", "br", Codings.brotli.dropLast(2), "transport.connection_lost", "incomplete"),
        coded("garbage as br", "br", Data(repeating: 0xFF, count: 50), "invalid_response", "damaged"),
        coded("garbage behind br", "br", Codings.brotli + Data("garbage".utf8), "invalid_response", ""),
        coded("zstd cut short", "zstd", Codings.zstd.dropLast(2), "transport.connection_lost", "incomplete"),
        coded("garbage as zstd", "zstd", Data(repeating: 0xFF, count: 50), "invalid_response", "damaged"),
        coded("garbage behind zstd", "zstd", Codings.zstd + Data("garbage".utf8), "invalid_response", "damaged"),
    ]

    private static func coded(
        _ name: String, _ coding: String, _ data: Data, _ error: String, _ words: String
    ) -> Case {
        Case(name, .bytes(data).field(.contentEncoding, coding), error, words)
    }

    private static func broken(_ data: Data, at index: Int) -> Data {
        var data = data
        data[data.count - index] ^= 0xFF
        return data
    }

    @Test(
        "T1 a broken answer ends in the right error in every delivery, and the transport lives on",
        arguments: Subject.allCases, framing + heads + codings)
    func broken(_ subject: Subject, _ example: Case) async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer {
            $0.get("/ok").reply(.text("ok"))
            $0.any("*").reply(example.answer)
        }
        let transport = try subject.make()
        for delivery in [Delivery.buffered, .streamed, .file(folder.path("a"))] {
            let error = await transport.failure(of: .get(server.url, delivery))
            let description = error?.description ?? "no error"
            if example.error.isEmpty {
                // Where the peers of this suite differ, an error is all that is asked for.
                #expect(["invalid_response", "transport.connection_lost"].contains(error?.shortDescription))
            } else {
                #expect(error?.shortDescription == example.error, "\(description)")
            }
            let isWorded = example.words.split(separator: "|").contains { description.contains($0) }
            #expect(isWorded || example.words.isEmpty, "\(description)")
            #expect(error?.request?.url == server.url)
            #expect(try await transport.stillWorks(with: server))
        }
    }

    @Test(
        "T1 a folded line that begins a response isn't added to a header of the last one", arguments: Subject.allCases)
    func foldedFirst(_ subject: Subject) async throws {
        let folds = [" x: y", "\t", " " + String(repeating: "b", count: 3000), " a\r\n b\r\n c: d"]
        let server = try await MockServer {
            for length in [0, 40, 100, 2000] {
                $0.get("/ok/\(length)").reply(.text("ok").field("X-Last", String(repeating: "a", count: length)))
            }
            $0.get("/bare").reply(.raw(Self.ok + "Content-Length: 2\r\n\r\nok"))
            // A head that ends for libcurl alone.
            $0.get("/carriage-return").reply(.raw(Self.ok + "Content-Length: 0\r\nX-Last: a\r\n\rb\n"))
            for (number, fold) in folds.enumerated() {
                $0.get("/folded/\(number)").reply(.raw(Self.ok + fold + "\r\nContent-Length: 2\r\n\r\nok"))
            }
        }
        let transport = try subject.make()
        for last in ["/ok/0", "/ok/40", "/ok/100", "/ok/2000", "/bare"] {
            for number in folds.indices {
                for _ in 0..<3 { #expect(try await text(of: transport.get(server.at(last))) == "ok") }
                // libcurl 8.1.1 and later ignore the fold.
                if let error = await transport.failure(of: .get(try server.at("/folded/\(number)"))) {
                    #expect(error.shortDescription == "invalid_response", "\(error)")
                }
                #expect(await transport.failure(of: .get(try server.at("/carriage-return"))) != nil)
            }
        }
        #expect(try await text(of: transport.get(server.at("/ok/100"))) == "ok")
    }

    @Test("T1 interim answers are skipped", arguments: Subject.allCases, [[100], [102, 102], [103, 100, 103], [199]])
    func interim(_ subject: Subject, _ codes: [Int]) async throws {
        var answer = MockResponse.text("final")
        answer.interim = try codes.map {
            HTTPResponseHead(status: try #require(HTTPStatus($0)), fields: ["Link": "</a.css>", "X-Interim": "yes"])
        }
        let scripted = answer
        let server = try await MockServer { $0.any("*").reply(scripted) }
        let transport = try subject.make()
        for method in [HTTPMethod.get, .post, .head] {
            let response = try await transport.send(HTTPRequest(method: method, url: server.url))
            #expect(response.head.status == .ok)
            #expect(!response.head.fields.contains("X-Interim"))
            #expect(try await text(of: response) == (method == .head ? "" : "final"))
        }
        #expect(server.connectionCount == 1)
    }

    @Test(
        "T1 of a length and chunks, the chunks hold, and the connection is not used again", arguments: Subject.allCases)
    func twoFramings(_ subject: Subject) async throws {
        let raw = Self.ok + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        let listener = try Listener()
        listener.serve { connection in
            while connection.readHead() != nil { connection.write(raw) }
        }
        let transport = try subject.make()
        for _ in 0..<2 { #expect(try await text(of: transport.get(listener.url)) == "hello") }
        #expect(listener.connections == 2)
    }

    @Test(
        "T1 the same length said twice is one length", arguments: Subject.allCases, ["5\r\nContent-Length: 5", "5, 5"])
    func sameLengths(_ subject: Subject, _ value: String) async throws {
        let server = try await MockServer { $0.get("/").reply(.raw(Self.ok + "Content-Length: \(value)\r\n\r\nhello")) }
        #expect(try await text(of: subject.make().get(server.url)) == "hello")
    }

    @Test("T1 bytes behind an answer are not taken for the next one", arguments: Subject.allCases)
    func surplus(_ subject: Subject) async throws {
        let listener = try Listener()
        listener.serve { connection in
            while connection.readHead() != nil {
                connection.write(
                    Self.ok + "Content-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
            }
        }
        let transport = try subject.make()
        for _ in 0..<5 { #expect(try await text(of: transport.get(listener.url)) == "ok") }
    }
}
