import GodwitWire
import Testing

@Suite("Structured fields")
struct StructuredFieldTests {
    @Test(
        "A8 a dictionary is written in its strict form (RFC 9651)",
        arguments: [
            ("a=1,    b=2;x=1;y=2,   c=(a   b   c)", "a=1, b=2;x=1;y=2, c=(a b c)"),
            ("a, b;x, c=?0", "a, b;x, c=?0"), ("a=?1;y=?0", "a;y=?0"), ("a=1,a=2", "a=2"),
            ("a=1, b=2, a=3", "a=3, b=2"),
            ("  a=1\t,\t b=2  ", "a=1, b=2"), ("", ""), ("*k-1._=tok*en/x:y", "*k-1._=tok*en/x:y"),
            ("a=-0", "a=0"), ("a=999999999999999", "a=999999999999999"), ("a=-12.5", "a=-12.5"), ("a=1.250", "a=1.25"),
            ("a=0.001", "a=0.001"), ("a=\"q\\\"b\\\\\"", "a=\"q\\\"b\\\\\""), ("a=:aGk:", "a=:aGk=:"), ("a=::", "a=::"),
            ("a=@-1659578233", "a=@-1659578233"), ("a=%\"f%c3%bc %25\"", "a=%\"f%c3%bc %25\""),
            ("a=();x;y=1", "a=();x;y=1"),
            ("a=(\"b\";c 1.0;d)", "a=(\"b\";c 1.0;d)"),
        ])
    func dictionaries(text: String, strict: String) {
        #expect(StructuredParser.dictionary(text)?.text == strict)
    }

    @Test(
        "A8 what isn't a dictionary as a whole has no members",
        arguments: [
            "a=1,", ",a=1", "a=", "a=1 b=2", "A=1", "a=1;", "a;=1", "a=(1", "a=(1)2", "a=(1,2)", "a=\"", "a=\"\\n\"",
            "a=\"ü\"",
            "a=:?:", "a=:aGk", "a=?2", "a=1.", "a=.5", "a=1.2345", "a=1000000000000000", "a=1234567890123.1", "a=--1",
            "a=@1.5", "a=%\"%c3\"", "a=%\"%zz\"", "a=%x", "a=1\n", "é=1", "1=a", "a=()()",
        ])
    func invalid(text: String) {
        #expect(StructuredParser.dictionary(text) == nil)
    }

    @Test("A8 lists and items have a strict form too, and values without one aren't written")
    func others() {
        #expect(StructuredParser.list("a ,  (b c);q=1.0,\"d\"")?.text == "a, (b c);q=1.0, \"d\"")
        #expect(StructuredParser.item(" text/html;q=0.50 ")?.text == "text/html;q=0.5")
        #expect(StructuredParser.item("a, b") == nil)
        #expect(StructuredBareItem.string("ü").text == nil)
        #expect(StructuredBareItem.token("a b").text == nil)
        #expect(StructuredBareItem.integer(1_000_000_000_000_000).text == nil)
        #expect([StructuredMember.item(StructuredItem(.string("\n")))].text == nil)
    }

    @Test("A8 a dictionary of any size is read in linear time")
    func large() {
        let names = (0..<100_000).map { "k\($0)=1" }
        #expect(StructuredParser.dictionary(names.joined(separator: ","))?.entries.count == 100_000)
        #expect(StructuredParser.dictionary("a=" + String(repeating: "(", count: 1_000_000)) == nil)
    }
}
