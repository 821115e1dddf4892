@testable import GodwitWire
import Testing

@Suite("C6 URL patterns")
struct URLPatternTests {
    private let base: HTTPURL

    init() throws {
        base = try HTTPURL("https://example.com/app/v1/main.js?base=1")
    }

    @Test(
        "C6 a pattern matches a path and a query as a whole, relative to the URL that names it",
        arguments: [
            ("/app/*", "/app/", true), ("/app/*", "/app/x/y.js?q=1", true), ("/app/*", "/app", false),
            ("/app/*/main.js", "/app/v2/main.js", true), ("/app/*/main.js", "/app/v2/main.js.map", false),
            ("*", "/app/v1/", true), ("*", "/", false), ("*.js", "/app/v1/x.js", true), ("*.js", "/app/x.js", false),
            ("v*.js", "/app/v1/v2.js", true), ("../v*.js", "/app/v1/v2.js", false),
            ("/:dir/main.js", "/app/main.js", true), ("/:dir/main.js", "/app/v1/main.js", false),
            ("/:dir/main.js", "//main.js", false), ("/a/:id?", "/a", true), ("/a/:id?", "/a/", false),
            ("/a/:id?", "/a/1", true), ("/a/:id+", "/a/1/2/3", true), ("/a/:id+", "/a", false),
            ("/a/:id*", "/a", true), ("/a/:id*", "/a/1/2", true), ("/a/*?", "/a", true), ("/a/*?", "/a/b/c", true),
            ("/a/**", "/a", true), ("/a{/b}?", "/a", true), ("/a{/b}?", "/a/b", true), ("/a{/b}?", "/a/b/b", false),
            ("/a{/b}+", "/a", false), ("/a{/b}+", "/a/b/b", true), ("/a{/b}*", "/a/b/b/b", true),
            ("/a{-:n.js}", "/a-12.js", true), ("/a{-:n.js}+", "/a-1.js-2.js", true), ("{/app}/*", "/app/x", true),
            ("/a?x=*", "/a?x=12", true), ("/a?x=*", "/a", false), ("/a?x=1", "/a?x=2", false), ("/a", "/a?x=2", true),
            ("/a?", "/a", true), ("/a?", "/a?x", false), ("/a/*\\?v=:n", "/a/b?v=1", true),
            ("/a/*\\?v=:n", "/a/b?v=", false), ("/a/:f\\?x", "/a/b?x", true), ("/a\\*", "/a*", true),
            ("/a\\*", "/ab", false), ("?v=2", "/app/v1/main.js?v=2", true), ("?v=2", "/app/v1/other.js?v=2", false),
            ("/d%C3%BCsseldorf", "/düsseldorf", true), ("/D%C3%BCsseldorf", "/düsseldorf", false),
            ("https://example.com/app/*", "/app/x", true), ("https://example.com/", "/", true),
        ])
    func matches(pattern: String, target: String, isMatch: Bool) throws {
        let read = try #require(URLPattern(pattern, relativeTo: base))
        #expect(read.matches(try HTTPURL("https://example.com" + target)) == isMatch)
    }

    @Test(
        "C6 what is invalid, is of another origin, or has a regular expression, isn't a pattern",
        arguments: [
            "", "/a/(.*)", "/:id(\\d+)", "/a/\\", "/a{b", "/a}", "/a{b{c}}", "/a+", "/a{*:x}", "/a#b", "/a\\#b",
            "/a:/b",
            "//other.example/a", "https://other.example/a", "http://example.com/a", "https://example.com:8443/a",
            "https://example.com.evil.example/a", "https://*/a", "https{:}//example.com/a", "/a/:id??+",
            String(repeating: "a", count: 1025),
        ])
    func refused(pattern: String) {
        #expect(URLPattern(pattern, relativeTo: base) == nil)
    }

    @Test("C6 another origin never matches, whatever the pattern")
    func origins() throws {
        let pattern = try #require(URLPattern("/*", relativeTo: base))
        #expect(pattern.matches(try HTTPURL("https://example.com/x")))
        for other in ["http://example.com/x", "https://example.com:8443/x", "https://www.example.com/x"] {
            #expect(!pattern.matches(try HTTPURL(other)), "\(other)")
        }
    }

    @Test("C6 a special character of the base's path is literal in a relative pattern")
    func literalBase() throws {
        let base = try HTTPURL("https://example.com/a*b+c(d)/x")
        let pattern = try #require(URLPattern("*.js", relativeTo: base))
        #expect(pattern.matches(try HTTPURL("https://example.com/a*b+c(d)/y.js")))
        #expect(!pattern.matches(try HTTPURL("https://example.com/aab+c(d)/y.js")))
    }

    @Test(
        "C6 a hostile pattern has one answer for each byte, whatever it repeats",
        arguments: [("*a", false), ("{a*}*", true), ("{*}+", true), (":n?", false), ("{-a*}?", false)])
    func hostile(piece: String, isMatch: Bool) throws {
        let text = "/" + String(repeating: piece, count: 1023 / piece.utf8.count)
        let pattern = try #require(URLPattern(text, relativeTo: base))
        let long = String(repeating: "a", count: 4000)
        #expect(pattern.matches(try HTTPURL("https://example.com/\(long)/b/")) == isMatch)
        // Longer ones aren't compared at all.
        #expect(!pattern.matches(try HTTPURL("https://example.com/\(long)\(long)\(long)")))
    }
}
