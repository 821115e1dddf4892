import GodwitWire
import GodwitTesting
import Testing

@Suite("K1 RFC 6265bis 5.7 storage model")
struct CookieStorageTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private var storage = CookieStorage()

    /// Receives a cookie; returns why it was refused.
    private mutating func receive(
        _ text: String, from url: String = "https://www.example.com/a/b", after seconds: Double = 0,
        suffixes: some PublicSuffixes = SuffixList()
    ) throws -> CookieRefusal? {
        let url = try HTTPURL(url)
        do throws(CookieRefusal) {
            try storage.receive(text, from: url, suffixes: suffixes, at: start.addingTimeInterval(seconds))
            return nil
        } catch {
            return error
        }
    }

    private func field(_ url: String, after seconds: Double = 0) throws -> String? {
        CookieStorage.field(storage.cookies(for: try HTTPURL(url), at: start.addingTimeInterval(seconds)))
    }

    @Test(
        "K1 RFC 6265bis 5.7 step 2: a cookie with neither name nor value is refused",
        arguments: ["", "=", " = ; Path=/"])
    mutating func empty(text: String) throws {
        #expect(try receive(text) == .empty)
        #expect(storage.count == 0)
    }

    @Test("K1 RFC 6265bis 5.7 steps 3 and 4: controls and too many bytes are refused")
    mutating func unfit() throws {
        #expect(try receive("a=\u{1}") == .invalidCharacter)
        #expect(try receive("a=" + String(repeating: "v", count: 4096)) == .tooLarge)
    }

    @Test("K1 RFC 6265bis 5.7 step 6: Max-Age wins over Expires, in whatever order")
    mutating func maxAgeWins() throws {
        _ = try receive("a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(storage.all(at: start).first?.expires == start.addingTimeInterval(60))
        _ = try receive("b=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT; Max-Age=0")
        #expect(try field("https://www.example.com/a/b") == "a=1")
    }

    @Test("K1 RFC 6265bis 5.7 step 6: without both it ends with the session")
    mutating func session() throws {
        _ = try receive("a=1")
        _ = try receive("b=1; Max-Age=x; Expires=y")
        #expect(storage.all(at: .distantFuture).map(\.isPersistent) == [false, false])
    }

    @Test("K1 RFC 6265bis 5.5 no cookie is kept longer than 400 days")
    mutating func longest() throws {
        let latest = start.addingTimeInterval(400 * 86_400)
        _ = try receive("a=1; Max-Age=99999999999999999999")
        _ = try receive("b=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(storage.all(at: start).map(\.expires) == [latest, latest])
    }

    @Test("K1 RFC 6265bis 5.7 step 8: a Domain outside ASCII is refused")
    mutating func nonASCIIDomain() throws {
        #expect(try receive("a=1; Domain=éxample.com") == .invalidScope)
    }

    @Test(
        "K1 RFC 6265bis 5.7 step 9: a public suffix is rejected, or means the host only if it is the host",
        arguments: [
            ("https://www.example.co.uk/", "co.uk", CookieRefusal.publicSuffix),
            ("https://a.com/", "com", .publicSuffix),
            ("https://a.com./", "com.", .publicSuffix), ("https://a.com/", ".com", .publicSuffix),
            ("https://co.uk/", "co.uk", nil), ("https://a.com./", "..", .publicSuffix),
        ] as [(String, String, CookieRefusal?)])
    mutating func publicSuffix(url: String, domain: String, refusal: CookieRefusal?) throws {
        #expect(try receive("a=1; Domain=\(domain)", from: url) == refusal)
        #expect(!storage.all(at: start).map(\.isHostOnly).contains(false))
    }

    @Test("K1 RFC 6265bis 5.7 step 9: without a list a cookie stays with its exact host")
    mutating func withoutList() throws {
        #expect(try receive("a=1; Domain=example.com", suffixes: ExactHosts()) == .publicSuffix)
        #expect(try receive("a=1; Domain=www.example.com", suffixes: ExactHosts()) == nil)
        #expect(try receive("b=1; Domain=localhost", from: "http://localhost/", suffixes: ExactHosts()) == nil)
        #expect(storage.all(at: start).map(\.isHostOnly) == [true, true])
        #expect(try field("https://x.www.example.com/a/") == nil)
    }

    @Test(
        "K1 RFC 6265bis 5.7 step 10: a domain must be the host or a parent of it",
        arguments: [
            ("example.com", nil), ("www.example.com", nil), ("EXAMPLE.com", nil), ("other.com", .foreignDomain),
            ("x.www.example.com", .foreignDomain), ("ample.com", .foreignDomain), (".www.example.com", nil),
            ("example.com.", .foreignDomain),
        ] as [(String, CookieRefusal?)])
    mutating func foreign(domain: String, refusal: CookieRefusal?) throws {
        #expect(try receive("a=1; Domain=\(domain)") == refusal)
    }

    @Test("K1 RFC 6265bis 5.7 step 10: without Domain a cookie is for the host alone, with it for names below too")
    mutating func hostOnly() throws {
        _ = try receive("h=1; Path=/")
        _ = try receive("d=1; Path=/; Domain=example.com")
        #expect(try field("https://www.example.com/") == "h=1; d=1")
        #expect(try field("https://x.www.example.com/") == "d=1")
        #expect(try field("https://example.com/") == "d=1")
        #expect(try field("https://other.com/") == nil)
    }

    @Test("K1 RFC 6265bis 5.7 step 10: an address matches only itself")
    mutating func address() throws {
        #expect(try receive("a=1; Domain=0.0.1", from: "https://127.0.0.1/") == .foreignDomain)
        #expect(try receive("a=1; Path=/", from: "https://[::1]:8443/x") == nil)
        #expect(try field("https://[::1]/") == "a=1")
    }

    @Test("K1 RFC 6265bis 5.7 step 11: the path is the attribute's, or the request's without its last segment")
    mutating func path() throws {
        _ = try receive("a=1")
        _ = try receive("b=1; Path=/x")
        _ = try receive("c=1; Path=x")
        #expect(storage.all(at: start).map(\.path) == ["/a", "/x", "/a"])
    }

    @Test(
        "K1 RFC 6265bis 5.7 step 13: a secure cookie comes only over https or from this machine",
        arguments: [
            ("https://example.com/", nil), ("http://example.com/", .insecureOrigin), ("http://localhost/", nil),
            ("http://127.0.0.1:8080/", nil), ("http://[::1]/", nil), ("http://127.0.0.1.example.com/", .insecureOrigin),
        ] as [(String, CookieRefusal?)])
    mutating func secure(url: String, refusal: CookieRefusal?) throws {
        #expect(try receive("a=1; Secure", from: url) == refusal)
    }

    @Test(
        "K1 RFC 6265bis 5.7 step 16: an insecure origin neither replaces nor hides a secure cookie",
        arguments: [
            ("http://www.example.com/", "a=2; Path=/login", CookieRefusal.overlaysSecure),
            ("http://www.example.com/", "a=2; Path=/login/en", .overlaysSecure),
            ("http://example.com/", "a=2; Path=/login", .overlaysSecure),
            ("http://x.www.example.com/", "a=2; Path=/login; Domain=www.example.com", .overlaysSecure),
            ("http://www.example.com/", "a=2; Path=/", nil), ("http://www.example.com/", "a=2; Path=/foo", nil),
            ("http://www.example.com/", "b=2; Path=/login", nil), ("http://other.com/", "a=2; Path=/login", nil),
            ("https://www.example.com/", "a=2; Path=/login", nil),
        ] as [(String, String, CookieRefusal?)])
    mutating func overlay(url: String, text: String, refusal: CookieRefusal?) throws {
        #expect(try receive("a=1; Secure; Path=/login; Domain=example.com") == nil)
        #expect(try receive(text, from: url) == refusal)
        if refusal != nil { #expect(try field("https://www.example.com/login") == "a=1") }
    }

    @Test("K1 RFC 6265bis 5.7 step 16: a secure cookie that has ended protects nothing")
    mutating func endedSecure() throws {
        _ = try receive("a=1; Secure; Path=/; Max-Age=10")
        #expect(try receive("a=2; Path=/", from: "http://www.example.com/", after: 10) == nil)
    }

    @Test("K1 RFC 6265bis 5.7 step 19: SameSite=None needs Secure")
    mutating func sameSiteNone() throws {
        #expect(try receive("a=1; SameSite=None") == .insecureSameSite)
        #expect(try receive("a=1; SameSite=None; Secure") == nil)
        #expect(storage.all(at: start).map(\.sameSite) == [.none])
    }

    @Test(
        "K1 RFC 6265bis 5.7 steps 20 to 22: prefixed names meet their requirements",
        arguments: [
            ("__Secure-a=1; Secure", nil), ("__Secure-a=1", .brokenPrefix), ("__SECURE-a=1", .brokenPrefix),
            ("__Host-a=1; Secure; Path=/", nil), ("__Host-a=1; Path=/", .brokenPrefix),
            ("__Host-a=1; Secure", .brokenPrefix), ("__Host-a=1; Secure; Path=/a", .brokenPrefix),
            ("__Host-a=1; Secure; Path=/; Domain=www.example.com", .brokenPrefix),
            ("__host-a=1; Secure; Path=/a", .brokenPrefix), ("=__Host-a=1", .invalidCharacter),
            ("__Secure-a", .brokenPrefix), ("=__host-a", .brokenPrefix), ("__Secure=1", nil), ("a=__Host-b", nil),
        ] as [(String, CookieRefusal?)])
    mutating func prefixes(text: String, refusal: CookieRefusal?) throws {
        #expect(try receive(text) == refusal)
    }

    @Test("K1 RFC 6265bis 5.7 step 21: a default path that happens to be / doesn't meet the requirement")
    mutating func hostPrefixDefaultPath() throws {
        #expect(try receive("__Host-a=1; Secure", from: "https://example.com/") == .brokenPrefix)
    }

    @Test(
        "K1 RFC 6265bis 5.7 step 23: the same name, domain, host-only flag and path replace, and keep the creation time"
    )
    mutating func replacing() throws {
        _ = try receive("a=1; Path=/")
        _ = try receive("b=1; Path=/", after: 1)
        _ = try receive("a=2; Path=/; HttpOnly", after: 2)
        _ = try receive("a=3; Path=/; Domain=www.example.com", after: 3)
        _ = try receive("A=4; Path=/", after: 4)
        _ = try receive("a=5; Path=/a", after: 5)
        #expect(try field("https://www.example.com/a") == "a=5; a=2; b=1; a=3; A=4")
        #expect(storage.all(at: start).first?.created == start)
        #expect(storage.count == 5)
    }

    @Test("K1 RFC 6265bis 5.7 what has ended is removed, and ending a cookie removes the stored one")
    mutating func expiry() throws {
        _ = try receive("a=1; Max-Age=10; Path=/")
        _ = try receive("b=1; Path=/")
        #expect(try field("https://www.example.com/", after: 9) == "a=1; b=1")
        #expect(try field("https://www.example.com/", after: 10) == "b=1")
        #expect(storage.count == 2)
        _ = storage.take(for: try HTTPURL("https://other.com/"), at: start.addingTimeInterval(10))
        #expect(storage.count == 1)
        _ = try receive("b=; Max-Age=-1; Path=/")
        #expect(storage.count == 0)
    }

    @Test("K1 RFC 6265bis 5.7 a domain keeps 180: insecure ones go before secure ones, longest unused first")
    mutating func domainLimit() throws {
        _ = try receive("secure=1; Secure; Path=/")
        for index in 1..<180 { _ = try receive("c\(index)=1; Path=/\(index)", after: Double(index)) }
        #expect(storage.count == 180)
        _ = storage.take(for: try HTTPURL("https://www.example.com/1"), at: start.addingTimeInterval(500))
        _ = try receive("late=1; Path=/", after: 501)
        let names = Set(storage.all(at: start).map(\.name))
        #expect(storage.count == 180)
        #expect(names.isSuperset(of: ["secure", "c1", "c3", "late"]))
        #expect(!names.contains("c2"))
    }

    @Test("K1 RFC 6265bis 5.7 a domain full of secure cookies gives an insecure one no room")
    mutating func secureFirst() throws {
        for index in 0..<180 { _ = try receive("c\(index)=1; Secure", after: Double(index)) }
        _ = try receive("late=1", after: 500)
        #expect(!storage.all(at: start).contains { $0.name == "late" })
        _ = try receive("later=1; Secure", after: 501)
        #expect(storage.all(at: start).map(\.name).first == "c1")
        #expect(storage.count == 180)
    }

    @Test("K1 RFC 6265bis 5.7 what has ended goes before what is still good")
    mutating func expiredFirst() throws {
        for index in 0..<179 { _ = try receive("c\(index)=1", after: Double(index)) }
        _ = try receive("short=1; Max-Age=5", after: 200)
        _ = try receive("late=1", after: 300)
        #expect(storage.count == 180)
        #expect(storage.all(at: start.addingTimeInterval(300)).first?.name == "c0")
    }

    @Test("K1 RFC 6265bis 5.7 a jar keeps 3000, of all domains those longest unused go")
    mutating func totalLimit() throws {
        for index in 0..<3002 {
            _ = try receive("c=1", from: "https://h\(index).example.com/", after: Double(index))
        }
        #expect(storage.count == 3000)
        #expect(storage.all(at: start).first?.domain == "h2.example.com")
    }
}

@Suite("K1 RFC 6265bis 5.8 retrieval")
struct CookieRetrievalTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func storage(_ cookies: [(text: String, url: String)]) throws -> CookieStorage {
        var storage = CookieStorage()
        for (text, url) in cookies {
            try storage.receive(text, from: HTTPURL(url), suffixes: SuffixList(), at: start)
        }
        return storage
    }

    @Test("K1 RFC 6265bis 5.8.3 longer paths come first, then older cookies")
    func order() throws {
        let storage = try storage([
            ("root=1; Path=/", "https://www.example.com/"), ("deep=2; Path=/a/b", "https://www.example.com/"),
            ("up=3; Path=/; Domain=example.com", "https://www.example.com/"),
            ("mid=4; Path=/a", "https://www.example.com/"),
            ("late=5; Path=/", "https://www.example.com/"),
        ])
        let found = storage.cookies(for: try HTTPURL("https://www.example.com/a/b/c"), at: start)
        #expect(CookieStorage.field(found) == "deep=2; mid=4; root=1; up=3; late=5")
    }

    @Test(
        "K1 RFC 6265bis 5.8.3 secure cookies go to https and to this machine only",
        arguments: [("https://example.com/", true), ("http://example.com/", false)])
    func secure(url: String, isSent: Bool) throws {
        let storage = try storage([("a=1; Secure; Path=/", "https://example.com/")])
        #expect(storage.cookies(for: try HTTPURL(url), at: start).isEmpty != isSent)
        let local = try self.storage([("a=1; Secure; Path=/", "http://localhost:1/")])
        #expect(local.cookies(for: try HTTPURL("http://localhost:2/"), at: start).count == 1)
    }

    @Test("K1 RFC 6265bis 8.5 cookies are not told apart by port or scheme")
    func ports() throws {
        let storage = try storage([("a=1; Path=/", "https://example.com/")])
        #expect(storage.cookies(for: try HTTPURL("http://example.com:8080/"), at: start).count == 1)
    }

    @Test("K1 RFC 6265bis 5.8.3 step 3: sending notes the use, looking does not")
    func lastUse() throws {
        var storage = try storage([("a=1; Path=/", "https://example.com/"), ("b=1; Path=/x", "https://example.com/")])
        let url = try HTTPURL("https://example.com/")
        _ = storage.cookies(for: url, at: start.addingTimeInterval(5))
        #expect(storage.all(at: start).map(\.lastUsed) == [start, start])
        _ = storage.take(for: url, at: start.addingTimeInterval(5))
        #expect(storage.all(at: start).map(\.lastUsed) == [start.addingTimeInterval(5), start])
    }

    @Test("K1 RFC 6265bis 5.8.3 step 4: a nameless cookie is its value, an empty one its name and =")
    func serialising() throws {
        let storage = try storage([
            ("token", "https://example.com/"), ("a=", "https://example.com/"), ("q=\"1\"", "https://example.com/"),
        ])
        let found = storage.cookies(for: try HTTPURL("https://example.com/"), at: start)
        #expect(CookieStorage.field(found) == "token; a=; q=\"1\"")
        #expect(CookieStorage.field([]) == nil)
    }

    @Test("K1 RFC 6265bis 5.6 random fields never trap, and what is kept can be sent")
    func random() throws {
        var generator = SeededGenerator(seed: 6265)
        let pieces = [
            "a", "=", ";", " ", "Path", "/", "Domain", ".", "com", "Max-Age", "-", "9", "Expires", "\t", "é", "__Host-",
            "\u{1}", "Secure", ",", "\"",
        ]
        let url = try HTTPURL("https://www.example.com/a/b")
        var storage = CookieStorage()
        for _ in 0..<5000 {
            let count = Int.random(in: 0...12, using: &generator)
            let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
            try? storage.receive(text, from: url, suffixes: SuffixList(), at: start)
        }
        #expect(storage.count > 0)
        for cookie in storage.all(at: start) {
            try cookie.check()
            #expect(HTTPField(name: .cookie, value: cookie.value) != nil)
        }
    }
}
