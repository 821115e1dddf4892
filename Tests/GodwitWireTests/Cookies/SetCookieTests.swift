import GodwitWire
import Testing

@Suite("K1 RFC 6265bis 5.6 Set-Cookie")
struct SetCookieTests {
    @Test(
        "K1 RFC 6265bis 5.6 steps 2 to 4: name and value are split at the first = and trimmed",
        arguments: [
            ("a=1", "a", "1"), (" a = 1 ; Path=/", "a", "1"), ("a=b=c", "a", "b=c"), ("a=", "a", ""), ("=1", "", "1"),
            ("token", "", "token"), ("a=\"1 2\"", "a", "\"1 2\""), ("a=1;b=2", "a", "1"), ("a;b=2", "", "a"),
            ("", "", ""), (";", "", ""), ("a=\t1\t", "a", "1"), ("a=1,2", "a", "1,2"), ("é=ü", "é", "ü"),
        ])
    func pair(text: String, name: String, value: String) throws {
        let cookie = try SetCookie(text)
        #expect(cookie.name == name)
        #expect(cookie.value == value)
    }

    @Test(
        "K1 RFC 6265bis 5.6 step 1: a control character spoils the whole field, a tab does not",
        arguments: ["a=\u{0}", "a=1\u{1F}", "\u{7F}a=1", "a=1; Path=/\r\nX: 1", "a=1; x=\u{8}"])
    func controls(text: String) {
        #expect(throws: CookieRefusal.invalidCharacter) { try SetCookie(text) }
    }

    @Test("K1 RFC 6265bis 5.6 step 5: name and value have at most 4096 bytes together, attributes do not count")
    func size() throws {
        let long = String(repeating: "v", count: 4095)
        #expect(try SetCookie("a=\(long); Path=/\(String(repeating: "p", count: 500))").value == long)
        #expect(throws: CookieRefusal.tooLarge) { try SetCookie("ab=\(long)") }
        #expect(throws: CookieRefusal.tooLarge) { try SetCookie("a=\(String(repeating: "é", count: 2048))") }
    }

    @Test("K1 RFC 6265bis 5.6 attributes are read ignoring case and with blanks; unknown ones are skipped")
    func attributes() throws {
        let cookie = try SetCookie(
            "a=1 ;SECURE; httponly=x ; path = /p ;DOMAIN= .Example.COM;samesite=LAX;Priority=High;;")
        #expect(cookie.isSecure)
        #expect(cookie.isHTTPOnly)
        #expect(cookie.path == "/p")
        #expect(cookie.domain == "example.com")
        #expect(cookie.sameSite == .lax)
    }

    @Test("K1 RFC 6265bis 5.6 an attribute of more than 1024 bytes is skipped")
    func longAttribute() throws {
        let path = "/" + String(repeating: "p", count: 1023)
        #expect(try SetCookie("a=1; Path=\(path)").path == path)
        #expect(try SetCookie("a=1; Path=\(path)p").path == nil)
        #expect(try SetCookie("a=1; Path=/x; Path=\(path)p").path == "/x")
    }

    @Test("K1 RFC 6265bis 5.6.1 Expires is read as a cookie date; one that is none leaves an earlier one")
    func expires() throws {
        let epoch = Date(timeIntervalSince1970: 0)
        #expect(try SetCookie("a=1; Expires=Thu, 01-Jan-70 00:00:00 GMT").expires == epoch)
        #expect(try SetCookie("a=1; Expires=never").expires == nil)
        #expect(try SetCookie("a=1; Expires=1 Jan 1970 0:0:0; expires=never").expires == epoch)
        #expect(
            try SetCookie("a=1; Expires=1 Jan 1999 0:0:0; expires=1 Jan 1970 0:0:0").expires == epoch)
    }

    @Test(
        "K1 RFC 6265bis 5.6.2 Max-Age is digits, with a minus or without",
        arguments: [
            ("10", 10), ("0", 0), ("-1", -1), ("007", 7), ("", nil), ("-", nil), ("+1", nil), ("1.5", nil), ("1s", nil),
            ("--1", nil), ("99999999999999999999", Int.max), ("-99999999999999999999", -Int.max), ("\"1\"", nil),
        ] as [(String, Int?)])
    func maxAge(text: String, seconds: Int?) throws {
        #expect(try SetCookie("a=1; Max-Age=\(text)").maxAge == seconds)
    }

    @Test(
        "K1 RFC 6265bis 5.6.3 one leading dot of Domain is dropped; the last Domain counts, an empty one too",
        arguments: [
            ("Domain=example.com", "example.com"), ("Domain=.example.com", "example.com"),
            ("Domain=..example.com", ".example.com"), ("Domain=a.com; Domain=b.com", "b.com"),
            ("Domain=a.com; Domain", ""), ("Domain=", ""),
        ])
    func domain(attribute: String, domain: String) throws {
        #expect(try SetCookie("a=1; \(attribute)").domain == domain)
    }

    @Test(
        "K1 RFC 6265bis 5.6.4 a Path that does not starts with / asks for the default",
        arguments: [
            ("Path=/a/b", "/a/b"), ("Path=", ""), ("Path", ""), ("Path=a", ""), ("Path=\"/\"", ""),
            ("Path=/a; Path=b", ""),
        ])
    func path(attribute: String, path: String) throws {
        #expect(try SetCookie("a=1; \(attribute)").path == path)
    }

    @Test(
        "K1 RFC 6265bis 5.6.7 SameSite is kept; what is unknown counts as not said",
        arguments: [
            ("Strict", Cookie.SameSite.strict), ("lax", .lax), ("NONE", .none), ("", .unspecified),
            ("Other", .unspecified), ("Strict; SameSite=Other", .unspecified),
        ])
    func sameSite(text: String, expected: Cookie.SameSite) throws {
        #expect(try SetCookie("a=1; SameSite=\(text)").sameSite == expected)
    }

    @Test("K1 M2 no description, reflection or dump shows a value")
    func redaction() throws {
        let cookie = Cookie(name: "a", value: "s3cret", domain: "example.com")
        let received = try SetCookie("a=s3cret; Path=/s3cret")
        var dumped = ""
        dump([cookie], to: &dumped)
        dump([received], to: &dumped)
        let texts = ["\(cookie)", String(reflecting: [cookie]), "\(received)", String(reflecting: [received]), dumped]
        for text in texts {
            #expect(!text.contains("s3cret"))
            #expect(text.contains("a"))
        }
    }
}
