@testable import GodwitWire
import GodwitTesting
import Testing

@Suite struct LinkHeaderTests {
    @Test("P1 a link's target, relations and parameters are read")
    func oneLink() throws {
        let fields: HTTPFields = [.link: #"<https://h/a?page=2>; rel="next Last"; title="a \"b\", c"; X"#]
        let link = try #require(fields.links.first)
        #expect(fields.links.count == 1)
        #expect(link.target == "https://h/a?page=2")
        #expect(link.relations == ["next", "last"])
        #expect(link.parameters.map(\.name) == ["rel", "title", "x"])
        #expect(link.parameter("TITLE") == #"a "b", c"#)
        #expect(link.parameter("x") == "")
        #expect(link.parameter("none") == nil)
    }

    @Test(
        "P1 links are separated in every spelling",
        arguments: [
            ("<a>; rel=next, <b>; rel=prev", ["a", "b"]), ("<a,b;c>;rel=\"x,y\",<d>", ["a,b;c", "d"]),
            ("<a>,<b>,,<c>", ["a", "b", "c"]),
            (" , <a> ; rel = next ", ["a"]), ("<>; rel=next", [""]), ("< a >", ["a"]), ("", []), ("a; rel=next", []),
            ("a; rel=\"x,<n>\", <b>", ["b"]), ("<a", []), ("<a>; rel=\"next, <b>", ["a"]),
            ("<a> junk; rel=x, <b>", ["a", "b"]),
            ("<a>;;rel=next;", ["a"]), ("<a>; =x; rel=next", ["a"]), (",,,", []), (";;;", []), (">", []),
            ("<a><b>, <c>", ["a", "c"]),
        ])
    func robustness(value: String, targets: [String]) {
        #expect(LinkHeader.parse([.link: value]).map(\.target) == targets)
    }

    @Test(
        "P1 a rel without a value is a parameter like others, and names no relation, also not by a later one",
        arguments: [
            ("<a>; rel", ["rel"]), ("<a>; rel; title=x", ["rel", "title"]), ("<a>; rel; rel=next", ["rel", "rel"]),
        ])
    func valueless(value: String, names: [String]) throws {
        let link = try #require(HTTPFields([HTTPField(name: .link, value: value)].compactMap(\.self)).links.first)
        #expect(link.relations.isEmpty)
        #expect(link.parameters.map(\.name) == names)
        #expect(link.parameter("rel") == "")
    }

    @Test("P1 several Link fields are one list, and only the first rel of a link counts")
    func severalFields() {
        var fields: HTTPFields = [.link: "<a>; rel=prev; rel=next"]
        fields.append("<b>; rel=next", for: .link)
        #expect(fields.links.map(\.target) == ["a", "b"])
        #expect(fields.links.map(\.relations) == [["prev"], ["next"]])
    }

    @Test(
        "P1 the next page is found and resolved",
        arguments: [
            ("<?page=2>; rel=next", "https://h/a/b?page=2"), ("</c>; rel=\"last NEXT\"", "https://h/c"),
            ("<c>; rel=prev, <//g/d>; REL=Next", "https://g/d"),
            ("<x>; rel=next; anchor=\"#f\", <y>; rel=next", "https://h/a/y"),
        ])
    func relation(value: String, expected: String) throws {
        let fields: HTTPFields = [.link: value]
        #expect(try fields.link(rel: "Next", relativeTo: HTTPURL("https://h/a/b?page=1"))?.absoluteString == expected)
    }

    @Test("P1 a missing relation is nil, an invalid target an error")
    func missing() throws {
        let base = try HTTPURL("https://h/")
        let fields: HTTPFields = [.link: "<a>; rel=prev, <b>"]
        #expect(try fields.link(rel: "next", relativeTo: base) == nil)
        #expect(try HTTPFields().link(rel: "next", relativeTo: base) == nil)
        let bad: HTTPFields = [.link: "<mailto:a@b>; rel=next"]
        #expect(throws: InvalidURL.self) { try bad.link(rel: "next", relativeTo: base) }
    }

    @Test("P1 random values never trap")
    func random() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<3000 {
            let value = (0..<Int.random(in: 0..<20, using: &generator)).map { _ in
                ["<", ">", ",", ";", "=", "\"", "\\", " ", "rel", "next", "ü", "\t"].randomElement(using: &generator)
                    ?? ""
            }.joined()
            for link in LinkHeader.parse(value) { #expect(!link.target.contains(">")) }
        }
    }

    @Test(
        "P1 RFC 8288 3.4.1 title* takes precedence over title, unless it can't be decoded",
        arguments: [
            ("title=\"plain\"; title*=UTF-8'de'n%c3%a4chstes", "n\u{E4}chstes"),
            ("title*=UTF-8''first; title=\"plain\"", "first"), ("title*=iso-8859-1'en'%A3", "\u{A3}"),
            ("title=\"plain\"; title*=UTF-16''x", "plain"), ("title=\"plain\"; title*=UTF-8''%c3", "plain"),
            ("title=\"plain\"", "plain"), ("rel=next", nil),
        ] as [(String, String?)])
    func title(parameters: String, expected: String?) throws {
        let link = try #require(LinkHeader.parse("</2>; \(parameters)").first)
        #expect(link.title == expected)
        #expect(link.parameter("Title") == expected)
    }
}
