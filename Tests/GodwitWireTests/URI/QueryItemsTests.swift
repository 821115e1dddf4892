import GodwitWire
import Testing

@Suite struct QueryItemsTests {
    private enum Order: String, QueryConvertible { case newest, oldest }
    private enum Size: Int, QueryConvertible { case large = 3 }

    private func target(_ query: QueryItems) throws -> String {
        String(try EndpointPath(template: "a").appended(to: HTTPURL("http://h"), query: query).target)
    }

    @Test("U2 the caller's order is kept, and sorted on request; the same names keep theirs")
    func order() throws {
        let query: QueryItems = ["b": 2, "a": "x", "b": 1, "c": 0]
        #expect(try target(query) == "/a?b=2&a=x&b=1&c=0")
        #expect(try target(query.sorted()) == "/a?a=x&b=2&b=1&c=0")
    }

    @Test("U2 an empty query leaves no ?")
    func empty() throws {
        #expect(try target([:]) == "/a")
        #expect(try target(["q": nil as String?, "tag": [] as [String]]) == "/a")
        #expect(try target((["tag": [] as [Int]] as QueryItems).arrays(.comma)) == "/a")
        #expect(QueryItems().isEmpty)
        #expect((["q": nil, "t": [] as [Int]] as QueryItems).isEmpty)
        #expect(!(["q": ""] as QueryItems).isEmpty)
    }

    @Test("U2 an item without a value is a bare name, an empty value is name=")
    func valueless() throws {
        var query: QueryItems = ["empty": ""]
        query.append("flag")
        query.append("last", QueryValue.flag)
        #expect(try target(query) == "/a?empty=&flag&last")
    }

    @Test(
        "U3 plus and space in names and values are distinct",
        arguments: [
            ("a+b", "a%2Bb"), ("a b", "a%20b"), ("a&b=c", "a%26b%3Dc"), ("#", "%23"), ("100%", "100%25"),
            ("ü", "%C3%BC"),
            ("a/b?c", "a/b?c"), ("[]", "%5B%5D"), ("\r\n\u{0}", "%0D%0A%00"), ("a,b;c", "a,b%3Bc"),
            ("\"<>", "%22%3C%3E"),
        ])
    func encoding(value: String, expected: String) throws {
        #expect(try target(["k": value]) == "/a?k=\(expected)")
        #expect(try target([value: "v"]) == "/a?\(expected)=v")
    }

    @Test(
        "U4 lists follow the strategy, nil is skipped",
        arguments: [
            (ArrayStrategy.repeat, "/a?tag=a&tag=b,c&one=1"), (.brackets, "/a?tag%5B%5D=a&tag%5B%5D=b,c&one=1"),
            (.comma, "/a?tag=a,b%2Cc&one=1"),
        ])
    func arrays(strategy: ArrayStrategy, expected: String) throws {
        let query: QueryItems = ["tag": ["a", nil, "b,c"], "none": nil as Int?, "one": 1]
        #expect(try target(query.arrays(strategy)) == expected)
        #expect(query.arrayStrategy == .repeat)
    }

    @Test("U4 a comma in a value differs from a separator")
    func commas() throws {
        #expect(try target((["t": ["a,b", "c"]] as QueryItems).arrays(.comma)) == "/a?t=a%2Cb,c")
    }

    @Test("U4 optionals, enums, numbers, dates and identifiers are values")
    func conversions() throws {
        let search: String? = "x"
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let decimal = try #require(Decimal(string: "12.50"))
        let query: QueryItems = [
            "q": search, "o": Order.newest, "s": Size.large, "b": true, "n": -5, "u": UInt64.max, "d": 1.5,
            "f": Float(0.1),
            "e": 1e20, "t": Date(timeIntervalSince1970: 0), "id": uuid, "m": decimal, "sub": "abc".dropFirst(),
            "orders": [Order.oldest, .newest], "nested": [[1, 2], [3]],
        ]
        let expected = [
            "q=x", "o=newest", "s=3", "b=true", "n=-5", "u=18446744073709551615", "d=1.5", "f=0.1", "e=1e%2B20",
            "t=1970-01-01T00:00:00Z", "id=E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "m=12.5", "sub=bc", "orders=oldest",
            "orders=newest", "nested=1", "nested=2", "nested=3",
        ]
        #expect(try target(query) == "/a?" + expected.joined(separator: "&"))
    }

    @Test("U2 items can be read back and lists combined")
    func items() throws {
        var query: QueryItems = [QueryItem(name: "a", value: "1"), QueryItem(name: "flag", value: nil)]
        query.append(contentsOf: ["t": ["x", "y"]])
        #expect(query.items.map(\.name) == ["a", "flag", "t", "t"])
        #expect(query.items.map(\.value) == ["1", nil, "x", "y"])
        #expect(query.arrays(.brackets).items.last == QueryItem(name: "t[]", value: "y"))
        #expect(query.arrays(.comma).items.last == QueryItem(name: "t", value: "x,y"))
        #expect(try target(QueryItems(query.items)) == "/a?a=1&flag&t=x&t=y")
    }
}
