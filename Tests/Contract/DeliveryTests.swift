import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Contract: deliveries", .timeLimit(.minutes(15)))
struct DeliveryTests {
    @Test("T1 I10 a buffered response has status, fields, body and request", arguments: Subject.allCases)
    func buffered(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/a").reply(.text("hello", status: .created).field("X-One", "1"))
        }
        let response = try await subject.make().get(server.at("/a?b=c%20d"))
        #expect(response.head.status == .created)
        #expect(response.head.fields["x-one"] == "1")
        #expect(response.head.fields[.contentLength] == "5")
        #expect(try await text(of: response) == "hello")
        #expect(response.body.isReplayable)
        #expect(response.request.url == (try server.at("/a?b=c%20d")))
        #expect(server.requests.map(\.target) == ["/a?b=c%20d"])
    }

    @Test("T1 a streamed response returns before its body is complete", arguments: Subject.allCases)
    func streamed(_ subject: Subject) async throws {
        let source = Source(Data("first".utf8), times: 1, then: .wait)
        let server = try await MockServer { $0.get("/").reply(.stream(once: source)) }
        let response = try await subject.make().get(server.url, .streamed)
        #expect(response.head.status == .ok)
        var chunks = response.body.makeAsyncIterator()
        #expect(try await chunks.next() == Data("first".utf8))
    }

    @Test("T1 a response to a file is in the file, which is replaced", arguments: Subject.allCases)
    func toFile(_ subject: Subject) async throws {
        let folder = TemporaryFolder()
        let file = try folder.file("a.bin", Data("something longer than before".utf8))
        let server = try await MockServer { $0.get("/").reply(.text("new content")) }
        let response = try await subject.make().get(server.url, .file(file))
        #expect(try Data(contentsOf: file) == Data("new content".utf8))
        #expect(try await text(of: response) == "new content")
    }

    @Test(
        "T1 a body of several megabytes arrives intact in every framing",
        arguments: Subject.allCases, [MockResponse.Framing.automatic, .chunked, .untilClose])
    func large(_ subject: Subject, _ framing: MockResponse.Framing) async throws {
        let data = Samples.data(5_000_011)
        let folder = TemporaryFolder()
        let server = try await MockServer { $0.get("/").reply(.bytes(data).framed(framing)) }
        let transport = try subject.make()
        #expect(try await bytes(of: transport.get(server.url)) == data)
        #expect(try await bytes(of: transport.get(server.url, .streamed)) == data)
        _ = try await transport.get(server.url, .file(folder.path("a")))
        #expect(try Data(contentsOf: folder.path("a")) == data)
    }

    @Test(
        "T1 every method reaches the server", arguments: Subject.allCases,
        [
            HTTPMethod.get, .post, .put, .patch, .delete, .options, .trace, HTTPMethod("PROPFIND"),
            HTTPMethod("M-SEARCH"),
        ])
    func methods(_ subject: Subject, _ method: HTTPMethod?) async throws {
        let method = try #require(method)
        let server = try await MockServer { .text($0.method.rawValue) }
        let response = try await subject.make().send(HTTPRequest(method: method, url: server.url))
        #expect(try await text(of: response) == method.rawValue)
        let request = try #require(server.requests.first)
        #expect(request.bodyByteCount == 0)
        #expect(request.fields[.contentLength] == ([.post, .put, .patch].contains(method) ? "0" : nil))
    }

    @Test("T2 one handle after the other: no method leaves anything behind for the next", arguments: Subject.allCases)
    func methodsInTurn(_ subject: Subject) async throws {
        let server = try await MockServer { .text("\($0.method) \($0.text)") }
        let transport = try subject.make()
        let methods: [HTTPMethod] = [.get, .head, .post, .get, .delete, .put, .head, .options, .get, .patch, .delete]
        for (index, method) in (methods + methods.reversed()).enumerated() {
            let body: HTTPBody? = method == .head || index % 3 == 0 ? nil : .bytes(Data("body \(index)".utf8))
            let response = try await transport.send(HTTPRequest(method: method, url: server.url, body: body))
            let sent = body == nil ? "" : "body \(index)"
            #expect(try await text(of: response) == (method == .head ? "" : "\(method) \(sent)"))
            #expect(server.requests.last?.fields.contains(.transferEncoding) == false)
            #expect(server.requests.last?.fields.contains("Expect") == false)
        }
        #expect(server.connectionCount == 1)
    }

    @Test("T1 an empty body is empty in every delivery", arguments: Subject.allCases, [true, false])
    func empty(_ subject: Subject, chunked: Bool) async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { $0.get("/").reply(.bytes(Data()).framed(chunked ? .chunked : .automatic)) }
        let transport = try subject.make()
        #expect(try await bytes(of: transport.get(server.url)).isEmpty)
        #expect(try await bytes(of: transport.get(server.url, .streamed)).isEmpty)
        _ = try await transport.get(server.url, .file(folder.path("a")))
        #expect(try Data(contentsOf: folder.path("a")).isEmpty)
        #expect(server.connectionCount == 1)
    }

    @Test("T1 HEAD, 204 and 304 have no body, whatever their fields say", arguments: Subject.allCases)
    func bodiless(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.head("/head").reply(MockResponse(fields: [.contentLength: "1000", .contentEncoding: "gzip"]))
            $0.get("/204").reply(MockResponse(status: .noContent))
            $0.get("/304").reply(MockResponse(status: .notModified, fields: [.contentLength: "1000", .etag: "\"1\""]))
        }
        let transport = try subject.make()
        for (method, path) in [(HTTPMethod.head, "/head"), (.get, "/204"), (.get, "/304")] {
            for delivery in [Delivery.buffered, .streamed] {
                let request = HTTPRequest(method: method, url: try server.at(path), delivery: delivery)
                let response = try await transport.send(request)
                #expect(try await bytes(of: response).isEmpty)
                #expect(response.head.fields[.contentLength] == (path == "/204" ? nil : "1000"))
                #expect(response.head.fields[.contentEncoding] == (path == "/head" ? "gzip" : nil))
            }
        }
        #expect(server.connectionCount == 1)
    }

    @Test("U7 I10 response fields keep order and duplicates", arguments: Subject.allCases)
    func fieldOrder(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/").reply(
                .raw("HTTP/1.1 200 OK\r\nB: 1\r\nA: 2\r\nb: 3\r\nSet-Cookie: x=1\r\nset-cookie: y=2\r\nE:\r\n\r\n"))
        }
        let fields = try await subject.make().get(server.url).head.fields
        #expect(
            fields.map(\.description) == ["B: 1", "A: 2", "b: 3"]
                + ["Set-Cookie", "set-cookie"].map { "\($0): <redacted>" }
                + ["E: "])
        #expect(fields.values(of: .setCookie) == ["x=1", "y=2"])
    }

    @Test("U7 request fields keep order, duplicates, empty values and non-ASCII text", arguments: Subject.allCases)
    func requestFields(_ subject: Subject) async throws {
        let server = try await MockServer { _ in .text("ok") }
        let wanted: [(HTTPField.Name, String)] = [
            ("X-B", "1"), ("X-A", "2"), ("x-b", "3"), ("X-Empty", ""), ("X-Text", "Ngāire ✓"), ("X-Colon", "a: b; c"),
            ("User-Agent", "godwit"), ("Accept", "text/plain"),
        ]
        _ = try await subject.make().get(server.url) { request in
            for (name, value) in wanted { request.fields.append(value, for: name) }
        }
        let names = wanted.map(\.0)
        let received = try #require(server.requests.first).fields.filter { names.contains($0.name) }
        #expect(received.map(\.name.rawName) == wanted.map(\.0.rawName))
        #expect(received.map(\.value) == wanted.map(\.1))
    }

    @Test("T1 nothing is added that the request does not say, but what HTTP needs", arguments: Subject.allCases)
    func nothingAdded(_ subject: Subject) async throws {
        let server = try await MockServer { _ in .text("ok") }
        let transport = try subject.make()
        _ = try await transport.get(server.url)
        _ = try await transport.send(.upload("x", to: server.url, .post))
        let names = server.requests.map { Set($0.fields.map(\.name.canonicalName)) }
        #expect(names[0].subtracting(["host", "accept-encoding", "connection"]).isEmpty)
        #expect(names[1].subtracting(["host", "accept-encoding", "connection", "content-length"]).isEmpty)
    }

    @Test("U7 field values in Latin-1 are read as such, those in UTF-8 too", arguments: Subject.allCases)
    func latin1(_ subject: Subject) async throws {
        let head = Data("HTTP/1.1 200 OK\r\nX-Utf: ✓é\r\nContent-Length: 0\r\nX-Latin: caf".utf8)
        let server = try await MockServer { $0.get("/").reply(.raw(head + [0xE9] + Data("\r\n\r\n".utf8))) }
        let fields = try await subject.make().get(server.url).head.fields
        #expect(fields["X-Latin"] == "café")
        #expect(fields["X-Utf"] == "✓é")
    }

    @Test("U7 a folded field line is joined with a space", arguments: Subject.allCases)
    func folded(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/").reply(
                .raw("HTTP/1.1 200 OK\r\nX-Long: one\r\n   two\r\n\tthree\r\nContent-Length: 2\r\n\r\nok"))
        }
        let response = try await subject.make().get(server.url)
        #expect(response.head.fields["X-Long"] == "one two three")
        #expect(try await text(of: response) == "ok")
    }

    @Test("T1 trailers do not disturb the body", arguments: Subject.allCases)
    func trailers(_ subject: Subject) async throws {
        var answer = MockResponse.chunks([Data("abc".utf8), Data("def".utf8)])
        answer.trailers = ["Digest": "x", "Content-Length": "99"]
        let scripted = answer
        let server = try await MockServer { $0.get("/").reply(scripted) }
        let transport = try subject.make()
        for _ in 0..<2 {
            let response = try await transport.get(server.url)
            #expect(try await text(of: response) == "abcdef")
            #expect(!response.head.fields.contains(.contentLength))
        }
        #expect(server.connectionCount == 1)
    }

    @Test("T1 an answer in HTTP/1.0 ends with its connection", arguments: Subject.allCases)
    func http10(_ subject: Subject) async throws {
        let server = try await MockServer { $0.get("/").reply(.raw("HTTP/1.0 200 OK\r\n\r\nold")) }
        let response = try await subject.make().get(server.url)
        #expect(try await text(of: response) == "old")
        #expect(response.metrics.protocolVersion == .http1_0)
    }

    @Test("T1 an error's body is buffered and never written to the file", arguments: Subject.allCases, [301, 404, 503])
    func errorToFile(_ subject: Subject, _ status: Int) async throws {
        let folder = TemporaryFolder()
        let file = try folder.file("kept", Data("kept".utf8))
        let code = try #require(HTTPStatus(status))
        let server = try await MockServer { $0.get("/").reply(.text("no", status: code)) }
        let transport = try subject.make()
        let response = try await transport.get(server.url, .file(file))
        #expect(response.head.status.code == status)
        #expect(try await text(of: response) == "no")
        #expect(try Data(contentsOf: file) == Data("kept".utf8))
        _ = try await transport.get(server.url, .file(folder.path("new")))
        #expect(!TemporaryFolder.exists(folder.path("new")))
    }

    @Test("T1 a file that cannot be made is .file, and names it", arguments: Subject.allCases)
    func impossibleFile(_ subject: Subject) async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let transport = try subject.make()
        let error = await transport.failure(of: .get(server.url, .file(folder.path("none").appending(path: "a.bin"))))
        #expect(error?.shortDescription == "file")
        #expect(error?.description.contains("cannot create a.bin: No such file or directory") == true)
        #expect(try await transport.stillWorks(with: server))
    }

    /// One head as it goes over the wire, and what has to be read from it.
    private struct Head: Sendable {
        let lines: String
        let status: Int
        let fields: [String]

        /// Few different lines, so that heads on one connection often begin alike.
        static func random() -> Head {
            let interim = Int.random(in: 0..<8) == 0 ? "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" : ""
            let status = [200, 200, 200, 404].randomElement() ?? 200
            var lines = interim + "HTTP/1.1 \(status) Fine\r\nContent-Length: 0\r\n"
            var fields = ["Content-Length: 0"]
            for _ in 0..<Int.random(in: 0..<5) {
                var field = "X-\(["A", "B", "a"].randomElement() ?? "A"): \(Int.random(in: 0..<2))"
                lines += field + "\r\n"
                if Int.random(in: 0..<10) == 0 {
                    lines += " folded\r\n"
                    field += " folded"
                }
                fields.append(field)
            }
            return Head(lines: lines + "\r\n", status: status, fields: fields)
        }
    }

    @Test("U7 heads that resemble those before them are still read as they are", arguments: Subject.allCases)
    func similarHeads(_ subject: Subject) async throws {
        let heads = (0..<400).map { _ in Head.random() }
        let listener = try Listener()
        listener.serve { connection in
            for head in heads where connection.readHead() != nil { connection.write(head.lines) }
        }
        let transport = try subject.make()
        for head in heads {
            let response = try await transport.get(listener.url)
            #expect(response.head.status.code == head.status)
            #expect(response.head.fields.map(\.description) == head.fields, "\(head.lines)")
        }
        #expect(listener.connections == 1)
    }
}
