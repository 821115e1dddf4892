import GodwitWire
import Testing

@Suite struct HTTPURLResolvingTests {
    @Test(
        "T6 references resolve as RFC 3986 section 5.4 shows",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"),
            ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
            ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("https://h/x", "https://h/x"), ("//h:81?z", "http://h:81/?z"),
            ("?", "http://a/b/c/d;p?"),
        ])
    func normalExamples(reference: String, expected: String) throws {
        #expect(try HTTPURL("http://a/b/c/d;p?q").resolving(reference).absoluteString == expected)
    }

    @Test(
        "T6 invalid references that servers send are repaired",
        arguments: [
            (" /a b ", "http://a/a%20b"), ("/100%", "http://a/100%25"), ("/a%20b%zz", "http://a/a%20b%25zz"),
            ("/ü", "http://a/%C3%BC"), ("/x?y z", "http://a/x?y%20z"), ("\t/x\t", "http://a/x"),
            ("/%4", "http://a/%254"),
        ])
    func repaired(reference: String, expected: String) throws {
        #expect(try HTTPURL("http://a/").resolving(reference).absoluteString == expected)
    }

    @Test(
        "U5 a reference with another scheme than HTTP is rejected",
        arguments: [
            "mailto:a@b", "javascript:1", "file:///etc/passwd", "//u:p@h/", "//", "http://", "//a b/", "/a\\b",
            "/\u{0}",
            "ht\ntp://h/", "https:g",
        ])
    func refused(reference: String) throws {
        let base = try HTTPURL("http://a/")
        #expect(throws: InvalidURL.self) { try base.resolving(reference) }
    }

    @Test("T6 a reference without a fragment keeps the first one", arguments: ["/x", "//h/x", "http://h/x", "", "?y"])
    func fragments(reference: String) throws {
        let base = try HTTPURL("http://a/b#old")
        #expect(try base.resolving(reference).fragment == "old")
        #expect(try base.resolving(reference + "#new").fragment == "new")
        #expect(try HTTPURL("http://a/").resolving(reference).fragment == nil)
    }
}
