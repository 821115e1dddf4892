@testable import GodwitWire
import Testing

@Suite("T18 the field and the table of HSTS")
struct StrictTransportTests {
    private let now = 1_700_000_000.0

    private func table(_ hosts: [String: Bool]) -> StrictTransportTable {
        var table = StrictTransportTable()
        for (host, includes) in hosts {
            _ = table.learn(StrictTransportPolicy(maximumAge: 60, includesSubdomains: includes), from: host, at: now)
        }
        return table
    }

    @Test(
        "T18 a field has max-age, and may have includeSubDomains and directives that nobody knows",
        arguments: [
            ("max-age=31536000", 31_536_000, false), ("max-age=15768000 ; includeSubDomains", 15_768_000, true),
            ("max-age=\"31536000\"", 31_536_000, false), ("max-age=0", 0, false),
            ("max-age=0; includeSubDomains", 0, true), ("INCLUDESUBDOMAINS;MAX-AGE=1", 1, true),
            (" ; ;max-age = 1;; preload; x=\"a;b\\\"c\"; y=z ; ", 1, false),
            ("max-age=99999999999999999999999", 1 << 31, false),
        ])
    func valid(value: String, seconds: Int, includes: Bool) {
        #expect(
            StrictTransportPolicy(parsing: value)
                == StrictTransportPolicy(maximumAge: seconds, includesSubdomains: includes))
    }

    @Test(
        "T18 a field that isn't a list of directives, that repeats one or has no max-age is ignored",
        arguments: [
            "", ";", "includeSubDomains", "max-age", "max-age=", "max-age=-1", "max-age=+1", "max-age=1.5",
            "max-age=a", "max-age=1 2", "max-age=1, max-age=2", "max-age=1; max-age=1", "max-age=1; x; X",
            "max-age=1; includeSubDomains=1", "max-age=1; includeSubDomains; includesubdomains", "=1; max-age=1",
            "max-age=1; a=(", "max-age=1; é", "max-age=1" + String(repeating: ";", count: 4096),
        ])
    func invalid(value: String) {
        #expect(StrictTransportPolicy(parsing: value) == nil)
    }

    @Test("T18 only the first field counts, even if it is invalid")
    func first() {
        let name = HTTPField.Name.strictTransportSecurity
        let fields = { (values: [String]) in HTTPFields(values.map { HTTPField(unchecked: name, value: $0) }) }
        #expect(StrictTransportPolicy(fields(["max-age=1", "max-age=2"]))?.maximumAge == 1)
        #expect(StrictTransportPolicy(fields(["max-age", "max-age=2"])) == nil)
        #expect(StrictTransportPolicy(fields([])) == nil)
    }

    @Test(
        "T18 an entry applies to its host, and to subdomains only if it includes them",
        arguments: [
            ("a.example", true), ("a.example.", true), ("b.a.example", false), ("example", false),
            ("xa.example", false), ("b.example", true), ("c.b.example", true), ("d.c.b.example.", true),
            ("cb.example", false), ("other", false), ("127.0.0.1", false), ("[::1]", false),
        ])
    func matching(host: String, applies: Bool) {
        let table = table(["a.example": false, "B.example.".asciiLowercased: true])
        #expect(table.requiresHTTPS(host, at: now) == applies)
        #expect(!table.requiresHTTPS(host, at: now + 60))
    }

    @Test(
        "T18 an address and a name of this machine never have an entry",
        arguments: ["127.0.0.1", "192.0.2.1", "[2001:db8::1]", "localhost", "a.localhost", "localhost.", "", "."])
    func excluded(host: String) {
        #expect(table([host: true]).isEmpty)
    }

    @Test("T18 max-age=0 removes the host's own entry and no other")
    func removal() {
        var table = table(["a.example": true, "b.a.example": false])
        let none = StrictTransportPolicy(maximumAge: 0, includesSubdomains: true)
        #expect(table.learn(none, from: "c.a.example", at: now) == nil)
        #expect(table.learn(none, from: "b.a.example", at: now)?.entry == nil)
        #expect(table.entries.keys.sorted() == ["a.example"])
        #expect(table.requiresHTTPS("b.a.example", at: now))
    }

    @Test("T18 an entry that is renewed within an hour is no change worth a write; any other is")
    func changes() {
        var table = table(["a.example": false])
        func change(_ age: Int, _ includes: Bool, after seconds: Double) -> Bool {
            let policy = StrictTransportPolicy(maximumAge: age, includesSubdomains: includes)
            return table.learn(policy, from: "a.example", at: now + seconds)?.isSmall == false
        }
        #expect(!change(60, false, after: 0))
        #expect(!change(60, false, after: 30))
        #expect(table.requiresHTTPS("a.example", at: now + 89))
        #expect(change(60, true, after: 30))
        #expect(change(4000, true, after: 30))
        #expect(change(60, true, after: 30))
    }

    @Test("T18 the number of hosts is bounded, and a site with many pushes out its own")
    func bound() {
        var table = table(["bank.example": true])
        for number in 0..<(StrictTransportTable.mostHosts + 500) {
            let policy = StrictTransportPolicy(maximumAge: 1_000_000, includesSubdomains: false)
            _ = table.learn(policy, from: "h\(number).hostile.test", at: now)
        }
        #expect(table.entries.count == StrictTransportTable.mostHosts)
        #expect(table.requiresHTTPS("bank.example", at: now))
    }

    @Test("T18 the file has curl's form, and reads back as it was")
    func file() throws {
        let table = table(["a.example": true, "xn--bcher-kva.example": false])
        #expect(
            table.text == """
                # Your HSTS cache. https://curl.se/docs/hsts.html
                .a.example "20231114 22:14:20"
                xn--bcher-kva.example "20231114 22:14:20"

                """)
        #expect(StrictTransportTable(table.text, at: now) == table)
        #expect(StrictTransportTable(table.text, at: now + 60)?.isEmpty == true)
        let endless = try #require(StrictTransportTable(".a.example \"unlimited\"\r\n", at: now))
        #expect(endless.entries["a.example"]?.expires == now + Double(1 << 31))
    }

    @Test(
        "T18 malformed lines of a file are skipped; a text without any good one isn't such a file",
        arguments: [
            "a.example", "a.example 20231114", "a.example \"\"", "a.example \"2023-11-14 22:14:20\"",
            "a.example \"20231314 22:14:20\"", "a.example \"99999999999999999999 22:14:20\"", "a/b \"unlimited\"",
            "a:1 \"unlimited\"", "u@a \"unlimited\"", "{\"version\":1}", "\"", "\u{0}", "a \"20231114 22:14:20 1\"",
            String(repeating: "a", count: 600) + " \"unlimited\"",
        ])
    func malformed(line: String) {
        #expect(StrictTransportTable(line + "\n", at: now) == nil)
        let mixed = StrictTransportTable("# x\n\(line)\nb.example \"unlimited\"\n", at: now)
        #expect(mixed?.entries.keys.sorted() == ["b.example"])
    }

    @Test("T18 an empty file and one of comments are files without hosts", arguments: ["", "# x\n", "\n\n"])
    func empty(text: String) {
        #expect(StrictTransportTable(text, at: now)?.isEmpty == true)
    }

    @Test(
        "T18 port 80 becomes 443, other ports and everything else of the URL stay",
        arguments: [
            ("http://a.example/x?y=1#z", "https://a.example/x?y=1"), ("http://a.example:80/", "https://a.example/"),
            ("http://a.example:8080/", "https://a.example:8080/"), ("http://a.example:443/", "https://a.example/"),
            ("https://a.example:80/", "https://a.example:80/"),
        ])
    func port(url: String, secure: String) throws {
        let upgraded = try HTTPURL(url).overHTTPS
        #expect(upgraded.absoluteString == secure)
        #expect(upgraded.fragment == (try HTTPURL(url).fragment))
    }
}
