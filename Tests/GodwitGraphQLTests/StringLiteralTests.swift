import GodwitGraphQL
import Testing

@Suite("G3 Strings of GraphQL")
struct StringLiteralTests {
    @Test("S8 G3 quotes with combining marks end no string: to a parser they are quotes")
    func marks() {
        let block = StringLiteral.description("a\n\"\"\"\u{301} b")
        #expect(block.utf8.elementsEqual("\"\"\"\na\n\\\"\"\"\u{301} b\n\"\"\"".utf8), "\(block)")
        #expect(StringLiteral.quoted("\"\u{301}").utf8.elementsEqual("\"\\\"\u{301}\"".utf8))
    }
}
