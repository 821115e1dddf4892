@testable import GodwitWire
import Testing

@Suite("K1 RFC 6265bis 5.1 domains and paths")
struct CookieScopeTests {
    @Test(
        "K1 RFC 6265bis 5.1.3 a host matches its own domain and those above it, at whole labels",
        arguments: [
            ("example.com", "example.com", true), ("www.example.com", "example.com", true),
            ("a.b.example.com", "example.com", true), ("badexample.com", "example.com", false),
            ("example.com", "www.example.com", false), ("example.org", "example.com", false),
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "0.0.1", false), ("10.0.0.1", "1", false),
            ("[::1]", "[::1]", true), ("[::1]", "1]", false), ("example.com", "com", true),
            ("example.com.", "example.com", false), ("www.example.com.", "example.com.", true),
        ])
    func domains(host: String, domain: String, doesMatch: Bool) {
        #expect(CookieDomain.matches(host, domain) == doesMatch)
    }

    @Test(
        "K1 RFC 6265bis 5.1.4 the default path is the request's without its last segment",
        arguments: [
            ("", "/"), ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/c", "/a/b"), ("a/b", "/"),
            ("//", "/"), ("/a//b", "/a/"),
        ])
    func defaultPath(path: String, expected: String) {
        #expect(CookiePath.standard(for: path) == expected)
    }

    @Test(
        "K1 RFC 6265bis 5.1.4 a path matches itself and what lies under it, at whole segments",
        arguments: [
            ("/", "/", true), ("/a", "/", true), ("/a", "/a", true), ("/a/b", "/a", true), ("/a/b", "/a/", true),
            ("/a", "/a/", false), ("/ab", "/a", false), ("/", "/a", false), ("/A", "/a", false), ("/b/a", "/a", false),
        ])
    func paths(path: String, cookiePath: String, doesMatch: Bool) {
        #expect(CookiePath.matches(path, cookiePath) == doesMatch)
    }

    @Test(
        "K1 a site is a public suffix and one label more",
        arguments: [
            ("example.com", "example.com"), ("a.b.example.com", "example.com"), ("www.example.co.uk", "example.co.uk"),
            ("co.uk", "co.uk"), ("com", "com"), ("127.0.0.1", "127.0.0.1"), ("[::1]", "[::1]"),
            ("www.example.com.", "example.com"), ("host.lan", "host.lan"), ("a.host.lan", "host.lan"), ("lan", "lan"),
            ("x.y.pages.example.com", "y.pages.example.com"), ("pages.example.com", "pages.example.com"),
        ])
    func sites(host: String, site: String) {
        #expect(SuffixList(["com", "uk", "co.uk", "pages.example.com"]).site(of: host) == site)
    }

    @Test("K1 without a list each host is its own site")
    func exactHosts() {
        #expect(ExactHosts().site(of: "www.example.com") == "www.example.com")
        #expect(ExactHosts().isPublicSuffix("example.com"))
    }
}

/// Public suffixes for tests.
struct SuffixList: PublicSuffixes {
    let suffixes: Set<String>

    init(_ suffixes: Set<String> = ["com", "org", "uk", "co.uk"]) {
        self.suffixes = suffixes
    }

    func isPublicSuffix(_ domain: String) -> Bool { suffixes.contains(domain) }
}
