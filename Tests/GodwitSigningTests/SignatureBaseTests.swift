import GodwitSigning
import Testing

/// The examples of RFC 9421 section 2.
@Suite("The signature base of a message")
struct SignatureBaseTests {
    private static func lines(
        _ components: [SignatureComponent], _ url: String = "https://www.example.com/path?param=value",
        method: HTTPMethod = .post, _ fields: HTTPFields = [:]
    ) throws -> [String] {
        let request = SignedRequest(method, try HTTPURL(url), fields)
        return try lines(components, .request(request))
    }

    private static func lines(_ components: [SignatureComponent], _ message: SignedMessage) throws -> [String] {
        let base = try SignatureParameters(components).base(of: message)
        return String(decoding: base, as: UTF8.self).split(separator: "\n").dropLast().map(String.init)
    }

    @Test("A8 fields enter as RFC 9421 section 2.1 shows")
    func fields() throws {
        let fields: HTTPFields = [
            "Host": "www.example.com", "Date": "Tue, 20 Apr 2021 02:07:56 GMT",
            "X-OWS-Header": "   Leading and trailing whitespace.   ", "Cache-Control": "max-age=60",
            "Cache-Control": "   must-revalidate", "Example-Dict": " a=1,    b=2;x=1;y=2,   c=(a   b   c)",
            "X-Empty-Header": "",
        ]
        let names: [HTTPField.Name] = [
            "Host", "Date", "X-OWS-Header", "Cache-Control", "Example-Dict", "X-Empty-Header",
        ]
        #expect(
            try Self.lines(names.map { .field($0) }, fields) == [
                "\"host\": www.example.com", "\"date\": Tue, 20 Apr 2021 02:07:56 GMT",
                "\"x-ows-header\": Leading and trailing whitespace.",
                "\"cache-control\": max-age=60, must-revalidate",
                "\"example-dict\": a=1,    b=2;x=1;y=2,   c=(a   b   c)", "\"x-empty-header\": ",
            ])
    }

    @Test("A8 structured fields are rewritten, and members taken out (sections 2.1.1 and 2.1.2)")
    func structured() throws {
        let dictionary: HTTPFields = ["Example-Dict": "a=1, b=2;x=1;y=2, c=(a   b    c), d"]
        #expect(
            try Self.lines([.field("Example-Dict", .structured(.dictionary))], dictionary) == [
                "\"example-dict\";sf: a=1, b=2;x=1;y=2, c=(a b c), d"
            ])
        let keys = ["a", "d", "b", "c"]
        #expect(
            try Self.lines(keys.map { .field("Example-Dict", .member($0)) }, dictionary) == [
                "\"example-dict\";key=\"a\": 1", "\"example-dict\";key=\"d\": ?1",
                "\"example-dict\";key=\"b\": 2;x=1;y=2", "\"example-dict\";key=\"c\": (a b c)",
            ])
    }

    @Test("A8 bytes of fields tell one value with commas from several (section 2.1.3)")
    func bytes() throws {
        let two: HTTPFields = ["Example-Header": "value, with, lots", "Example-Header": "of, commas"]
        let one: HTTPFields = ["Example-Header": "value, with, lots, of, commas"]
        let component = SignatureComponent.field("Example-Header", .bytes)
        #expect(
            try Self.lines([component], two) == [
                "\"example-header\";bs: :dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:"
            ])
        #expect(
            try Self.lines([component], one) == [
                "\"example-header\";bs: :dmFsdWUsIHdpdGgsIGxvdHMsIG9mLCBjb21tYXM=:"
            ])
        #expect(try Self.lines([.field("X-Name", .bytes)], ["X-Name": "Fü"]) == ["\"x-name\";bs: :RsO8:"])
    }

    @Test("A8 what is derived of a request (section 2.2)")
    func derived() throws {
        #expect(
            try Self.lines([.method, .targetURI, .authority, .scheme, .requestTarget, .path, .query]) == [
                "\"@method\": POST", "\"@target-uri\": https://www.example.com/path?param=value",
                "\"@authority\": www.example.com", "\"@scheme\": https", "\"@request-target\": /path?param=value",
                "\"@path\": /path", "\"@query\": ?param=value",
            ])
        let query = "http://www.Example.com:80/path?param=value&foo=bar&baz=bat%2Dman"
        #expect(
            try Self.lines([.query, .authority, .scheme], query) == [
                "\"@query\": ?param=value&foo=bar&baz=bat%2Dman", "\"@authority\": www.example.com",
                "\"@scheme\": http",
            ])
        #expect(try Self.lines([.query], "https://a.example/path?queryString") == ["\"@query\": ?queryString"])
        #expect(try Self.lines([.query, .path], "https://a.example") == ["\"@query\": ?", "\"@path\": /"])
        #expect(try Self.lines([.authority], "https://a.example:8443/") == ["\"@authority\": a.example:8443"])
    }

    @Test("A8 items of the query are decoded and encoded in one way (section 2.2.8)")
    func queryParameters() throws {
        let url = "https://www.example.com/path?param=value&foo=bar&baz=batman&qux="
        #expect(
            try Self.lines(["baz", "qux", "param"].map { .queryParameter($0) }, url) == [
                "\"@query-param\";name=\"baz\": batman", "\"@query-param\";name=\"qux\": ",
                "\"@query-param\";name=\"param\": value",
            ])
        let wild =
            "https://www.example.com/parameters?var=this%20is%20a%20big%0Amultiline%20value&"
            + "bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something"
        #expect(
            try Self.lines(["var", "bar", "façade\": "].map { .queryParameter($0) }, wild) == [
                "\"@query-param\";name=\"var\": this%20is%20a%20big%0Amultiline%20value",
                "\"@query-param\";name=\"bar\": with%20plus%20whitespace",
                "\"@query-param\";name=\"fa%C3%A7ade%22%3A%20\": something",
            ])
    }

    @Test("A8 a response's signature covers its status, and parts of the request (sections 2.2.9 and 2.4)")
    func responses() throws {
        let request = SignedRequest(
            .post, try HTTPURL("https://example.com/foo?param=Value&Pet=dog"), [.contentType: "application/json"])
        let response = SignedMessage.response(.serviceUnavailable, [.contentType: "text/plain"], to: request)
        let components: [SignatureComponent] = [
            .status, .field(.contentType), .authority.ofRequest, .method.ofRequest, .field(.contentType).ofRequest,
            .queryParameter("Pet").ofRequest,
        ]
        #expect(
            try Self.lines(components, response) == [
                "\"@status\": 503", "\"content-type\": text/plain", "\"@authority\";req: example.com",
                "\"@method\";req: POST", "\"content-type\";req: application/json",
                "\"@query-param\";name=\"Pet\";req: dog",
            ])
        #expect(throws: SignatureFault("\"@method\";req needs the request")) {
            try Self.lines([.method.ofRequest], .response(.ok, [:], to: nil))
        }
    }

    @Test("A8 the last line is the parameters, in their order (section 2.3)")
    func parameters() throws {
        let date = Date(timeIntervalSince1970: 1_618_884_475)
        let parameters = SignatureParameters(
            [.targetURI, .field(.date)], created: date, keyID: "k\"1", algorithm: "rsa-pss-sha512",
            expires: date.addingTimeInterval(300), nonce: "n", tag: "t")
        let request = SignedRequest(.get, try HTTPURL("https://a.example/"), [.date: "x"])
        let last = String(decoding: try parameters.base(of: .request(request)), as: UTF8.self).split(separator: "\n")
            .last
        #expect(
            last.map(String.init)
                == "\"@signature-params\": (\"@target-uri\" \"date\");created=1618884475;keyid=\"k\\\"1\";"
                + "alg=\"rsa-pss-sha512\";expires=1618884775;nonce=\"n\";tag=\"t\"")
    }

    @Test(
        "A8 what can't be covered fails with the reason (section 2.5)",
        arguments: [
            ("\"x-missing\"", "the message has no \"x-missing\""),
            ("\"@status\"", "\"@status\" isn't a part of this message"),
            ("\"@method\";req", "\"@method\";req is for responses"),
            ("\"@method\";key=\"a\"", "\"@method\";key=\"a\" isn't a part of this message"),
            ("\"@nothing\"", "\"@nothing\" isn't a part of this message"),
            ("\"@query-param\"", "\"@query-param\" isn't a part of this message"),
            (
                "\"@query-param\";name=\"none\"", "the query has no item for \"@query-param\";name=\"none\""
            ),
            (
                "\"@query-param\";name=\"two\"",
                "the query has more than one item for \"@query-param\";name=\"two\""
            ),
            ("\"x-dict\";key=\"z\"", "the message has no \"x-dict\";key=\"z\""),
            ("\"x-dict\";sf", "\"x-dict\";sf: the type of this structured field isn't known"),
            ("\"priority\";sf", "\"priority\";sf isn't a structured field"),
            ("\"x-dict\";bs;sf", "\"x-dict\";bs;sf has parameters that exclude each other"),
            ("\"x-dict\";tr", "\"x-dict\";tr: trailers aren't signed"),
            ("\"x-dict\";new", "\"x-dict\";new isn't a part of this message"),
            ("\"X-Dict\"", "\"X-Dict\" isn't a part of this message"),
            ("\"x-name\"", "the value of \"x-name\" isn't ASCII; cover its bytes (;bs) instead"),
            ("\"\"", "a component has a name or parameter that isn't ASCII text"),
        ])
    func refused(component: String, reason: String) throws {
        let item = try #require(StructuredParser.item(component))
        let fields: HTTPFields = ["X-Dict": "a=1", "Priority": "u=", "X-Name": "Fü"]
        #expect(throws: SignatureFault(reason)) {
            try Self.lines([SignatureComponent(item)], "https://a.example/?two=1&two=2", fields)
        }
    }

    @Test("A8 a component is covered once, and no parameter breaks out of its line")
    func duplicates() throws {
        #expect(throws: SignatureFault("\"@method\" is covered twice")) { try Self.lines([.method, .method]) }
        let request = SignedRequest(.get, try HTTPURL("https://a.example/"), [:])
        #expect(throws: SignatureFault("a parameter isn't ASCII text")) {
            try SignatureParameters([.method], keyID: "a\n\"@method\": DELETE").base(of: .request(request))
        }
    }
}

extension SignatureBaseTests {
    private static func lines(_ components: [SignatureComponent], _ fields: HTTPFields) throws -> [String] {
        try lines(components, "https://www.example.com/", method: .post, fields)
    }
}
