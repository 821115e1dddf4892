@testable import GodwitWire
import Testing

@Suite struct HTTPFieldTests {
    @Test("U7 names compare and hash ignoring case")
    func namesWithoutCase() {
        let spellings: Set<HTTPField.Name> = ["content-type", "Content-Type", "CONTENT-TYPE", .contentType]
        #expect(spellings.count == 1)
        #expect(HTTPField.Name("X-A") != HTTPField.Name("X-B"))
        #expect(HTTPField.Name.etag.canonicalName == "etag")
        #expect(HTTPField.Name("ETAG").rawName == "ETAG", "the caller's spelling is kept")
    }

    @Test("U7 bytes that differ by 0x20 without being letters are not equal")
    func onlyLettersFold() {
        #expect(HTTPField.Name("a^b") != HTTPField.Name("a~b"))
        #expect(!"@".equalsIgnoringASCIICase("`"))
        #expect(!"\u{E9}".equalsIgnoringASCIICase("e\u{301}"), "no Unicode equivalence: other bytes, other name")
    }

    @Test("U7 a name that is not a token is refused", arguments: ["", "A B", "A:", "A\r\nB", "A\u{0}", "Ä", "(a)"])
    func illegalNames(text: String) {
        #expect(HTTPField.Name(text) == nil)
        #expect(!HTTPField.Name(stringLiteral: text).isValid)
        #expect(HTTPField(name: HTTPField.Name(stringLiteral: text), value: "1") == nil)
    }

    @Test(
        "U7 CR, LF and NUL in a value are refused", arguments: ["a\rb", "a\nb", "a\r\nX: 1", "\u{0}", "a\n", "\r\n b"])
    func illegalValues(value: String) {
        #expect(HTTPField(name: "X-A", value: value) == nil)
    }

    @Test(
        "U7 blanks around a value are removed",
        arguments: [(" a b\t", "a b"), ("", ""), (" \t ", ""), ("a", "a")])
    func trimming(given: String, kept: String) {
        #expect(HTTPField(name: "X-A", value: given)?.value == kept)
        let fields: HTTPFields = ["X-A": given]
        #expect(fields["X-A"] == kept)
    }

    @Test(
        "M2 a value that may be secret is redacted",
        arguments: ["Authorization", "cookie", "X-API-KEY", "set-cookie"])
    func redaction(name: String) throws {
        let name = try #require(HTTPField.Name(name))
        let field = try #require(HTTPField(name: name, value: "s3cret"))
        #expect(name.isSensitive)
        #expect(!field.description.contains("s3cret"))
        #expect(!HTTPFields([field]).description.contains("s3cret"))
        #expect(HTTPField(name: .accept, value: "text/html")?.description == "Accept: text/html")
    }

    @Test(
        "U8 fields that frame the message are reserved for the transport",
        arguments: [
            "content-length", "Transfer-Encoding", "HOST", "Connection", "Keep-Alive", "Upgrade", "TE", "Trailer",
        ])
    func reserved(name: String) throws {
        let name = try #require(HTTPField.Name(name))
        #expect(name.isReservedForTransport)
        var fields: HTTPFields = [.accept: "*/*"]
        #expect(fields.firstFault == nil)
        fields.append("1", for: name)
        #expect(fields.firstFault?.name == name)
    }
}
