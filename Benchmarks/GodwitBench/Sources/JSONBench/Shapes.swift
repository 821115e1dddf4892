import FoundationEssentials

/// The documents that are made in memory: shapes that a decoder could be slow at.
enum Shapes {
    /// The document of a name; `nil` if there is none.
    static func document(named name: String) -> BenchDocument? {
        switch name {
        case "huge-string": BenchDocument(Essay.self, hugeString)
        case "escaped-string": BenchDocument(Essay.self, escapedString)
        case "deep": BenchDocument(ThreadedComment.self, deep(levels: 250))
        case "keys-missing": BenchDocument([Product].self, products(1000) { [.sku, .width, .style] })
        case "keys-in-order": BenchDocument([Product].self, products(200) { Product.CodingKeys.allCases })
        case "keys-reversed": BenchDocument([Product].self, products(200) { Product.CodingKeys.allCases.reversed() })
        case "keys-unknown": BenchDocument(Identified.self, object(of: 100_000, before: "\"id\":1,\"name\":\"godwit\""))
        case "keys-snake-case": BenchDocument([SnakeCaseArticle].self, snakeCaseArticles(200), convertsSnakeCase: true)
        case "dictionary": BenchDocument([String: Int].self, object(of: 100_000, before: "\"last\":1"))
        case "failures": BenchDocument([Reading].self, readings(10_000))
        default: nil
        }
    }

    /// 10 MB of ASCII without an escape.
    private static var hugeString: String {
        "{\"text\":\"" + String(repeating: "godwit ", count: 1_430_000) + "\"}"
    }

    /// 2 MB, with an escape every few characters.
    private static var escapedString: String {
        "{\"text\":\"" + String(repeating: #"bar-tailed\n\"godwit\" Na\u00efve \ud83d\udc26 "#, count: 50_000) + "\"}"
    }

    /// Objects in arrays in objects: two levels of nesting for each level of comments.
    private static func deep(levels: Int) -> String {
        let comment = "{\"author\":\"godwit\",\"text\":\"A reply\",\"replies\":["
        return String(repeating: comment, count: levels) + String(repeating: "]}", count: levels)
    }

    private static func products(_ count: Int, keys: () -> [Product.CodingKeys]) -> String {
        array(count) { Product.json(of: keys(), number: $0) }
    }

    private static func object(of count: Int, before last: String) -> String {
        "{" + (0..<count).map { "\"key \($0)\":\($0)," }.joined() + last + "}"
    }

    private static func snakeCaseArticles(_ count: Int) -> String {
        array(count) { number in
            """
            {"id":\(number),"slug":"flight-\(number)","title":"The flight of the godwit","author_name":"Tūhoe",\
            "author_email":"author@example.com","view_count":\(number * 7),"average_rating":4.5,"is_featured":true,\
            "is_commenting_allowed":false,"related_article_ids":[1,2,3]}
            """
        }
    }

    /// Of each two readings one has a text for a number.
    private static func readings(_ count: Int) -> String {
        array(count) { number in
            let isFaulty = number.isMultiple(of: 2)
            return """
                {"sensor":"S\(number)","celsius":\(isFaulty ? "\"n/a\"" : "21.5"),\
                "level":\(isFaulty ? "\"low\"" : "\(number)")}
                """
        }
    }

    private static func array(_ count: Int, element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }
}
