import GodwitWire
import GodwitTesting
import Testing

@Suite struct MultipartFramingTests {
    private let framing: MultipartFraming

    init() throws {
        framing = try #require(MultipartFraming(boundary: "XX"))
    }

    private func text(_ part: MultipartPart) throws -> String {
        String(decoding: try framing.opening(of: part), as: UTF8.self)
    }

    @Test("B2 a body has CRLF everywhere and a closing boundary")
    func body() throws {
        let png = try #require(MediaType("image/png"))
        var body = try framing.opening(of: MultipartPart(name: "caption"))
        body += Data("Me".utf8) + MultipartFraming.partEnd
        body += try framing.opening(of: MultipartPart(name: "avatar", fileName: "me.png", contentType: png))
        body += Data([1, 2]) + MultipartFraming.partEnd + framing.closing
        let expected = """
            --XX\r\nContent-Disposition: form-data; name="caption"\r\n\r\nMe\r\n--XX\r\nContent-Disposition: form-data; \
            name="avatar"; filename="me.png"\r\nContent-Type: image/png\r\n\r\n\u{1}\u{2}\r\n--XX--\r\n
            """
        #expect(String(decoding: body, as: UTF8.self) == expected)
        #expect(framing.contentType.description == "multipart/form-data; boundary=XX")
    }

    @Test("B2 an empty form is the closing boundary alone")
    func emptyForm() throws {
        #expect(String(decoding: framing.closing, as: UTF8.self) == "--XX--\r\n")
        #expect(try framing.length(of: EmptyCollection()) == 8)
    }

    @Test(
        "B2 quotes and line breaks in names are escaped as browsers do, the rest is raw UTF-8",
        arguments: [
            ("a\"b", "a%22b"), ("a\r\nX: y", "a%0D%0AX: y"), ("a\rb\nc", "a%0Db%0Ac"), ("Bücher.pdf", "Bücher.pdf"),
            ("a%22", "a%22"),
            ("a\\b", "a\\b"), ("", ""), ("\"\u{301}", "%22\u{301}"), (" x ", " x "),
        ])
    func escaping(name: String, expected: String) throws {
        let part = MultipartPart(name: name, fileName: name)
        let line = "Content-Disposition: form-data; name=\"\(expected)\"; filename=\"\(expected)\""
        #expect(try text(part) == "--XX\r\n\(line)\r\n\r\n")
    }

    @Test("B2 further fields are written")
    func furtherFields() throws {
        let part = MultipartPart(name: "a", fields: ["Content-ID": "<1>"])
        #expect(try text(part).hasSuffix("name=\"a\"\r\nContent-ID: <1>\r\n\r\n"))
    }

    @Test(
        "B2 fields that would break the part's header are rejected",
        arguments: [
            MultipartPart(name: "a", fields: ["X-A": "1\r\nX-B: 2"]),
            MultipartPart(name: "a", fields: ["X-A": "\u{0}"]),
            MultipartPart(name: "a\u{0}"), MultipartPart(name: "a", fileName: "\u{0}"),
            MultipartPart(name: "a", fields: ["X A": "1"]), MultipartPart(name: "a", fields: ["X\r\nA": "1"]),
            MultipartPart(name: "a", fields: ["content-disposition": "form-data"]),
            MultipartPart(name: "a", fields: ["content-type": "text/html"]),
        ])
    func refused(part: MultipartPart) {
        #expect(throws: InvalidPart.self) { try framing.opening(of: part) }
        #expect(throws: InvalidPart.self) { try framing.length(of: [part].map { (part: $0, contentLength: 1) }) }
    }

    @Test("B2 the length is known when the parts' are, and is exact")
    func length() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<50 {
            let contents = (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
                Data(count: Int.random(in: 0..<300, using: &generator))
            }
            let parts = contents.enumerated().map { index, content in
                (
                    part: MultipartPart(name: "n\"\(index)", fileName: index == 1 ? "ü" : nil),
                    contentLength: Int64(content.count)
                )
            }
            var body = Data()
            for (content, entry) in zip(contents, parts) {
                body += try framing.opening(of: entry.part) + content + MultipartFraming.partEnd
            }
            body += framing.closing
            #expect(try framing.length(of: parts.map { ($0.part, $0.contentLength) }) == Int64(body.count))
        }
    }

    @Test("B2 the length is unknown if a part's is, or is invalid", arguments: [nil, .max, -1] as [Int64?])
    func unknownLength(contentLength: Int64?) throws {
        let part = MultipartPart(name: "a")
        #expect(try framing.length(of: [1, contentLength, 1].map { (part: part, contentLength: $0) }) == nil)
    }

    @Test("B2 a boundary is legal, random and not quoted")
    func randomBoundaries() {
        var generator = SeededGenerator(seed: 1)
        let made = (0..<200).map { _ in MultipartFraming(using: &generator) }
        #expect(Set(made.map(\.boundary)).count == made.count)
        for framing in made {
            #expect(MultipartFraming(boundary: framing.boundary) == framing)
            #expect(framing.contentType.description == "multipart/form-data; boundary=\(framing.boundary)")
        }
    }

    @Test(
        "B2 a boundary with other characters, or too long, is refused",
        arguments: ["", "a b", "a\r\n", "ü", "a\"", String(repeating: "x", count: 71)])
    func illegalBoundaries(boundary: String) {
        #expect(MultipartFraming(boundary: boundary) == nil)
        #expect(MultipartFraming(boundary: String(repeating: "x", count: 70)) != nil)
    }

    @Test("B2 a boundary that is not a token is quoted in the type")
    func quotedBoundary() throws {
        let framing = try #require(MultipartFraming(boundary: "a:b"))
        #expect(framing.contentType.description == "multipart/form-data; boundary=\"a:b\"")
        #expect(MediaType(framing.contentType.description)?.boundary == "a:b")
    }
}
