import GodwitWire
import GodwitTesting
import Testing

@Suite struct EndpointPathTests {
    private enum Section: String { case news = "new/s" }

    private enum Loud: String, CustomStringConvertible {
        case quiet = "raw value"
        var description: String { "for people" }
    }

    private func resolved(_ path: EndpointPath, _ base: String = "https://h/v1", _ query: QueryItems = [:]) throws
        -> String
    {
        try path.appended(to: HTTPURL(base), query: query).absoluteString
    }

    @Test(
        "U1 a path is appended to the base path, without // or loss",
        arguments: [
            ("https://h", "a", "https://h/a"), ("https://h/", "a", "https://h/a"),
            ("https://h/v1", "a", "https://h/v1/a"),
            ("https://h/v1/", "a", "https://h/v1/a"), ("https://h/v1/", "/a", "https://h/v1/a"),
            ("https://h/v1", "/a/", "https://h/v1/a/"), ("https://h/v1//", "a", "https://h/v1/a"),
            ("https://h/v1", "", "https://h/v1"), ("https://h/v1/", "", "https://h/v1/"),
            ("https://h", "", "https://h/"),
            ("https://h/v1", "/", "https://h/v1/"), ("https://h", "/", "https://h/"),
            ("https://h:81/v%2F1", "a", "https://h:81/v%2F1/a"),
            ("https://h", "ü;v=1:2@", "https://h/%C3%BC;v=1:2@"), ("https://h", "a%2Fb", "https://h/a%2Fb"),
        ])
    func joining(base: String, path: String, expected: String) throws {
        #expect(try resolved(EndpointPath(template: path), base) == expected)
    }

    @Test(
        "U1 a joined URL has the right parts",
        arguments: [
            ("https://h/v1?key=1", "a/b", "/v1/a/b", "key=1&q=2"), ("https://h", "", "/", "q=2"),
            ("https://[::1]:81/v1//", "/a/", "/v1/a/", "q=2"),
        ])
    func parts(base: String, path: String, expectedPath: String, expectedQuery: String) throws {
        let url = try EndpointPath(template: path).appended(to: HTTPURL(base), query: ["q": 2])
        #expect(url.path == expectedPath)
        #expect(url.query == expectedQuery)
        #expect(try url == HTTPURL(url.absoluteString))
        #expect(try url.origin == HTTPURL(base).origin)
    }

    @Test("U1 the base's query comes first, its fragment is dropped")
    func baseQuery() throws {
        #expect(try resolved("a", "https://h/v1?key=1#f", ["q": 2]) == "https://h/v1/a?key=1&q=2")
        #expect(try resolved("a", "https://h/v1?key=1") == "https://h/v1/a?key=1")
        #expect(try resolved("a", "https://h/v1?", ["q": 2]) == "https://h/v1/a?q=2")
        #expect(try EndpointPath(template: "a").appended(to: HTTPURL("https://h/#f"), query: [:]).fragment == nil)
    }

    @Test(
        "U1 a value cannot leave its segment",
        arguments: [
            ("a/b", "a%2Fb"), ("../x", "..%2Fx"), ("a?b#c", "a%3Fb%23c"), ("a\\b", "a%5Cb"), ("a b", "a%20b"),
            ("%2e%2e", "%252e%252e"),
            ("ü", "%C3%BC"), ("a;b", "a%3Bb"), ("\r\n", "%0D%0A"), ("...", "..."), ("//h", "%2F%2Fh"), ("a+b", "a%2Bb"),
        ])
    func values(value: String, expected: String) throws {
        #expect(try resolved("x/\(value)/y") == "https://h/v1/x/\(expected)/y")
        #expect(try resolved(EndpointPath(encoding: ["x", value])) == "https://h/v1/x/\(expected)")
        #expect(try HTTPURL(resolved("x/\(value)/y")).absoluteString == "https://h/v1/x/\(expected)/y")
    }

    @Test(
        "U1 text in a variable is a path: slashes separate segments, the rest is encoded",
        arguments: [
            ("articles/7", "articles/7"), ("/articles/7/", "articles/7/"), ("a b/ü", "a%20b/%C3%BC"),
            ("100%/a%2Fb", "100%25/a%252Fb"), ("what?/page=2", "what%3F/page=2"), ("c#/x", "c%23/x"),
            ("a\\b", "a%5Cb"), ("a\r\nb", "a%0D%0Ab"), ("%2e%2e/x", "%252e%252e/x"), ("a;b+c", "a%3Bb%2Bc"),
            (".../x", ".../x"),
        ])
    func text(text: String, expected: String) throws {
        #expect(try resolved(EndpointPath(text)) == "https://h/v1/\(expected)")
        #expect(try resolved(EndpointPath(text[...])) == "https://h/v1/\(expected)")
    }

    @Test("U1 empty text is the base itself")
    func emptyText() throws {
        let text = ""
        #expect(try resolved(EndpointPath(text)) == "https://h/v1")
    }

    @Test(
        "U5 text can't leave the base: dots, an empty segment and an absolute URL are rejected",
        arguments: [
            ("../x", "."), ("a/../b", "."), ("a/.", "."), ("..", "."), ("a//b", "//"), ("//evil.example/x", "//"),
            ("https://evil.example/x", "HTTPRequest(url:)"),
        ])
    func escapingText(text: String, hint: String) throws {
        let error = try #require(throws: InvalidURL.self) { try resolved(EndpointPath(text)) }
        #expect(error.reason.contains(hint))
    }

    @Test("U1 numbers, identifiers and raw values can be path values")
    func valueKinds() throws {
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(try resolved("a/\(42)/\(uuid)") == "https://h/v1/a/42/E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        #expect(try resolved("\(Section.news).json") == "https://h/v1/new%2Fs.json")
        #expect(try resolved("\(Loud.quiet)") == "https://h/v1/raw%20value")
        #expect(try resolved("\("abc".dropFirst())") == "https://h/v1/bc")
    }

    @Test("U5 an empty value or dots as a value are refused", arguments: ["", ".", ".."])
    func refusedValues(value: String) {
        #expect(throws: InvalidURL.self) { try resolved("a/\(value)/b") }
        #expect(throws: InvalidURL.self) { try resolved("a/x\(value)") }
        #expect(throws: InvalidURL.self) { try resolved(EndpointPath(encoding: ["a", value])) }
    }

    @Test(
        "U5 an invalid template is rejected with the reason",
        arguments: [
            ("a b", "space"), ("a?b=1", "query"), ("a#b", "%23"), ("a\\b", "backslash"), ("a\nb", "control"),
            ("a\u{7F}", "control"),
            ("a%", "hexadecimal"), ("a%zz", "hexadecimal"), ("../a", ".."), ("a/..", ".."), ("a/./b", ".."),
            ("a/%2E%2e/b", ".."),
            ("a//b", "//"), ("//h/a", "//"), ("a//", "//"), ("a?\u{301}", "query"),
        ])
    func refusedTemplates(template: String, reason: String) {
        let error = #expect(throws: InvalidURL.self) { try resolved(EndpointPath(template: template)) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("U5 dots combined from values are rejected")
    func assembledDots() {
        #expect(throws: InvalidURL.self) { try resolved(".\(".")") }
        #expect(throws: InvalidURL.self) { try resolved("a/\("x")/..") }
    }

    @Test("U1 any value round-trips as one segment")
    func randomValues() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<1000 {
            let scalars = (0..<Int.random(in: 1..<6, using: &generator)).compactMap { _ in
                Bool.random(using: &generator)
                    ? "./?#%\\; \u{0}a".unicodeScalars.randomElement(using: &generator)
                    : Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator))
            }
            let value = String(String.UnicodeScalarView(scalars))
            guard !["", ".", ".."].contains(value) else { continue }
            let url = try EndpointPath(encoding: ["a", value, "b"]).appended(to: HTTPURL("http://h"), query: [:])
            let segments = url.path.split(separator: "/", omittingEmptySubsequences: false)
            #expect(segments.count == 4)
            #expect(PercentEncoding.decode(segments[2])?.utf8.elementsEqual(value.utf8) == true)
            #expect(try HTTPURL(url.absoluteString) == url)
        }
    }

    @Test("U1 G6 the template of a literal and of an interpolation is known, that of a text made at runtime isn't")
    func templates() {
        let path: EndpointPath = "articles/\(17)/comments"
        let literal: EndpointPath = "articles"
        #expect(path.template == "articles/{}/comments" && literal.template == "articles")
        #expect(EndpointPath(encoding: ["a", "b"]).template == "{}/{}")
        let text = ["articles", "17"].joined(separator: "/")
        #expect(EndpointPath(template: text).template == nil && EndpointPath(text).template == nil)
    }
}
