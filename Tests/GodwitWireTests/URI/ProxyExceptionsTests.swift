import GodwitWire
import Testing

@Suite("T2 ProxyExceptions")
struct ProxyExceptionsTests {
    @Test(
        "T2 an entry of NO_PROXY names hosts, networks, addresses in any spelling and ports, as in curl 8 and Go",
        arguments: [
            ("example.com", "example.com", 80, true), ("example.com", "www.example.com", 80, true),
            ("example.com", "notexample.com", 80, false), (".example.com", "example.com", 80, true),
            ("*.example.com", "www.example.com", 80, true), ("example.com.", "example.com", 80, true),
            ("example.com", "example.com.", 80, true), ("EXAMPLE.com", "example.com", 80, true),
            ("example.com:8080", "example.com", 8080, true), ("example.com:8080", "example.com", 80, false),
            ("example.com:x", "example.com", 80, false), ("a, *", "anything.example", 80, true),
            ("a,*,b", "anything.example", 1, true), ("*:8080", "anything.example", 8080, true),
            ("*:8080", "anything.example", 80, false), ("a b\tc", "b", 80, true), ("", "a", 80, false),
            (",,", "a", 80, false), ("192.0.2.7", "192.0.2.7", 80, true), ("192.0.2.7", "192.0.2.70", 80, false),
            ("0.2.7", "192.0.2.7", 80, false), ("7", "192.0.2.7", 80, false), ("192.0.2.7:90", "192.0.2.7", 90, true),
            ("192.0.2.7:90", "192.0.2.7", 91, false), ("10.0.0.0/8", "10.9.8.7", 80, true),
            ("10.0.0.0/8", "11.0.0.1", 80, false), ("10.0.0.0/9", "10.128.0.1", 80, false),
            ("10.0.0.0/33", "10.0.0.1", 80, false), ("0.0.0.0/0", "192.0.2.7", 80, true),
            ("0.0.0.0/0", "example.com", 80, false), ("[::1]", "[::1]", 80, true), ("::1", "[::1]", 80, true),
            ("0:0:0:0:0:0:0:1", "[::1]", 80, true), ("[::1]:8080", "[::1]", 8080, true),
            ("[::1]:8080", "[::1]", 80, false), ("fd00::/8", "[fd12::9]", 80, true),
            ("fd00::/8", "[fe80::1]", 80, false), ("[fd00::]/8", "[fd12::9]", 80, true),
            ("::ffff:192.0.2.7", "192.0.2.7", 80, true), ("fe80::1%eth0", "[fe80::1]", 80, true),
            ("fe80::1", "[fe80::1%25eth0]", 80, true), ("fe80::/10", "[fe80::1%25eth0]", 80, true),
            ("bücher.example", "xn--bcher-kva.example", 80, true),
            (".bücher.example", "a.xn--bcher-kva.example", 80, true),
            ("10.0.0.0/8x", "10.0.0.1", 80, false), ("/8", "10.0.0.1", 80, false), ("[::1", "[::1]", 80, false),
        ])
    func entries(list: String, host: String, port: Int, isExcepted: Bool) {
        #expect(ProxyExceptions(list).contain(host, port: port) == isExcepted, "\(list) \(host):\(port)")
    }
}
