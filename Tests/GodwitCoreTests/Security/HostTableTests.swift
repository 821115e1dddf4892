import GodwitCore
import Testing

@Suite("S1 S2 S4 values for hosts")
struct HostTableTests {
    private func table(_ hosts: [String: Int], domains: [String: Int] = [:]) -> HostTable<Int> {
        var table = HostTable<Int>()
        for (host, value) in hosts { table[host] = value }
        for (domain, value) in domains { table[domain: domain] = value }
        return table
    }

    @Test(
        "S2 hosts are compared as text, ignoring case and a trailing dot",
        arguments: [
            ("api.example.com", "api.example.com", true), ("API.Example.COM", "api.example.com", true),
            ("api.example.com", "Api.example.com.", true), ("api.example.com.", "api.example.com", true),
            ("api.example.com", "v2.api.example.com", false), ("api.example.com", "example.com", false),
            ("api.example.com", "api.example.com.evil.example", false), ("localhost", "127.0.0.1", false),
            ("127.0.0.1", "127.0.0.1", true), ("::1", "[::1]", true), ("[0:0::1]", "::1", true),
            ("::1", "[::2]", false),
        ])
    func hosts(entered: String, asked: String, isFound: Bool) {
        #expect((table([entered: 1]).value(for: asked) == 1) == isFound)
        #expect((table([entered: 1])[asked] == 1) == isFound)
    }

    @Test(
        "S2 a domain's entry applies to it and its subdomains only",
        arguments: [
            ("example.com", true), ("www.example.com", true), ("A.B.example.com.", true), ("badexample.com", false),
            ("example.com.evil", false), ("com", false),
        ])
    func domains(asked: String, isFound: Bool) {
        #expect((table([:], domains: ["Example.com": 1]).value(for: asked) == 1) == isFound)
    }

    @Test("S2 the most specific entry applies")
    func specific() {
        let table = table(["a.b.example.com": 1], domains: ["b.example.com": 2, "example.com": 3])
        #expect(table.value(for: "a.b.example.com") == 1)
        #expect(table.value(for: "x.a.b.example.com") == 2)
        #expect(table.value(for: "b.example.com") == 2)
        #expect(table.value(for: "c.example.com") == 3)
    }

    @Test("S2 an address has no subdomains")
    func addresses() {
        let table = table([:], domains: ["0.0.1": 1, "127.0.0.1": 2, "::1": 3])
        #expect(table.value(for: "127.0.0.1") == 2)
        #expect(table.value(for: "::1") == 3)
        #expect(table.value(for: "128.0.0.1") == nil)
    }

    @Test(
        "S2 an invalid host is a fault, and never matches",
        arguments: [
            "https://a.example", "a.example:443", "a/b", "a?b", "a#b", "", "a b", "[::1]:443", "ü.example:443", "u@a",
        ])
    func faults(name: String) {
        let table = table([name: 1])
        #expect(table.fault?.contains("\"\(name)\"") == true)
        #expect(table.value(for: name) == nil)
        #expect(!table.isEmpty)
    }

    @Test("S2 a name may be outside ASCII, and the zone of an address doesn't count")
    func otherSpellings() throws {
        let table = table(["bücher.example": 1, "fe80::7": 2])
        #expect(table.value(for: "xn--bcher-kva.example") == 1)
        #expect(table.value(for: "BÜCHER.example") == 1)
        #expect(table.value(ofNormalised: try HTTPURL("http://[fe80::7%25eth0]/").host) == 2)
    }

    @Test("S2 nil removes an entry")
    func removal() {
        var table = table(["a.example": 1], domains: ["b.example": 2])
        table["A.example"] = nil
        table[domain: "b.example"] = nil
        #expect(table.isEmpty)
    }
}
