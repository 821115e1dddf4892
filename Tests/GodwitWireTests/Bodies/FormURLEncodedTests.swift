import GodwitWire
import GodwitTesting
import Testing

@Suite struct FormURLEncodedTests {
    @Test("B3 a form keeps its order, writes space as + and every name with =")
    func encoding() {
        var items: QueryItems = [
            "grant_type": "password", "user name": "a+b c", "tag": ["x", "y"], "none": nil as String?,
        ]
        items.append("flag")
        #expect(FormURLEncoded.encode(items) == "grant_type=password&user+name=a%2Bb+c&tag=x&tag=y&flag=")
        #expect(FormURLEncoded.encode([:]) == "")
    }

    @Test(
        "B3 the unencoded bytes are those of WHATWG",
        arguments: [
            ("*-._09azAZ", "*-._09azAZ"), ("~!'()", "%7E%21%27%28%29"), ("ü€", "%C3%BC%E2%82%AC"),
            ("a&b=c%", "a%26b%3Dc%25"),
            ("\r\n", "%0D%0A"), ("[],/?:@$;", "%5B%5D%2C%2F%3F%3A%40%24%3B"), ("+", "%2B"),
        ])
    func bytes(value: String, expected: String) {
        #expect(FormURLEncoded.encode(["k": value]) == "k=\(expected)")
        #expect(FormURLEncoded.encode([value: ""]) == "\(expected)=")
    }

    private static let careless: [(String, [QueryItem])] = [
        ("a=1&b=2", [item("a", "1"), item("b", "2")]), ("a", [item("a", "")]), ("a=", [item("a", "")]),
        ("=a", [item("", "a")]), ("&&a=1&", [item("a", "1")]), ("a+b=c%20d", [item("a b", "c d")]),
        ("a=b=c", [item("a", "b=c")]), ("a=%zz%4", [item("a", "%zz%4")]), ("a=100%", [item("a", "100%")]),
        ("a=%FF", [item("a", "\u{FFFD}")]), ("%C3%BC=%c3%bc", [item("ü", "ü")]), ("", []),
        ("a=1&a=2", [item("a", "1"), item("a", "2")]),
    ]

    private static func item(_ name: String, _ value: String) -> QueryItem {
        QueryItem(name: name, value: value)
    }

    @Test("B3 a malformed form is parsed", arguments: careless)
    func decoding(text: String, expected: [QueryItem]) {
        #expect(FormURLEncoded.decode(text).items == expected)
    }

    @Test("B3 random forms round-trip")
    func roundTrip() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            let items = QueryItems(
                (0..<Int.random(in: 1..<4, using: &generator)).map { _ in
                    QueryItem(name: text(using: &generator), value: text(using: &generator))
                })
            #expect(FormURLEncoded.decode(FormURLEncoded.encode(items)).items == items.items)
        }
    }

    private func text(using generator: inout SeededGenerator) -> String {
        let scalars = (0..<Int.random(in: 0..<6, using: &generator)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...0x2FF, using: &generator))
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
