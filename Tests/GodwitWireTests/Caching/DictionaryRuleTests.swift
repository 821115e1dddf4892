@testable import GodwitWire
import Testing

@Suite("C6 Use-As-Dictionary")
struct DictionaryRuleTests {
    private func url(_ path: String, _ origin: String = "https://example.com") throws -> HTTPURL {
        try HTTPURL(origin + path)
    }

    private func rule(_ field: String) throws -> DictionaryRule? {
        DictionaryRule([.useAsDictionary: field], of: try url("/v1"))
    }

    @Test(
        "C6 a dictionary with a pattern, an ID, any destinations and the raw type can be used",
        arguments: [
            ("match=\"/*\"", ""), ("match=\"/*\", id=\"v1\"", "v1"), ("id=\"\", match=\"/*\", type=raw", ""),
            ("match=\"/*\", match-dest=(\"document\" \"script\")", ""), ("match=\"/*\", ttl=60, unknown", ""),
            ("match=\"/a\", match=\"/*\";x=1", ""),
        ])
    func usable(field: String, id: String) throws {
        let rule = try #require(try rule(field))
        #expect(rule.id == id)
        #expect(rule.pattern.matches(try url("/x")))
    }

    @Test(
        "C6 one without a pattern, of another type, or with an invalid field can't be used",
        arguments: [
            "", "match", "match=/a", "match=(\"/a\")", "id=\"1\"", "match=\"/*\", type=\"raw\"",
            "match=\"/*\", type=zstd",
            "match=\"/(a)\"", "match=\"/*", "match=\"/*\", id=1",
            "match=\"/*\", id=\"\(String(repeating: "a", count: 1025))\"",
            "match=\"https://other.example/*\"", "match=\"/*\", x=\"\(String(repeating: "a", count: 4096))\"",
        ])
    func unusable(field: String) throws {
        #expect(try rule(field) == nil)
    }

    @Test("C6 of several dictionaries the longest pattern wins, then the latest response")
    func order() throws {
        var index = DictionaryIndex()
        for (path, match, time) in [
            ("/1", "/app/*", 3), ("/2", "/app/*.js", 1), ("/3", "/app/*.js", 2), ("/4", "/other/*", 4),
        ] as [(String, String, Double)] {
            let fields: HTTPFields = [.useAsDictionary: "match=\"\(match)\""]
            index.note(try url(path), fields, at: Date(timeIntervalSince1970: time))
        }
        #expect(index.urls(for: try url("/app/x.js")).map(\.path) == ["/3", "/2", "/1"])
        #expect(index.urls(for: try url("/app/x.css")).map(\.path) == ["/1"])
        #expect(index.urls(for: try url("/app/x.js", "https://example.org")) == [])
        index.remove(try url("/3"))
        // A response that no longer is one.
        index.note(try url("/1"), [:], at: Date(timeIntervalSince1970: 5))
        #expect(index.urls(for: try url("/app/x.js")).map(\.path) == ["/2"])
    }

    @Test("C6 a server can't make each request compare more than 32 patterns, nor many servers fill the memory")
    func bounded() throws {
        var index = DictionaryIndex()
        let long = String(repeating: "a", count: 1000)
        for origin in 0..<200 {
            for number in 0..<50 {
                let fields: HTTPFields = [.useAsDictionary: "match=\"/\(number)*{/\(long)}?\""]
                index.note(try url("/\(number)", "https://\(origin).example"), fields, at: Date())
            }
            let found = try (0..<50).filter { number in
                !index.urls(for: try url("/\(number)", "https://\(origin).example")).isEmpty
            }
            #expect(found == Array(50 - DictionaryIndex.mostOfOrigin..<50))
        }
        #expect(index.byteCount <= 4 << 20)
    }
}
