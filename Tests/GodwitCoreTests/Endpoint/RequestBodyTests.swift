import GodwitCore
import TestSupport
import Testing

@Suite("E2 request bodies", .timeLimit(.minutes(15)))
struct RequestBodyTests {
    private let coding = JSONCoding(keys: .snakeCase)

    private let folder = TemporaryFolder()

    @Test("E2 JSON is written when it is sent, as the client's coding says")
    func json() async throws {
        struct Input: Encodable { var firstName: String }
        let body = RequestBody.json(Input(firstName: "Ann"))
        #expect(body.contentType == "application/json")
        #expect(try await body.encoded(with: coding).text() == #"{"first_name":"Ann"}"#)
        #expect(try await body.encoded(with: JSONCoding()).text() == #"{"firstName":"Ann"}"#)
    }

    @Test("B3 a form writes space as + and omits nil")
    func form() async throws {
        let body = RequestBody.form(["a b": "c d", "plus": "+", "none": nil as Int?])
        #expect(body.contentType == "application/x-www-form-urlencoded")
        #expect(try await body.encoded(with: coding).text() == "a+b=c+d&plus=%2B")
    }

    @Test("E2 bytes, text and streams have their type")
    func plain() async throws {
        #expect(RequestBody.data(Data([1])).contentType == "application/octet-stream")
        #expect(RequestBody.data(Data([1]), type: .json).contentType == "application/json")
        #expect(try RequestBody.text("é").encoded(with: coding).length == 2)
        let stream = RequestBody.stream(.stream { Chunks(["a", "b"]) }, type: .text)
        #expect(stream.contentType == "text/plain; charset=utf-8")
        #expect(try await stream.encoded(with: coding).text() == "ab")
    }

    @Test("E2 a file is streamed, of the type its extension tells")
    func file() async throws {
        let file = folder.url.appending(path: "photo.png")
        try Data("pixels".utf8).write(to: file)
        let body = RequestBody.file(at: file)
        #expect(body.contentType == "image/png")
        let encoded = try body.encoded(with: coding)
        #expect(encoded.length == 6)
        #expect(encoded.isReplayable)
        #expect(try await encoded.text() == "pixels")
    }

    @Test("E2 a missing file is reported before anything is sent")
    func missingFile() async throws {
        let transport = ScriptedTransport()
        let missing = folder.url.appending(path: "missing.png")
        let bodies: [RequestBody] = [.file(at: missing), .multipart { $0.file("a", at: missing) }]
        for body in bodies {
            let error = try #require(await articles(transport).failure(of: Endpoint<Void>.put("a", body: body)))
            #expect(error.shortDescription == "file")
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("B2 the parts of a name have header fields of their own; those that their name and type make are refused")
    func partFields() async throws {
        var form = MultipartForm()
        form.data("a", Data("1".utf8), type: .json)
        form.field("b", "2")
        form.header("X-Rank", "1", of: "a")
        form.header("X-Rank", "2", of: "a")
        form.header("X-Rank", nil, of: "b")
        form.header("X-Rank", "3", of: "c")
        let text = try await RequestBody.multipart(form).encoded(with: coding).text()
        #expect(text.contains("name=\"a\"\r\nContent-Type: application/json\r\nX-Rank: 2\r\n\r\n1\r\n"))
        #expect(text.ranges(of: "X-Rank").count == 1)
        for (name, value) in [("Content-Type", "text/plain"), ("Content-Disposition", "x"), ("X-A", "a\r\nB: c")] {
            let error = #expect(throws: NetworkError.self) {
                try RequestBody.multipart {
                    $0.field("a", "b")
                    $0.header(HTTPField.Name(name) ?? .accept, value, of: "a")
                }.encoded(with: coding)
            }
            guard case .encoding? = error?.kind else { Issue.record("\(name): \(String(describing: error))"); continue }
        }
    }

    @Test("B2 a form with fields, data, files and streams is written as RFC 7578 says")
    func multipart() async throws {
        let file = folder.url.appending(path: "a.txt")
        try Data("file".utf8).write(to: file)
        var form = MultipartForm()
        form.field("caption", "Me")
        form.field("ids", [1, 2])
        form.field("none", nil)
        form.data("blob", Data([0x41]), fileName: "b.bin", type: .octetStream)
        form.file("text", at: file)
        form.stream(
            "stream", .stream(length: 2) { Chunks(["x", "y"]) }, fileName: "s\"\r\n.png", type: MediaType("image/png"))
        let boundary = try #require(form.contentType.boundary)
        let body = try RequestBody.multipart(form).encoded(with: coding)
        let expected = """
            --B\r
            Content-Disposition: form-data; name="caption"\r
            \r
            Me\r
            --B\r
            Content-Disposition: form-data; name="ids"\r
            \r
            1\r
            --B\r
            Content-Disposition: form-data; name="ids"\r
            \r
            2\r
            --B\r
            Content-Disposition: form-data; name="blob"; filename="b.bin"\r
            Content-Type: application/octet-stream\r
            \r
            A\r
            --B\r
            Content-Disposition: form-data; name="text"; filename="a.txt"\r
            Content-Type: text/plain; charset=utf-8\r
            \r
            file\r
            --B\r
            Content-Disposition: form-data; name="stream"; filename="s%22%0D%0A.png"\r
            Content-Type: image/png\r
            \r
            xy\r
            --B--\r

            """.split(separator: "--B", omittingEmptySubsequences: false).joined(separator: "--\(boundary)")
        let text = try await body.text()
        #expect(text == expected)
        #expect(body.length == Int64(text.utf8.count))
        #expect(body.isReplayable)
        #expect(try await body.text() == text)
    }

    @Test("B2 the type names the boundary")
    func boundary() throws {
        var form = MultipartForm()
        form.field("a", "b")
        #expect(
            RequestBody.multipart(form).contentType
                == "multipart/form-data; boundary=\(try #require(form.contentType.boundary))")
        #expect(MultipartForm().contentType != form.contentType)
    }

    @Test("B2 a stream of unknown length leaves the length open, one that is read once cannot be replayed")
    func unknown() async throws {
        let open = try RequestBody.multipart { $0.stream("a", .stream { Chunks(["x"]) }, fileName: "a") }.encoded(
            with: coding)
        #expect(open.length == nil)
        #expect(open.isReplayable)
        let once = try RequestBody.multipart { $0.stream("a", .stream(once: Chunks(["x"]), length: 1), fileName: "a") }
            .encoded(with: coding)
        #expect(once.length != nil)
        #expect(!once.isReplayable)
        #expect(try await once.text().contains("\r\n\r\nx\r\n"))
    }

    @Test("B2 a file is read in blocks and never held as a whole")
    func blocks() async throws {
        let file = folder.url.appending(path: "big.bin")
        try Data(repeating: 7, count: 1 << 20).write(to: file)
        let body = try RequestBody.multipart { $0.file("big", at: file) }.encoded(with: coding)
        var largest = 0
        var total: Int64 = 0
        for try await chunk in body {
            largest = max(largest, chunk.count)
            total += Int64(chunk.count)
        }
        #expect(largest <= 128 << 10)
        #expect(total == body.length)
    }

    @Test("B2 a file that grows after the form was made is sent as long as it was")
    func growing() async throws {
        let file = folder.url.appending(path: "log.txt")
        try Data("1234".utf8).write(to: file)
        let body = try RequestBody.multipart { $0.file("log", at: file) }.encoded(with: coding)
        try Data("12345678".utf8).write(to: file)
        let text = try await body.text()
        #expect(Int64(text.utf8.count) == body.length)
        #expect(text.contains("\r\n\r\n1234\r\n--"))
    }
}

/// Texts as a sequence of chunks.
struct Chunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = Never

    private let texts: [String]

    init(_ texts: [String]) {
        self.texts = texts
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(texts: texts.makeIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        var texts: [String].Iterator

        mutating func next() async -> Data? {
            texts.next().map { Data($0.utf8) }
        }
    }
}
