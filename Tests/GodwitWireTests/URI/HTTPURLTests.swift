import GodwitWire
import Testing

@Suite struct HTTPURLTests {
    @Test(
        "U1 parsing normalizes a URL",
        arguments: [
            ("http://h", "http://h/"), ("HTTPS://Example.COM/A", "https://example.com/A"),
            ("https://h:443/", "https://h/"), ("http://h:80", "http://h/"), ("https://h:80", "https://h:80/"),
            ("http://h:/x", "http://h/x"), ("http://h:0080/", "http://h/"), ("http://h?q", "http://h/?q"),
            ("http://h/a/./b/../c", "http://h/a/c"), ("http://h/a/%2e%2E/b", "http://h/b"),
            ("http://h/../..", "http://h/"), ("http://h/a/..", "http://h/"), ("http://h/a//b", "http://h/a//b"),
            ("http://h/ü?ü#ü", "http://h/%C3%BC?%C3%BC"), ("http://h/a|b\"<>", "http://h/a%7Cb%22%3C%3E"),
            ("http://h/%2f", "http://h/%2f"), ("http://h/?", "http://h/?"), ("http://h#", "http://h/"),
            ("http://h/?a?b", "http://h/?a?b"), ("http://h/@:", "http://h/@:"),
        ])
    func normalising(text: String, expected: String) throws {
        #expect(try HTTPURL(text).absoluteString == expected)
    }

    @Test("U1 a URL has its parts")
    func parts() throws {
        let url = try HTTPURL("https://API.example.com:8443/v1/a%2Fb?x=1&y#top")
        #expect(url.scheme == .https)
        #expect(url.host == "api.example.com")
        #expect(url.port == 8443)
        #expect(url.path == "/v1/a%2Fb")
        #expect(url.query == "x=1&y")
        #expect(url.target == "/v1/a%2Fb?x=1&y")
        #expect(url.fragment == "top")
        #expect(url.description == "https://api.example.com:8443/v1/a%2Fb?x=1&y")
        #expect(url.origin.description == "https://api.example.com:8443")
        #expect(url.url?.absoluteString == "https://api.example.com:8443/v1/a%2Fb?x=1&y#top")
    }

    @Test("U1 missing parts are nil, the port is the scheme's")
    func absentParts() throws {
        let url = try HTTPURL("http://h")
        #expect(url.query == nil && url.fragment == nil && url.path == "/" && url.port == 80)
        #expect(try HTTPURL("http://h/?").query == "")
    }

    @Test(
        "U5 a text that isn't an HTTP URL is rejected with the reason",
        arguments: [
            ("", "no scheme"), ("h/x", "no scheme"), ("//h/x", "no scheme"), ("ftp://h/", "http or https"),
            ("localhost:8080", "http or https"), ("javascript:alert(1)", "http or https"), ("http:h", "no host"),
            ("http:/h", "no host"), ("http://", "host is empty"), ("http:///x", "host is empty"),
            ("http://:80/", "host is empty"), ("http://h /", "space"), ("http://h/a b", "space"),
            ("http://h/\r\nX: 1", "control"), ("http://h/\u{0}", "control"), ("http://h/\u{7F}", "control"),
            ("http://h/a\\b", "backslash"), ("http://h\\@evil/", "backslash"), ("http://u:p@h/", "credentials"),
            ("http://u@h/", "credentials"), ("http://@h/", "credentials"), ("http://h/%", "%"), ("http://h/%zz", "%"),
            ("http://h/?%2", "%"), ("http://h/#%g0", "%"), ("http://h:x/", "port"), ("http://h:0/", "port"),
            ("http://h:65536/", "port"), ("http://h:99999999999999999999/", "port"), ("http://h:-1/", "port"),
            ("http://h:+1/", "port"), ("http://h:1:2/", "port"),
            ("http://h%41/", "host name"), ("http://a..b/", "host name"), ("http://.a/", "host name"),
            ("http://../", "host name"), ("http://./", "host name"), ("http://a,b/", "host name"),
            ("http://a]/", "host name"), ("http://\(String(repeating: "a", count: 64))/", "host name"),
            ("http://1.2.3/", "IPv4"), ("http://1/", "IPv4"), ("http://256.0.0.1/", "IPv4"),
            ("http://0177.0.0.1/", "IPv4"), ("http://0x7f.0.0.1/", "IPv4"), ("http://0x7f000001/", "IPv4"),
            ("http://1.2.3.0x4/", "IPv4"), ("http://127.0.0.1./", "IPv4"), ("http://0x/", "IPv4"),
            ("http://1.2.3.4.5/", "IPv4"), ("http://[::1/", "IPv6"), ("http://[]/", "IPv6"), ("http://[:]/", "IPv6"),
            ("http://[1::2::3]/", "IPv6"), ("http://[1:2:3:4:5:6:7]/", "IPv6"), ("http://[12345::]/", "IPv6"),
            ("http://[fe80::1%25]/", "interface"), ("http://[fe80::1%]/", "interface"),
            ("http://[fe80::1%25a%2Fb]/", "interface"), ("http://[fe80::1%25a%25b]/", "interface"),
            ("http://[fe80::1%2512345678901234567]/", "interface"), ("http://[fe80::1%25é]/", "interface"),
            ("http://[::1]x/", "IPv6"), ("http://[v1.a]/", "IPv6"),
            ("http://[::1]]/", "IPv6"),
            ("http://[1:2:3:4::5:6:7:8]/", "IPv6"), ("http://[1:2:3:4:5:6:7:8::]/", "IPv6"), ("http://[:::]/", "IPv6"),
            ("http://[1:2:3:4:5:6:7:8:9]/", "IPv6"), ("http://[::1.2.3.4:5]/", "IPv6"), ("http://[1.2.3.4]/", "IPv6"),
            ("http://[1:2:3:4:5:6:7:1.2.3.4]/", "IPv6"), ("http://[1:]/", "IPv6"), ("http://[:1]/", "IPv6"),
            ("http://[::01.2.3.4]/", "IPv6"), ("http://[::g]/", "IPv6"), ("http://?\u{301}/", "host is empty"),
            // Mapped characters that would be a slash, an at sign, a control character or another number.
            ("http://ü／x/", "host name"), ("http://ü＠x/", "host name"), ("http://ü\u{2028}/", "host name"),
            ("http://①27.1/", "IPv4"), ("http://⒈com/", "host name"), ("http://\u{301}h/", "host name"),
            ("http://ü%00.example/", "host name"), ("http://ü%zz/", "%"), ("http://%FF.example/", "host name"),
            ("http://ü%2Fx/", "host name"), ("http://ü..example/", "host name"), ("http://\u{AD}/", "host name"),
            ("http://☕faß\u{200D}.example/", "host name"), ("http://\u{E000}.example/", "host name"),
            ("http://\u{202E}ü.example/", "host name"), ("http://\u{378}.example/", "host name"),
            ("http://1א.com/", "host name"),
            ("http://\(String(repeating: "ü", count: 64)).example/", "host name"),
        ])
    func refused(text: String, reason: String) {
        let error = #expect(throws: InvalidURL.self) { try HTTPURL(text) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
        #expect(error?.description.hasPrefix("invalid URL: ") == true)
    }

    @Test(
        "U5 the reason never repeats credentials",
        arguments: [
            "https://user:hunter2@h/", "https://user:hunter2@h/a b", "//user:hunter2@h/", "https://u:hunter2@h/%",
        ])
    func credentialsStayOut(_ text: String) {
        let error = #expect(throws: InvalidURL.self) { try HTTPURL(text) }
        #expect(error?.reason.contains("hunter2") == false)
    }

    @Test(
        "U5 a name outside ASCII is asked for in ASCII (UTS 46, non-transitional)",
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example", "xn--bcher-kva.example"),
            ("b%C3%BCcher.example", "xn--bcher-kva.example"), ("bu\u{308}cher.example", "xn--bcher-kva.example"),
            ("faß.example", "xn--fa-hia.example"), ("βόλος.example", "xn--nxasmm1c.example"),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("ｅｘａｍｐｌｅ.com", "example.com"), ("☕.example", "xn--53h.example"),
            ("✌\u{FE0F}.example", "xn--7bi.example"), ("⛧.example", "xn--59h.example"),
            ("１２７.0.0.1", "127.0.0.1"), ("ü_a.example", "xn--_a-wka.example"),
            ("b\u{AD}ücher.example", "xn--bcher-kva.example"),
        ])
    func internationalNames(typed: String, asked: String) throws {
        let url = try HTTPURL("https://\(typed)/a")
        #expect(url.host == asked)
        #expect(url.absoluteString == "https://\(asked)/a")
        #expect(try url.resolving("https://\(typed)/a") == url)
    }

    @Test("U5 a name outside ASCII is shown as it was typed, unless it has invisible characters or a server wrote it")
    func shownNames() throws {
        let url = try HTTPURL("https://Bücher.example:8443/a")
        #expect(url.debugDescription == "https://Bücher.example:8443/a")
        #expect(try url.resolving("/b").debugDescription == "https://Bücher.example:8443/b")
        #expect(try url.resolving("https://bücher.example/b").debugDescription == "https://xn--bcher-kva.example/b")
        #expect(try HTTPURL("https://bü\u{AD}cher.example/").debugDescription == "https://xn--bcher-kva.example/")
        #expect(url.description == url.absoluteString)
    }

    @Test(
        "U5 an IPv6 address may have a zone, which isn't sent",
        arguments: [
            ("[fe80::1%25eth0]", "[fe80::1%25eth0]", "[fe80::1]"),
            ("[FE80:0::1%eth0]", "[fe80::1%25eth0]", "[fe80::1]"),
            ("[::1%lo]:8080", "[::1%25lo]", "[::1]:8080"),
            ("[fe80::1%25wl-p2s0.1]", "[fe80::1%25wl-p2s0.1]", "[fe80::1]"),
            ("[fe80::1%3]", "[fe80::1%253]", "[fe80::1]"),
        ])
    func zones(given: String, host: String, sent: String) throws {
        for url in [try HTTPURL("http://\(given)/"), try HTTPURL("http://h/").resolving("//\(given)/")] {
            #expect(url.host == host)
            #expect(url.origin.hostAndPort == sent)
            #expect(try HTTPURL(url.absoluteString) == url)
        }
        #expect(try HTTPURL("http://h/?x=//[b%zz]".replacing("%zz", with: "%41")).query == "x=//[b%41]")
        #expect(throws: InvalidURL.self) { try HTTPURL("http://h/?x=//[b%zz]") }
        #expect(try HTTPURL("http://[::1%lo]/").origin.isLoopback)
    }

    @Test(
        "U5 an IPv6 address has one spelling",
        arguments: [
            ("[::1]", "[::1]"), ("[0:0:0:0:0:0:0:1]", "[::1]"), ("[::]", "[::]"), ("[2001:DB8::A]", "[2001:db8::a]"),
            ("[2001:db8:0:0:1:0:0:1]", "[2001:db8::1:0:0:1]"), ("[1:2:3:4:5:6:7::]", "[1:2:3:4:5:6:7:0]"),
            ("[::ffff:1.2.3.4]", "[::ffff:102:304]"), ("[1::]", "[1::]"), ("[0001:0:3:4:5:6:7:8]", "[1:0:3:4:5:6:7:8]"),
            ("[::2:3:4:5:6:7:8]", "[0:2:3:4:5:6:7:8]"),
        ])
    func ipv6(given: String, expected: String) throws {
        let url = try HTTPURL("http://\(given):81/")
        #expect(url.host == expected)
        #expect(url.port == 81)
        #expect(try HTTPURL("http://\(given)").host == expected)
    }

    @Test("U5 a delimiter with a combining accent is still a delimiter")
    func combiningMarks() throws {
        #expect(try HTTPURL("http://h/a?\u{301}b#\u{301}c").absoluteString == "http://h/a?%CC%81b")
        #expect(try HTTPURL("http://h/\u{301}").absoluteString == "http://h/%CC%81")
        #expect(throws: InvalidURL.self) { try HTTPURL("http://u@\u{301}h/") }
    }

    @Test("U1 equality ignores the fragment, origins ignore path and default port")
    func equality() throws {
        #expect(try HTTPURL("http://h/a#1") == HTTPURL("HTTP://H:80/a#2"))
        #expect(try HTTPURL("http://h/a#1").hashValue == HTTPURL("HTTP://H:80/a#2").hashValue)
        #expect(try HTTPURL("http://h/a") != HTTPURL("http://h/A"))
        #expect(try HTTPURL("http://h/a").isSameOrigin(as: HTTPURL("http://h:80/b")))
        for other in ["https://h/", "http://h:81/", "http://g/", "http://h./"] {
            #expect(try !HTTPURL("http://h/").isSameOrigin(as: HTTPURL(other)))
        }
    }

    @Test(
        "S3 loopback hosts are recognized in all forms, and no others",
        arguments: [
            ("localhost", true), ("a.localhost", true), ("127.0.0.1", true), ("127.9.9.9", true), ("[::1]", true),
            ("[0:0::1]", true), ("[0:0:0:0:0:0:0.0.0.1]", true), ("notlocalhost", false),
            ("127.0.0.1.evil.example", false),
            ("localhost.evil.example", false), ("128.0.0.1", false), ("[::2]", false), ("[::ffff:127.0.0.1]", false),
        ])
    func loopback(host: String, expected: Bool) throws {
        #expect(try HTTPURL("http://\(host)/").origin.isLoopback == expected)
    }

    @Test("U5 strings and Foundation URLs convert, or throw the reason")
    func convertible() throws {
        #expect(try "http://h/a".httpURL().path == "/a")
        let url = try #require(URL(string: "https://h/a?b"))
        #expect(try url.httpURL().absoluteString == "https://h/a?b")
        #expect(try HTTPURL("http://h").httpURL().host == "h")
        #expect(throws: InvalidURL.self) { try "nope".httpURL() }
        #expect(throws: InvalidURL.self) { try URL(filePath: "/etc/passwd").httpURL() }
    }

    @Test(
        "U2 items are appended to a query, and none change nothing",
        arguments: [
            ("https://a.example/x", ["q": "a+b"], "https://a.example/x?q=a%2Bb"),
            ("https://a.example/x?y=1#part", ["q": "2"], "https://a.example/x?y=1&q=2"),
            ("https://a.example/x?", ["q": "2"], "https://a.example/x?q=2"),
            ("https://a.example/x?y=1", [:], "https://a.example/x?y=1"),
        ] as [(String, QueryItems, String)])
    func appending(_ base: String, _ items: QueryItems, _ expected: String) throws {
        #expect(try HTTPURL(base).appending(items).absoluteString == expected)
    }
}
