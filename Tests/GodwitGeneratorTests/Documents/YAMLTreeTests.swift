@testable import GodwitGenerator
import Testing

@Suite("G2 YAML")
struct YAMLTreeTests {
    @Test(
        "G2 text without quotes has the types of the core schema",
        arguments: [
            ("true", .bool(true)), ("False", .bool(false)), ("null", .null), ("~", .null), ("", .null),
            ("yes", .string("yes")), ("on", .string("on")), ("2024-01-01", .string("2024-01-01")),
            ("12:30", .string("12:30")), ("1.0.0", .string("1.0.0")), ("0", .number("0")), ("-17", .number("-17")),
            ("+5", .number("5")), ("007", .string("007")), ("0x1F", .number("31")), ("0o17", .number("15")),
            ("0x+1", .string("0x+1")), ("1.50", .number("1.50")), (".5", .number("0.5")), ("1.", .number("1.0")),
            ("-.5e3", .number("-0.5e3")), ("1e10", .number("1e10")), ("1e", .string("1e")), (".", .string(".")),
            ("-", .string("-")), (".inf", .string(".inf")), (".nan", .string(".nan")), ("1_000", .string("1_000")),
            ("٣", .string("٣")),
        ] as [(String, DocumentNode.Value)])
    func scalars(text: String, value: DocumentNode.Value) {
        #expect(YAMLScalar.plain(text) == value)
    }

    @Test("G2 quoted text and blocks are text, and tags say the type")
    func quotes() throws {
        let root = try tree("a: 'true'\nb: \"1\"\nc: |\n  2\nd: !!str 3\ne: !!int \"4\"\nf: !mine 5")
        #expect(
            root.members.map(\.value.value) == [
                .string("true"), .string("1"), .string("2\n"), .string("3"), .number("4"), .string("5"),
            ])
    }

    @Test("G2 keys are their text: response codes, booleans and null")
    func keys() throws {
        let root = try tree("200: a\ntrue: b\nnull: c\n1.0: d\n&k key: e")
        #expect(root.members.map(\.key) == ["200", "true", "null", "1.0", "key"])
    }

    @Test("G2 an alias is the value of its anchor, with the place of the anchor")
    func aliases() throws {
        let root = try tree("a: &x {b: [1]}\nc: *x\nd: &s text\ne: *s\n*s : f")
        #expect(root["c"] == root["a"])
        #expect(root["c"]?.place.pointer == "/a")
        #expect(root["e"]?.string == "text")
        #expect(root["text"]?.string == "f")
    }

    @Test("G2 merge keys add members that the object doesn't have")
    func merges() throws {
        let root = try tree("a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  w: 0\n  <<: [*a, *b]\n  z: 3\nd: {'<<': 1}")
        #expect(root["c"]?.members.map(\.key) == ["w", "x", "y", "z"])
        #expect(root["c"]?.members.compactMap(\.value.text) == ["0", "1", "1", "3"])
        #expect(root["d"]?.members.map(\.key) == ["<<"])
    }

    @Test("G2 aliases that expand without a bound end in an error")
    func bombs() {
        var laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...12 {
            let alias = "*a\(level - 1)"
            laughs += "a\(level): &a\(level) [" + Array(repeating: alias, count: 10).joined(separator: ", ") + "]\n"
        }
        let wide = #expect(throws: GenerationError.self) { try tree(laughs) }
        #expect(
            wide?.reason == "the aliases of the document stand for more than 1,000,000 values; write it without them")
        #expect(wide?.place?.pointer == "/a5/7")
        var chain = "a0: &a0 [x]\n"
        for level in 1...600 { chain += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        let deep = #expect(throws: GenerationError.self) { try tree(chain) }
        #expect(deep?.reason == "the document is nested more than 512 levels deep")
    }
}
