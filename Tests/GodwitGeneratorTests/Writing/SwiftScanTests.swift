@testable import GodwitGenerator
import Testing

@Suite("G2 Arguments of calls")
struct SwiftScanTests {
    @Test(
        "G2 commas inside of brackets and strings don't separate arguments",
        arguments: [
            ("a: b, c: d", ["a: b", "c: d"]), ("f(a, b), [c, d], { e, f }", ["f(a, b)", "[c, d]", "{ e, f }"]),
            (#""a, b", c"#, [#""a, b""#, "c"]), (#""a\", b", c"#, [#""a\", b""#, "c"]),
            ("#\"a\", \"b\"#, c", ["#\"a\", \"b\"#", "c"]), ("a", ["a"]),
            ("a: Result<A, B>, c: (D) -> E", ["a: Result<A, B>", "c: (D) -> E"]),
        ])
    func items(text: String, items: [String]) {
        #expect(SwiftScan.parts(of: text, at: ",") == items)
    }

    @Test("G2 a call that is too long has as many arguments on a line as fit")
    func wrapped() {
        var text = SourceText()
        let names = (1...9).map { "argument\($0): value\($0)" }
        text.wrapped("call(" + names.joined(separator: ", ") + ")")
        #expect(text.lines.first == "call(")
        #expect(text.lines.count == 3)
        #expect(text.lines.allSatisfy { $0.count <= SourceText.columns })
        #expect(text.lines.last?.hasSuffix("argument9: value9)") == true)
    }
}
