import GodwitCore
import GodwitSockets
import Testing

@Suite("K1 public suffixes")
struct PublicSuffixListTests {
    private let list = PublicSuffixList()

    @Test(
        "K1 the system's list has rules, wildcards and exceptions",
        arguments: [
            ("co.uk", true), ("example.co.uk", false), ("github.io", true), ("bird.github.io", false),
            // *.ck is a rule, !www.ck its exception.
            ("any.ck", true), ("www.ck", false), ("example.com", false), ("xn--55qx5d.cn", true),
        ])
    func rules(_ domain: String, _ isSuffix: Bool) {
        #expect(list.isPublicSuffix(domain) == isSuffix)
    }

    @Test("K1 a cookie for a domain goes to its hosts; one for a public suffix is refused")
    func cookies() throws {
        let jar = CookieJar(suffixes: list)
        let url = try HTTPURL("https://api.example.co.uk/")
        #expect(jar.store("a=1; Domain=example.co.uk", from: url))
        #expect(!jar.store("b=1; Domain=co.uk", from: url))
        #expect(jar.cookies(for: try HTTPURL("https://www.example.co.uk/")).map(\.name) == ["a"])
        #expect(jar.cookies(for: try HTTPURL("https://other.co.uk/")).isEmpty)
    }

    @Test("K1 the list separates sites")
    func sites() {
        #expect(list.site(of: "a.b.example.co.uk") == "example.co.uk")
        #expect(list.site(of: "bird.github.io") == "bird.github.io")
    }
}
