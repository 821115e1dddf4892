@testable import GodwitWire
import Testing

@Suite("C7 No-Vary-Search")
struct SearchVarianceTests {
    private func equates(_ field: String, _ one: String, _ other: String) throws -> Bool? {
        let base = "https://example.com/a"
        return SearchVariance([.noVarySearch: field])?.equates(try HTTPURL(base + one), try HTTPURL(base + other))
    }

    @Test(
        "C7 a field without a meaning, and an invalid one, leave the whole query significant",
        arguments: [
            "", "unknown-key", "key-order=\"not a boolean\"", "params=\"not a boolean or inner list\"",
            "params=(not-a-string)", "params=(\"a\"), except=(\"x\")", "params=(), except=()",
            "params=?0, except=(\"x\")", "params, except=(not-a-string)", "params, except=\"not an inner list\"",
            "params, except=?1", "except=(\"x\")", "except=()", "params=?0", "params=()", "key-order=?0",
            "key-order, params=1", "params=(\"a\"", "PARAMS", "params;", "params=(\"a\" 1)",
            "params, unknown=(\"" + String(repeating: "a", count: 4096) + "\")",
        ])
    func none(field: String) {
        #expect(SearchVariance([.noVarySearch: field]) == nil)
    }

    @Test("C7 a missing field leaves the whole query significant; several are one dictionary, whose last members count")
    func fields() {
        #expect(SearchVariance([:]) == nil)
        var fields: HTTPFields = [.noVarySearch: "params=(\"a\")"]
        fields.append("params=(\"b\"), key-order", for: .noVarySearch)
        #expect(SearchVariance(fields) == SearchVariance([.noVarySearch: "key-order, params=(\"b\")"]))
    }

    @Test(
        "C7 queries are equivalent if they differ only in what the field names",
        arguments: [
            ("params", "?a=1", "?b=2", true), ("params", "", "?b=2", true), ("params=?1", "?a", "", true),
            ("params=(\"a\")", "?a=1&b=2", "?b=2&a=3", true), ("params=(\"a\")", "?a=1&b=2", "?b=3", false),
            ("params=(\"a\")", "?b=2", "?b=2&A=1", false), ("params=(\"a\" \"c\")", "?c=1", "?a=1&c", true),
            ("params, except=(\"id\")", "?id=1&x=2", "?y=3&id=1", true),
            ("params, except=(\"id\")", "?id=1", "?id=2", false), ("params, except=(\"id\")", "?id=1", "", false),
            ("key-order", "?a=1&b=2", "?b=2&a=1", true), ("key-order", "?a=1&a=2", "?a=2&a=1", false),
            ("key-order", "?b=1&a=1&b=2", "?a=1&b=1&b=2", true), ("key-order", "?a=1", "?a=2", false),
            ("params=(\"x\")", "?a=1&b=2", "?b=2&a=1", false),
            ("key-order, params=(\"x\")", "?a=1&x=0&b=2", "?b=2&a=1", true),
            ("key-order", "?a=b&&&c", "?c=&a=b", true), ("key-order", "", "?", true),
            ("key-order", "?a=%20", "?a=+", true), ("key-order", "?a=%2B", "?a=+", false),
            ("params=(\"%C3%A9+%E6%B0%97\")", "?%C3%A9%20%E6%B0%97=1", "?%C3%A9+%E6%B0%97=4", true),
            ("params=(\"%C3%A9\")", "?e%CC%81=1", "", false), ("key-order", "?a=%C3%A9", "?a=e%CC%81", false),
            ("key-order", "?a=%FF", "?a=%FE", true), ("params=(\"a\")", "?a%00=1", "", false),
            ("params=(\"\")", "?=1", "", true), ("params, except=()", "?a", "?b", true),
        ])
    func equivalence(field: String, one: String, other: String, expected: Bool) throws {
        #expect(try equates(field, one, other) == expected)
        #expect(try equates(field, other, one) == expected)
    }

    @Test(
        "C7 another scheme, host, port or path is another resource",
        arguments: [
            "http://example.com/a", "https://example.org/a", "https://example.com:1/a", "https://example.com/A",
        ])
    func others(url: String) throws {
        let all = try #require(SearchVariance([.noVarySearch: "params"]))
        #expect(!all.equates(try HTTPURL("https://example.com/a"), try HTTPURL(url)))
    }

    @Test("C7 a query that is too long to compare is only equivalent to itself")
    func long() throws {
        let long = "?a=" + String(repeating: "1", count: SearchVariance.longestQuery)
        #expect(try equates("params", long, "") == false)
        #expect(try equates("params", long, long) == true)
    }

    @Test("C7 the index finds the URL of the latest equivalent response, by the latest rule of its path")
    func index() throws {
        var index = SearchVarianceIndex()
        func url(_ query: String) throws -> HTTPURL { try HTTPURL("https://example.com/a" + query) }
        #expect(index.storedURL(for: try url("?utm=1")) == (try url("?utm=1")))
        index.note(try url("?id=1&utm=1"), [.noVarySearch: "params=(\"utm\")"])
        #expect(index.storedURL(for: try url("?utm=2&id=1")) == (try url("?id=1&utm=1")))
        #expect(index.storedURL(for: try url("?id=2")) == (try url("?id=2")))
        index.note(try url("?id=1"), [.noVarySearch: "params=(\"utm\")"])
        #expect(index.storedURL(for: try url("?utm=2&id=1")) == (try url("?id=1")))
        index.note(try url("?id=1"), [:])
        #expect(index.storedURL(for: try url("?utm=2&id=1")) == (try url("?utm=2&id=1")))
    }

    @Test("C7 the index forgets what was used least when a server fills it")
    func bound() throws {
        var index = SearchVarianceIndex()
        let first = try HTTPURL("https://example.com/first?a=1")
        index.note(first, [.noVarySearch: "params"])
        for number in 0..<20_000 {
            index.note(try HTTPURL("https://example.com/\(number)?a=1"), [.noVarySearch: "params"])
        }
        let other = try HTTPURL("https://example.com/first?b=2")
        #expect(index.storedURL(for: other) == other)
        let last = try HTTPURL("https://example.com/19999?b=2")
        #expect(index.storedURL(for: last) == (try HTTPURL("https://example.com/19999?a=1")))
    }
}
